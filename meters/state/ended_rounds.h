// EndedRounds: the ids of the rounds that a table ended recently, in a ring with a hash index.
// Lookups take constant time, for ids that are present and for ids that are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

class EndedRounds {
 public:
  [[nodiscard]] bool contains(const RoundId& id) const;
  // Replaces the oldest id when the ring is full.
  void add(const RoundId& id);
  // The ring as stored: slot = count % limits::ended_rounds_remembered.
  [[nodiscard]] const std::vector<RoundId>& ring() const { return ring_; }
  // The number of rounds that the table has ever ended.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // REQUIRES: a ring within the limit.
  static EndedRounds restored(std::vector<RoundId> ring, std::uint64_t count);

  // The lookup index is derived, so it is not compared.
  friend bool operator==(const EndedRounds& left, const EndedRounds& right) {
    return left.count_ == right.count_ && left.ring_ == right.ring_;
  }

 private:
  // The index: an open-addressing table of ring slots, at most half full. Its size is a power of
  // two.
  struct Cell {
    std::uint32_t hash = 0;
    std::uint32_t slot = 0;  // counted from 1; 0: empty
  };
  [[nodiscard]] std::size_t within(std::size_t cell) const { return cell & (cells_.size() - 1); }
  [[nodiscard]] std::size_t home_of(std::uint32_t hash) const { return within(hash); }
  [[nodiscard]] std::size_t after(std::size_t cell) const { return within(cell + 1); }
  void note(std::size_t slot);
  void forget(std::size_t slot);
  void grow();

  std::vector<RoundId> ring_;  // grows to its limit
  std::uint64_t count_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace linkmeter
