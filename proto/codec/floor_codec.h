// Floor codec: the floor, as entry 1, a change of parameters and the state's first row hold it;
// also placed wagers. Included only by codec sources.
#pragma once

#include <optional>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace google::protobuf {
template <typename Element>
class RepeatedPtrField;
}
namespace linkmeter::acts {
class Floor;
class TaxThreshold;
}  // namespace linkmeter::acts
namespace linkmeter::journal {
class PlacedWager;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_floor(const Floor& floor, acts::Floor& message);
bool decode_floor(const acts::Floor& message, Floor& floor);

void encode_threshold(const TaxThreshold& threshold, acts::TaxThreshold& message);
std::optional<TaxThreshold> decode_threshold(const acts::TaxThreshold& message);

void encode_placed(const PlacedWager& wager, journal::PlacedWager& message);
bool decode_placed(const google::protobuf::RepeatedPtrField<journal::PlacedWager>& messages,
                   std::vector<PlacedWager>& wagers);

}  // namespace linkmeter::parts
