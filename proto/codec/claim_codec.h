// Claim codec: a claim as the state tables hold it.
#pragma once

#include "meters/state/claim.h"
#include "proto/codec/award_codec.h"

namespace linkmeter {

bool serialize(Of<Claim> auto& claim, auto& message) {
  return FIELD(claim.number, number) && FIELD(claim.entry, entry) && FIELD(claim.link, link) &&
         FIELD(claim.table, table) && FIELD(claim.round, round) && FIELD(claim.seat, seat) &&
         FIELD(claim.line, line) && FIELD(claim.level, level) &&
         FIELD(claim.amount, amount_cents) && FIELD(claim.state, state) &&
         FIELD(claim.sent_at, sent_at_us) && FIELD(claim.raised_at, raised_at_us) &&
         FIELD(claim.validated_at, validated_at_us) && FIELD(claim.validated_by, validated_by) &&
         FIELD(claim.paid_at, paid_at_us) && FIELD(claim.paid_by, paid_by) &&
         FIELD(claim.source, source) && FIELD(claim.on_dealer, on_dealer) &&
         FIELD(claim.hit, call) && FIELD(claim.whole_meter, whole_meter) &&
         FIELD(claim.reseeded, reseeded_units) && FIELD(claim.meter_before, stood_units) &&
         FIELD(claim.from_reserve, from_reserve_units) &&
         FIELD(claim.rejected_at, rejected_at_us) && FIELD(claim.rejected_by, rejected_by) &&
         FIELD(claim.reject_reason, reject_reason) && FIELD(claim.reject_note, reject_note) &&
         FIELD(claim.countersigned_at, countersigned_at_us) &&
         FIELD(claim.countersigned_by, countersigned_by) && FIELD(claim.slips, slips) &&
         FIELD(claim.wager, wager_cents) && FIELD(claim.keyed, keyed_line) &&
         FIELD(claim.count_differed, count_differed) && FIELD(claim.uncut, uncut_cents) &&
         FIELD(claim.corrected_by, corrected_by) && FIELD(claim.holder, holder) &&
         FIELD(claim.envy, envy) && FIELD(claim.envy_paid, envy_paid) &&
         FIELD(claim.overflowed, overflowed_units) && FIELD(claim.deferred, deferred);
}

}  // namespace linkmeter
