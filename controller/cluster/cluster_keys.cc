#include "controller/cluster/cluster_keys.h"

#include <string_view>
#include <utility>

#include "meters/values/hex.h"

namespace linkmeter {
namespace {

constexpr std::size_t house_digits = 16;

// The number with leading zeros, so that keys are in the order of their numbers.
std::string padded(std::uint64_t number, std::size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - text.size(), '0') + text;
}

std::string numbered(EntryNumber number) {
  constexpr std::size_t digits = 20;  // of the largest 64-bit number
  return padded(number.value(), digits);
}

}  // namespace

ClusterKeys::ClusterKeys(const Digest& first_hash, OriginProof proof)
    : prefix_("/linkmeter/" + hex(first_hash).substr(0, house_digits) + "/"),
      proof_(std::move(proof)) {}

std::string ClusterKeys::turn(EntryNumber first) const {
  return prefix_ + "turn/" + numbered(first);
}

std::string ClusterKeys::part(EntryNumber entry, std::uint32_t index) const {
  return parts_of(entry).first + padded(index, 2);
}

EtcdRange ClusterKeys::turns_from(EntryNumber first) const {
  return {turn(first), EtcdRange::prefix(prefix_ + "turn/").end};
}

EtcdRange ClusterKeys::turns_before(EntryNumber first) const {
  return {prefix_ + "turn/", turn(first)};
}

EtcdRange ClusterKeys::parts_before(EntryNumber first) const {
  return {prefix_ + "part/", prefix_ + "part/" + numbered(first)};
}

EtcdRange ClusterKeys::parts_of(EntryNumber entry) const {
  return EtcdRange::prefix(prefix_ + "part/" + numbered(entry) + "/");
}

}  // namespace linkmeter
