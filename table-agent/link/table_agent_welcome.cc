// What a Welcome means for the agent: a part of TableAgent.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <utility>
#include <variant>

#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "table-agent/link/table_agent.h"

namespace linkmeter {

namespace {

// Under this name the outbox keeps the numbers of refused messages; far more than there ever are
// among those that it keeps.
constexpr const char* refused_play = "refused";
constexpr std::size_t refused_max = 4'096;
// And under this one the names of the rounds that it found open.
constexpr const char* left_open_play = "left open";

// What a table was told before, and now: each once, and of too many the last.
std::vector<Head> joined(std::vector<Head> told, const std::vector<Head>& now) {
  for (const Head& one : now) {
    if (std::find(told.begin(), told.end(), one) == told.end()) told.push_back(one);
  }
  const auto kept = static_cast<std::ptrdiff_t>(limits::restorations_told_max);
  if (std::ssize(told) > kept) told.erase(told.begin(), told.end() - kept);
  return told;
}

}  // namespace

bool is_waited_for(Refusal refusal) {
  return refusal == Refusal::configuration_differs || refusal == Refusal::history_not_accepted ||
         refusal == Refusal::another_agent;
}

std::string sentence_of(Refusal refusal) {
  return std::string(name(refusal)) + " (" + std::string(sentence(refusal)) + ")";
}

void TableAgent::check_kept(const Welcome& welcome) const {
  check_same_history(welcome.head);
  if (welcome.head.entry < witness_.entry) {
    lost("its journal ends at entry " + std::to_string(welcome.head.entry.value()) +
         ", this table has seen entry " + std::to_string(witness_.entry.value()));
  }
  if (welcome.last_number < last_acknowledged()) {
    lost("its last message of this table is " + std::to_string(welcome.last_number.value()) +
         ", but message " + std::to_string(last_acknowledged().value()) + " was acknowledged");
  }
}

void TableAgent::receive_one(const Welcome& welcome, Timestamp now) {
  if (welcome.table != table_) {
    ++ignored_count_;
    return;
  }
  if (is_late(welcome, now)) return;  // It waited for us, while this process stood still.
  if (welcome.refusal == Refusal::history_differs) {
    lost("its journal does not have entry " + std::to_string(witness_.entry.value()) +
         " as this table has seen it");
  }
  waits_for_ = is_waited_for(welcome.refusal) ? welcome.refusal : Refusal::none;
  if (waits_for_ != Refusal::none) {
    cause_ = Lockout::Cause::no_controller;  // from here on it is to catch up
    return;
  }
  if (welcome.refusal != Refusal::none) {
    throw Fault("table " + table_.text() + " is not welcome: " + sentence_of(welcome.refusal));
  }
  heard_at_ = now;
  if (talk_ != Talk::hello_sent) return;  // A second answer to one question.

  if (welcome.again_after) say_again(welcome);
  check_kept(welcome);
  if (welcome.last_number > last_number_ && last_number_ == MessageNumber()) take_over(welcome);
  if (welcome.last_number > last_number_) {
    throw Fault(
        "table " + table_.text() + ": the controller has message " +
        std::to_string(welcome.last_number.value()) + " of this table, but this outbox ends at " +
        std::to_string(last_number_.value()) +
        ": it is not the outbox the table was run with. Run the table with that one; or, if "
        "it is gone, move this one away: a new one goes on after the controller's last");
  }
  // Before the head: a witness without it would prove less.
  if (auto history = joined(history_, welcome.history); history != history_) {
    outbox_.note_history(history);
    history_ = std::move(history);
  }
  if (welcome.head != witness_) {
    outbox_.acknowledge(last_acknowledged(), welcome.head, {}, {});
    witness_ = welcome.head;
  }
  note_left_open(welcome);
  talk_ = Talk::welcome;
  sent_count_ = 0;
  progress_at_ = now;
  heartbeat_at_ = now;
  suspended_ = welcome.suspended;
  stopped_ = welcome.stopped;
  frozen_ = welcome.frozen;
  if (cause_ == Lockout::Cause::no_controller) {
    cause_ = Lockout::Cause::catching_up;
    caught_up_at_ = last_number_;
  }
  open_if_caught_up();
}

void TableAgent::take_over(const Welcome& welcome) {
  // First their names: once the numbers go on, nothing tells a round of before from one's own.
  std::string names;
  for (const OpenRound& round : welcome.open_rounds) {
    names += round.hands.round.text() + "\n";
    left_open_ids_.insert(round.hands.round);
  }
  if (!names.empty()) outbox_.append({}, {left_open_play, std::move(names)});
  outbox_.go_on_after(welcome.last_number);
  if (counts_) counts_->go_on("", welcome.last_number);
  last_number_ = welcome.last_number;
  took_over_after_ = welcome.last_number;
}

void TableAgent::read_left_open() {
  std::istringstream names(outbox_.place(left_open_play));
  for (std::string name; std::getline(names, name);) left_open_ids_.emplace(name);
}

void TableAgent::note_left_open(const Welcome& welcome) {
  if (left_open_ids_.empty()) return;
  left_open_.emplace();
  for (const OpenRound& round : welcome.open_rounds) {
    if (left_open_ids_.contains(round.hands.round)) left_open_->push_back(round);
  }
}

void TableAgent::say_again(const Welcome& welcome) {
  const Head& head = *welcome.again_after;
  // Each restoration is followed once; what is missing of it afterwards is lost.
  auto history = joined(history_, welcome.history);
  if (history == history_ || head.entry >= witness_.entry ||
      head.entry >= welcome.history.back().entry) {
    lost("it was restored up to entry " + std::to_string(head.entry.value()) +
         ", and this table has followed that already, up to entry " +
         std::to_string(witness_.entry.value()));
  }
  if (welcome.last_number > last_number_) return;  // not this outbox's journal
  const std::uint64_t count = outbox_.say_again_behind(welcome.last_number, head, history);
  take_unacknowledged();
  cause_ = Lockout::Cause::no_controller;  // locked until all of it is acknowledged
  witness_ = head;
  history_ = std::move(history);
  again_up_to_ = last_number_;
  said_again_ = SaidAgain{head.entry, count};
  // What was told of claims and hands is of the other history: their numbers are others now.
  claims_.clear();
  known_claims_.clear();
  hands_.reset();
}

void TableAgent::read_refused() {
  std::istringstream numbers(outbox_.place(refused_play));
  for (std::uint64_t number = 0; numbers >> number;) refused_.emplace(number);
}

void TableAgent::note_refused(const std::vector<Answered>& answered,
                              std::vector<Position>& positions) {
  const std::size_t before = refused_.size();
  for (const Answered& one : answered) {
    if (one.refusal != Refusal::none) refused_.insert(one.number);
  }
  if (refused_.size() == before) return;
  while (refused_.size() > refused_max) refused_.erase(refused_.begin());
  std::string numbers;
  for (const MessageNumber number : refused_) numbers += std::to_string(number.value()) + " ";
  positions.push_back({refused_play, std::move(numbers)});
}

// One that is refused and not acknowledged was so before a backup was restored.
void TableAgent::take_unacknowledged() {
  unacknowledged_.clear();
  for (StoredMessage& message : outbox_.unacknowledged()) {
    const bool was_refused = refused_.contains(message.number);
    unacknowledged_.push_back(was_refused ? without_effect(message) : std::move(message.bytes));
  }
}

// The same bytes whenever it is made: a resend is told from another message by them.
std::string TableAgent::without_effect(const StoredMessage& message) const {
  const auto decoded = decode_from_table(message.bytes);
  const auto* said = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
  const Timestamp sent_at = said != nullptr ? said->sent_at : Timestamp();
  return encode(TableMessage{table_, message.number, Digest{}, sent_at,
                             CloseRound{RoundId("refused before"), Badge()}});
}

}  // namespace linkmeter
