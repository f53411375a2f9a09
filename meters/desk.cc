#include "meters/desk.h"

#include <algorithm>

#include "meters/check.h"

namespace linkmeter {

namespace {

// Puts a value into a ring that grows until it is full: slots are filled in order, then
// overwritten.
template <class Value>
void put(std::vector<Value>& ring, std::uint64_t position, std::size_t size, Value value) {
  const auto slot = static_cast<std::size_t>(position % size);
  if (slot >= ring.size()) ring.resize(slot + 1);
  ring[slot] = std::move(value);
}

}  // namespace

const Answer* Desk::find_answer(MessageNumber number) const {
  const auto slot = static_cast<std::size_t>(number.value() % limits::answers_remembered);
  if (slot >= answers_.size() || answers_[slot].number != number || number.value() == 0) {
    return nullptr;
  }
  return &answers_[slot];
}

const Round* Desk::find_round(const RoundId& id) const {
  const auto found = std::find_if(rounds_.begin(), rounds_.end(),
                                  [&id](const Round& round) { return round.id == id; });
  return found == rounds_.end() ? nullptr : &*found;
}

bool Desk::has_ended(const RoundId& id) const {
  return std::find(ended_.begin(), ended_.end(), id) != ended_.end();
}

void Desk::remember(const Answer& answer) {
  CHECK(answer.number == last_number_.next());
  last_number_ = answer.number;
  put(answers_, answer.number.value(), limits::answers_remembered, answer);
}

Round& Desk::open_round(Round round) {
  CHECK(find_round(round.id) == nullptr);
  CHECK(rounds_.size() < limits::rounds_open_per_table_max);
  const auto after = std::find_if(rounds_.begin(), rounds_.end(),
                                  [&round](const Round& other) { return round.id < other.id; });
  return *rounds_.insert(after, std::move(round));
}

Round& Desk::round(const RoundId& id) {
  const auto found = std::find_if(rounds_.begin(), rounds_.end(),
                                  [&id](const Round& round) { return round.id == id; });
  CHECK(found != rounds_.end());
  return *found;
}

void Desk::end_round(const RoundId& id) {
  const auto open = std::find_if(rounds_.begin(), rounds_.end(),
                                 [&id](const Round& round) { return round.id == id; });
  if (open != rounds_.end()) rounds_.erase(open);
  put(ended_, ended_count_, limits::ended_rounds_remembered, id);
  ++ended_count_;
}

Desk Desk::restored(MessageNumber last_number, std::vector<Answer> answers,
                    std::vector<Round> rounds, std::vector<RoundId> ended,
                    std::uint64_t ended_count) {
  CHECK(answers.size() <= limits::answers_remembered);
  CHECK(rounds.size() <= limits::rounds_open_per_table_max);
  CHECK(ended.size() <= limits::ended_rounds_remembered);
  Desk desk;
  desk.last_number_ = last_number;
  desk.answers_ = std::move(answers);
  desk.rounds_ = std::move(rounds);
  desk.ended_ = std::move(ended);
  desk.ended_count_ = ended_count;
  return desk;
}

}  // namespace linkmeter
