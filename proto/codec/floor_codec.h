// Floor codec: the floor, as entry 1, a change of parameters and the state's first row hold it.
// Included only by codec sources.
#pragma once

#include "meters/floor/floor.h"
#include "proto/codec/field_codec.h"

namespace linkmeter::acts {
class Floor;
}  // namespace linkmeter::acts

namespace linkmeter {

bool serialize(const Floor& floor, acts::Floor& message);
bool serialize(Floor& floor, const acts::Floor& message);

bool serialize(Of<TaxThreshold> auto& threshold, auto& message) {
  return FIELD(threshold.since, since_us) && FIELD(threshold.date, date) &&
         FIELD(threshold.amount, amount_cents) && FIELD(threshold.ratio, ratio) &&
         threshold.ratio >= 0 && threshold.ratio <= limits::multiple_max;
}

}  // namespace linkmeter
