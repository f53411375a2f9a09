#include "meters/state/table_session.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

bool is_before(const Round& round, const RoundId& id) { return round.id < id; }

}  // namespace

const Answer* TableSession::find_answer(MessageNumber number) const {
  const auto slot = static_cast<std::size_t>(number.value() % limits::answers_remembered);
  if (slot >= answers_.size() || answers_[slot].number != number || number.value() == 0) {
    return nullptr;
  }
  return &answers_[slot];
}

const Round* TableSession::find_round(const RoundId& id) const {
  const auto found = std::lower_bound(rounds_.begin(), rounds_.end(), id, is_before);
  return found == rounds_.end() || found->id != id ? nullptr : &*found;
}

void TableSession::remember(const Answer& answer) {
  INVARIANT(answer.number == last_number_.next());
  last_number_ = answer.number;
  const auto slot = static_cast<std::size_t>(answer.number.value() % limits::answers_remembered);
  if (slot >= answers_.size()) answers_.resize(slot + 1);
  answers_[slot] = answer;
}

Round& TableSession::open_round(Round round) {
  INVARIANT(find_round(round.id) == nullptr);
  INVARIANT(rounds_.size() < limits::rounds_open_per_table_max);
  const auto after = std::lower_bound(rounds_.begin(), rounds_.end(), round.id, is_before);
  return *rounds_.insert(after, std::move(round));
}

Round& TableSession::round(const RoundId& id) {
  const auto found = std::lower_bound(rounds_.begin(), rounds_.end(), id, is_before);
  INVARIANT(found != rounds_.end() && found->id == id);
  return *found;
}

void TableSession::end_round(const RoundId& id) {
  const auto open = std::lower_bound(rounds_.begin(), rounds_.end(), id, is_before);
  if (open != rounds_.end() && open->id == id) rounds_.erase(open);
  ended_.add(id);
}

const PlayedPot* TableSession::find_pot(const RoundId& id) const {
  const auto found = std::find_if(pots_.begin(), pots_.end(),
                                  [&id](const PlayedPot& pot) { return pot.id == id; });
  return found == pots_.end() ? nullptr : &*found;
}

std::size_t TableSession::add_pot(PlayedPot pot) {
  const auto slot = static_cast<std::size_t>(pot_count_++ % limits::pots_remembered);
  if (slot < pots_.size()) {
    pots_[slot] = std::move(pot);
  } else {
    INVARIANT(slot == pots_.size());
    pots_.push_back(std::move(pot));
  }
  return slot;
}

std::size_t TableSession::slot_of_pot(const RoundId& id) const {
  const PlayedPot* pot = find_pot(id);
  INVARIANT(pot != nullptr);
  return static_cast<std::size_t>(pot - pots_.data());
}

TableSession TableSession::restored(MessageNumber last_number, std::vector<Answer> answers,
                                    std::vector<Round> rounds, std::vector<RoundId> ended,
                                    std::uint64_t ended_count, std::vector<PlayedPot> pots,
                                    std::uint64_t pot_count) {
  INVARIANT(answers.size() <= limits::answers_remembered);
  INVARIANT(rounds.size() <= limits::rounds_open_per_table_max);
  INVARIANT(pots.size() <= limits::pots_remembered);
  TableSession session;
  session.last_number_ = last_number;
  session.answers_ = std::move(answers);
  session.rounds_ = std::move(rounds);
  session.ended_ = EndedRounds::restored(std::move(ended), ended_count);
  session.pots_ = std::move(pots);
  session.pot_count_ = pot_count;
  return session;
}

namespace {

constexpr std::size_t cells_at_first = 64;

std::uint32_t ended_hash(const RoundId& id) {
  return static_cast<std::uint32_t>(std::hash<std::string>{}(id.text()));
}

}  // namespace

bool EndedRounds::contains(const RoundId& id) const {
  if (cells_.empty()) return false;
  const std::uint32_t hash = ended_hash(id);
  for (std::size_t at = slot_of(hash); cells_[at].slot != 0; at = after(at)) {
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
    INVARIANT(slot == ring_.size());
    ring_.push_back(id);
  }
  note(slot);
  ++count_;
}

EndedRounds EndedRounds::restored(std::vector<RoundId> ring, std::uint64_t count) {
  INVARIANT(ring.size() <= limits::ended_rounds_remembered);
  EndedRounds ended;
  ended.ring_ = std::move(ring);
  ended.count_ = count;
  ended.grow();
  return ended;
}

void EndedRounds::note(std::size_t slot) {
  if (cells_.size() < 2 * ring_.size()) return grow();
  const std::uint32_t hash = ended_hash(ring_[slot]);
  std::size_t at = slot_of(hash);
  while (cells_[at].slot != 0) at = after(at);
  cells_[at] = {hash, static_cast<std::uint32_t>(slot + 1)};
}

// Backward-shift deletion: each entry after the gap, up to the next empty cell, moves into the gap
// if the gap lies on its probe path.
void EndedRounds::forget(std::size_t slot) {
  std::size_t gap = slot_of(ended_hash(ring_[slot]));
  while (cells_[gap].slot != slot + 1) {
    INVARIANT(cells_[gap].slot != 0);
    gap = after(gap);
  }
  cells_[gap] = {};
  for (std::size_t at = after(gap); cells_[at].slot != 0; at = after(at)) {
    const std::size_t home = slot_of(cells_[at].hash);
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
    std::size_t at = slot_of(hash);
    while (cells_[at].slot != 0) at = after(at);
    cells_[at] = {hash, static_cast<std::uint32_t>(slot + 1)};
  }
}

}  // namespace linkmeter
