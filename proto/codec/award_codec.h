// Award codec: jackpot hits and awards, as the journal and the state tables hold them.
#pragma once

#include "meters/facts/award.h"
#include "meters/facts/hit_reversal.h"
#include "proto/codec/field_codec.h"

namespace linkmeter {

bool serialize(Of<JackpotHit> auto& call, auto& message) {
  const auto is_amount = [](Amount moved) {
    return moved >= Amount() && moved <= limits::lifetime_max;
  };
  return FIELD(call.link, link) && FIELD(call.level, level) && FIELD(call.whole, whole) &&
         FIELD(call.amount, amount_cents) && FIELD(call.reseeded, reseeded_units) &&
         FIELD(call.from_reserve, from_reserve_units) && FIELD(call.meter_before, stood_units) &&
         is_amount(call.reseeded) && is_amount(call.from_reserve) && is_amount(call.meter_before);
}

bool serialize(Of<Award> auto& award, auto& message) {
  return FIELD(award.kind, kind) && FIELD(award.link, link) && FIELD(award.seat, seat) &&
         FIELD(award.holder, holder) && FIELD(award.line, line) && FIELD(award.level, level) &&
         FIELD(award.whole_meter, whole_meter) && FIELD(award.amount, amount_cents) &&
         FIELD(award.claim, claim) && FIELD(award.on_dealer, on_dealer) && FIELD(award.hit, call) &&
         FIELD(award.uncut, uncut_cents) && FIELD(award.source, source) &&
         FIELD(award.waits_for, waits_for);
}

bool serialize(Of<HitReversal> auto& calls, auto& message) {
  return FIELD(calls.undone, undone) && FIELD(calls.deferred, deferred);
}

}  // namespace linkmeter
