#include "meters/state/ended_rounds.h"

#include <functional>
#include <string>
#include <utility>

#include "meters/values/check.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

constexpr std::size_t cells_at_first = 64;

std::uint32_t ended_hash(const RoundId& id) {
  return static_cast<std::uint32_t>(std::hash<std::string>{}(id.text()));
}

}  // namespace

bool EndedRounds::contains(const RoundId& id) const {
  if (cells_.empty()) return false;
  const std::uint32_t hash = ended_hash(id);
  for (std::size_t at = home_of(hash); cells_[at].slot != 0; at = after(at)) {
    if (cells_[at].hash == hash && ring_[cells_[at].slot - 1] == id) return true;
  }
  return false;
}

void EndedRounds::add(const RoundId& id) {
  const auto slot = static_cast<std::size_t>(count_ % limits::ended_rounds_remembered);
  if (slot < ring_.size()) {
    forget(slot);
    ring_[slot] = id;
  } else {
    CHECK(slot == ring_.size());
    ring_.push_back(id);
  }
  note(slot);
  ++count_;
}

EndedRounds EndedRounds::restored(std::vector<RoundId> ring, std::uint64_t count) {
  CHECK(ring.size() <= limits::ended_rounds_remembered);
  EndedRounds ended;
  ended.ring_ = std::move(ring);
  ended.count_ = count;
  ended.grow();
  return ended;
}

void EndedRounds::note(std::size_t slot) {
  if (cells_.size() < 2 * ring_.size()) return grow();
  const std::uint32_t hash = ended_hash(ring_[slot]);
  std::size_t at = home_of(hash);
  while (cells_[at].slot != 0) at = after(at);
  cells_[at] = {hash, static_cast<std::uint32_t>(slot + 1)};
}

// What stands behind the gap, up to the next empty cell, moves up if the gap is on its way.
void EndedRounds::forget(std::size_t slot) {
  std::size_t gap = home_of(ended_hash(ring_[slot]));
  while (cells_[gap].slot != slot + 1) {
    CHECK(cells_[gap].slot != 0);
    gap = after(gap);
  }
  cells_[gap] = {};
  for (std::size_t at = after(gap); cells_[at].slot != 0; at = after(at)) {
    const std::size_t home = home_of(cells_[at].hash);
    const std::size_t way_here = within(at - home);
    const std::size_t way_to_gap = within(gap - home);
    if (way_to_gap >= way_here) continue;
    cells_[gap] = std::exchange(cells_[at], Cell{});
    gap = at;
  }
}

void EndedRounds::grow() {
  std::size_t wanted = cells_at_first;
  while (wanted < 2 * ring_.size() + 2) wanted *= 2;
  cells_.assign(wanted, Cell{});
  for (std::size_t slot = 0; slot < ring_.size(); ++slot) {
    const std::uint32_t hash = ended_hash(ring_[slot]);
    std::size_t at = home_of(hash);
    while (cells_[at].slot != 0) at = after(at);
    cells_[at] = {hash, static_cast<std::uint32_t>(slot + 1)};
  }
}

}  // namespace linkmeter
