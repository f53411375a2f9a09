#include "meters/state/table_session.h"

#include <algorithm>
#include <utility>

#include "meters/values/check.h"

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
  CHECK(answer.number == last_number_.next());
  last_number_ = answer.number;
  const auto slot = static_cast<std::size_t>(answer.number.value() % limits::answers_remembered);
  if (slot >= answers_.size()) answers_.resize(slot + 1);
  answers_[slot] = answer;
}

Round& TableSession::open_round(Round round) {
  CHECK(find_round(round.id) == nullptr);
  CHECK(rounds_.size() < limits::rounds_open_per_table_max);
  const auto after = std::lower_bound(rounds_.begin(), rounds_.end(), round.id, is_before);
  return *rounds_.insert(after, std::move(round));
}

Round& TableSession::round(const RoundId& id) {
  const auto found = std::lower_bound(rounds_.begin(), rounds_.end(), id, is_before);
  CHECK(found != rounds_.end() && found->id == id);
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
    CHECK(slot == pots_.size());
    pots_.push_back(std::move(pot));
  }
  return slot;
}

std::size_t TableSession::slot_of_pot(const RoundId& id) const {
  const PlayedPot* pot = find_pot(id);
  CHECK(pot != nullptr);
  return static_cast<std::size_t>(pot - pots_.data());
}

TableSession TableSession::restored(MessageNumber last_number, std::vector<Answer> answers,
                                    std::vector<Round> rounds, std::vector<RoundId> ended,
                                    std::uint64_t ended_count, std::vector<PlayedPot> pots,
                                    std::uint64_t pot_count) {
  CHECK(answers.size() <= limits::answers_remembered);
  CHECK(rounds.size() <= limits::rounds_open_per_table_max);
  CHECK(pots.size() <= limits::pots_remembered);
  TableSession desk;
  desk.last_number_ = last_number;
  desk.answers_ = std::move(answers);
  desk.rounds_ = std::move(rounds);
  desk.ended_ = EndedRounds::restored(std::move(ended), ended_count);
  desk.pots_ = std::move(pots);
  desk.pot_count_ = pot_count;
  return desk;
}

}  // namespace linkmeter
