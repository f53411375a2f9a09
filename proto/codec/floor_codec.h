// Floor codec: the floor as entry 1 and the state's first row hold it. Included only by codec
// sources.
#pragma once

#include <optional>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/floor/floor.h"

namespace google::protobuf {
template <typename Element>
class RepeatedPtrField;
}
namespace linkmeter::journal {
class Floor;
class PlacedWager;
class TaxThreshold;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_floor(const Floor& floor, journal::Floor& message);
bool decode_floor(const journal::Floor& message, Floor& floor);

void encode_threshold(const TaxThreshold& threshold, journal::TaxThreshold& message);
std::optional<TaxThreshold> decode_threshold(const journal::TaxThreshold& message);

void encode_placed(const PlacedWager& wager, journal::PlacedWager& message);
bool decode_placed(const google::protobuf::RepeatedPtrField<journal::PlacedWager>& messages,
                   std::vector<PlacedWager>& wagers);

}  // namespace linkmeter::parts
