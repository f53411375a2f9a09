#include "meters/desk.h"

#include <algorithm>
#include <functional>
#include <string>

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

bool is_before(const Round& round, const RoundId& id) { return round.id < id; }

std::size_t hash_of(const RoundId& id) { return std::hash<std::string>{}(id.text()); }

}  // namespace

const Answer* Desk::find_answer(MessageNumber number) const {
  const auto slot = static_cast<std::size_t>(number.value() % limits::answers_remembered);
  if (slot >= answers_.size() || answers_[slot].number != number || number.value() == 0) {
    return nullptr;
  }
  return &answers_[slot];
}

const Round* Desk::find_round(const RoundId& id) const {
  const auto found = std::lower_bound(rounds_.begin(), rounds_.end(), id, is_before);
  return found == rounds_.end() || found->id != id ? nullptr : &*found;
}

bool Desk::has_ended(const RoundId& id) const {
  return ended_hashes_.contains(hash_of(id)) &&
         std::find(ended_.begin(), ended_.end(), id) != ended_.end();
}

void Desk::remember(const Answer& answer) {
  CHECK(answer.number == last_number_.next());
  last_number_ = answer.number;
  put(answers_, answer.number.value(), limits::answers_remembered, answer);
}

Round& Desk::open_round(Round round) {
  CHECK(find_round(round.id) == nullptr);
  CHECK(rounds_.size() < limits::rounds_open_per_table_max);
  const auto after = std::lower_bound(rounds_.begin(), rounds_.end(), round.id, is_before);
  return *rounds_.insert(after, std::move(round));
}

Round& Desk::round(const RoundId& id) {
  const auto found = std::lower_bound(rounds_.begin(), rounds_.end(), id, is_before);
  CHECK(found != rounds_.end() && found->id == id);
  return *found;
}

void Desk::end_round(const RoundId& id) {
  const auto open = std::lower_bound(rounds_.begin(), rounds_.end(), id, is_before);
  if (open != rounds_.end() && open->id == id) rounds_.erase(open);
  const auto slot = static_cast<std::size_t>(ended_count_ % limits::ended_rounds_remembered);
  if (slot < ended_.size()) ended_hashes_.erase(ended_hashes_.find(hash_of(ended_[slot])));
  ended_hashes_.insert(hash_of(id));
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
  for (const RoundId& id : desk.ended_) desk.ended_hashes_.insert(hash_of(id));
  desk.ended_count_ = ended_count;
  return desk;
}

}  // namespace linkmeter
