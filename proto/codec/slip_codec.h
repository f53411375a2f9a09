// Slip codec: a slip as the state tables hold it; a part of state_codec.
#pragma once

#include "meters/state/slip.h"
#include "proto/codec/floor_codec.h"

namespace linkmeter {

bool serialize(Of<Slip> auto& slip, auto& message) {
  return FIELD(slip.number, number) && FIELD(slip.entry, entry) && FIELD(slip.claim, claim) &&
         FIELD(slip.source, source) && FIELD(slip.amount, amount_cents) &&
         FIELD(slip.wager, wager_cents) && FIELD(slip.taxable, taxable) &&
         FIELD(slip.threshold, threshold) && FIELD(slip.state, state) &&
         FIELD(slip.issued_at, issued_at_us) && FIELD(slip.issued_by, issued_by) &&
         FIELD(slip.voided_at, voided_at_us) && FIELD(slip.voided_by, voided_by) &&
         FIELD(slip.void_reason, void_reason) && FIELD(slip.void_note, void_note) &&
         FIELD(slip.paid_at, paid_at_us) && FIELD(slip.paid_by, paid_by) &&
         FIELD(slip.stored, stored);
}

}  // namespace linkmeter
