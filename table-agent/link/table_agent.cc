#include "table-agent/link/table_agent.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <utility>
#include <variant>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "table-agent/link/command_text.h"

namespace linkmeter {

namespace {

// Far more than the awards of one round.
constexpr std::size_t known_claims_max = 512;
static_assert(known_claims_max > reported_awards_max);

// What was said is remembered as its stored bytes.
std::optional<TableCommand> command_of(std::string_view bytes) {
  const auto decoded = decode_from_table(bytes);
  if (!decoded || !std::holds_alternative<TableMessage>(*decoded)) return std::nullopt;
  return std::get<TableMessage>(*decoded).command;
}

// Adds what people are told of a message that was refused, or whose round is blocked.
void tell_trouble(const Acknowledgement& answer, std::string_view bytes, Answered& answered) {
  const std::optional<TableCommand> command = command_of(bytes);
  const auto* lock = command ? std::get_if<LockRound>(&*command) : nullptr;
  if (answer.refusal != Refusal::none) {
    answered.submitted = command ? command_words(*command) : "unreadable";
  } else if (answer.chips_expected && lock != nullptr) {
    answered.submitted = "lock " + lock->round.text();
    answered.chips_expected = answer.chips_expected;
    answered.chips = lock->chips.value_or(0);
  }
}

LocalCounters::Became became(const Answered& answered) {
  if (answered.refusal != Refusal::none) return LocalCounters::Became::refused;
  if (answered.chips_expected) return LocalCounters::Became::blocked;
  return answered.no_contribution ? LocalCounters::Became::without_contribution
                                  : LocalCounters::Became::accepted;
}

}  // namespace

TableAgent::TableAgent(TableId table, Outbox& outbox, Intervals intervals, std::string floor)
    : table_(std::move(table)),
      outbox_(outbox),
      intervals_(intervals),
      floor_(std::move(floor)),
      identity_(outbox.place(identity)),
      last_number_(outbox.last_number()),
      witness_(outbox.witness()),
      history_(outbox.history()) {
  read_refused();
  read_left_open();
  take_unacknowledged();
}

std::size_t TableAgent::room() const {
  return limits::messages_open_max - std::min(limits::messages_open_max, unacknowledged_.size());
}

bool TableAgent::may_submit(const TableCommand& command, Timestamp now) const {
  if (!has_room()) return false;
  const bool begins_round =
      std::holds_alternative<LockRound>(command) || std::holds_alternative<PlayPot>(command);
  // With an outbox that never said anything there is no begun round; what it would say could not
  // take over the table's numbers any more (law 6).
  const bool may_go_on = !begins_round && last_number_ > MessageNumber();
  return may_go_on || cause(now) == Lockout::Cause::none;
}

void TableAgent::say(const TableCommand& command, const Position& position, Timestamp sent_at) {
  say(std::vector<TableCommand>{command}, position, sent_at);
}

void TableAgent::say(const std::vector<TableCommand>& commands, const Position& position,
                     Timestamp sent_at) {
  INVARIANT(commands.size() <= room());
  std::vector<StoredMessage> messages;
  MessageNumber number = last_number_;
  for (const TableCommand& command : commands) {
    number = number.next();
    messages.push_back({number, encode(TableMessage{table_, number, Digest{}, sent_at, command})});
    INVARIANT(messages.back().bytes.size() <= limits::message_bytes_max);
  }
  outbox_.append(messages, position);  // Nothing below this line runs unless it is on the disk.
  for (StoredMessage& message : messages) unacknowledged_.push_back(std::move(message.bytes));
  last_number_ = number;
}

std::int64_t TableAgent::resend_us() const {
  constexpr std::int64_t differing_times = 10;
  const bool is_people_to_act = waits_for_ != Refusal::none && waits_for_ != Refusal::another_agent;
  return is_people_to_act ? differing_times * intervals_.resend_us : intervals_.resend_us;
}

bool TableAgent::is_due(Timestamp now) const {
  return now < progress_at_ || now.microseconds() - progress_at_.microseconds() >= resend_us();
}

void TableAgent::call_floor(bool calls) { calls_floor_ = calls; }

bool TableAgent::is_long_ago(Timestamp moment, Timestamp now) const {
  return now.microseconds() - moment.microseconds() >= intervals_.lost_after_us;
}

Lockout::Cause TableAgent::cause(Timestamp now) const {
  if (waits_for_ == Refusal::configuration_differs) return Lockout::Cause::configuration_differs;
  if (waits_for_ == Refusal::another_agent) return Lockout::Cause::another_agent;
  if (waits_for_ != Refusal::none) return Lockout::Cause::history_not_accepted;
  if (is_silent(now) || cause_ == Lockout::Cause::no_controller) {
    return Lockout::Cause::no_controller;
  }
  if (!frozen_.empty()) return Lockout::Cause::frozen;
  return paced_until_ ? Lockout::Cause::pace_exceeded : cause_;
}

void TableAgent::notice_silence(Timestamp now) {
  if (cause_ == Lockout::Cause::no_controller || !is_silent(now)) return;
  cause_ = Lockout::Cause::no_controller;
  talk_ = Talk::hello_due;
}

void TableAgent::open_if_caught_up() {
  if (cause_ != Lockout::Cause::catching_up || last_acknowledged() < caught_up_at_) return;
  cause_ = Lockout::Cause::none;
}

Timestamp TableAgent::wakes_at() const {
  if (talk_ == Talk::hello_due) return progress_at_;
  const bool is_waiting = talk_ == Talk::hello_sent || !unacknowledged_.empty();
  Timestamp wakes =
      is_waiting ? progress_at_.after(resend_us()) : heartbeat_at_.after(intervals_.heartbeat_us());
  if (talk_ == Talk::welcome) {
    wakes = std::min(wakes, heartbeat_at_.after(intervals_.heartbeat_us()));
  }
  if (paced_until_ && sent_count_ == 0) wakes = std::min(wakes, *paced_until_);
  if (cause_ != Lockout::Cause::no_controller) {
    wakes = std::min(wakes, last_heard_at_.after(intervals_.lost_after_us));
  }
  return wakes;
}

Hello TableAgent::hello(Timestamp now) {
  std::erase_if(asked_, [&](const auto& asked) { return is_long_ago(asked.second, now); });
  asked_.emplace(++question_, now);
  return {
      table_, witness_, question_, floor_, history_, identity_, last_number_ == MessageNumber()};
}

std::optional<std::string> TableAgent::leave() {
  if (talk_ != Talk::welcome || identity_.empty()) return std::nullopt;
  talk_ = Talk::hello_due;
  Heartbeat heartbeat{table_, unacknowledged_.size(), false, {}};
  heartbeat.leaves = true;
  return encode(heartbeat);
}

bool TableAgent::is_late(const Welcome& welcome, Timestamp now) const {
  const auto asked = asked_.find(welcome.question > 0 ? welcome.question : question_);
  return asked == asked_.end() || is_long_ago(asked->second, now);
}

std::vector<std::string> TableAgent::to_send(Timestamp now) {
  notice_silence(now);
  // A Hello without a Welcome, a message without an answer, or the first word after a silence.
  const bool is_waiting = talk_ == Talk::hello_sent || !unacknowledged_.empty();
  if (is_waiting && is_due(now)) talk_ = Talk::hello_due;

  std::vector<std::string> frames;
  if (talk_ == Talk::hello_due) {
    frames.push_back(encode(hello(now)));
    talk_ = Talk::hello_sent;
    sent_count_ = 0;
    progress_at_ = now;
  }
  if (talk_ == Talk::welcome) {
    if (sent_count_ == 0 && !unacknowledged_.empty()) progress_at_ = now;
    // More than may be open there are only where a restored journal has lost many.
    const std::size_t open = std::min(unacknowledged_.size(), limits::messages_open_max);
    const bool is_paced = paced_until_ && now < *paced_until_;
    while (!is_paced && sent_count_ < open) frames.push_back(unacknowledged_[sent_count_++]);
    const bool has_news = calls_floor_ != floor_is_called_ || asks_for_claims_;
    if (has_news || heartbeat_at_.after(intervals_.heartbeat_us()) <= now) {
      Heartbeat heartbeat{table_, unacknowledged_.size(), calls_floor_, people_};
      if (counts_) heartbeat.counts = counts_->told();
      frames.push_back(encode(heartbeat));
      heartbeat_at_ = now;
      floor_is_called_ = calls_floor_;
      asks_for_claims_ = false;
    }
  }
  return frames;
}

std::vector<Answered> TableAgent::receive(std::string_view bytes, Timestamp now,
                                          const Hearing& hearing) {
  notice_silence(now);
  const std::optional<ToTable> reply = decode_to_table(bytes);
  if (!reply) {
    ++ignored_count_;
    return {};
  }
  if (const auto* welcome = std::get_if<Welcome>(&*reply)) {
    receive_one(*welcome, now);
    return {};
  }
  if (const auto* answer = std::get_if<HeartbeatAnswer>(&*reply)) {
    receive_one(*answer, now);
    return {};
  }
  if (const auto* signed_in = std::get_if<TableSignedIn>(&*reply)) {
    last_heard_at_ = now;
    signed_in_.push_back(*signed_in);
    return {};
  }
  const auto* acknowledgements = std::get_if<Acknowledgements>(&*reply);
  if (acknowledgements == nullptr) {
    ++ignored_count_;
    return {};
  }
  last_heard_at_ = now;
  return receive_one(*acknowledgements, now, hearing);
}

MessageNumber TableAgent::last_acknowledged() const {
  return MessageNumber(last_number_.value() - unacknowledged_.size());
}

void TableAgent::lost(const std::string& how) const {
  throw Fault("table " + table_.text() + ": the controller has lost what it acknowledged: " + how);
}

void TableAgent::check_same_history(const Head& head) const {
  if (head.entry.value() > 0 && head.entry == witness_.entry && head.hash != witness_.hash) {
    lost("entry " + std::to_string(head.entry.value()) + " of its journal has another hash");
  }
}

void TableAgent::check_own(const Acknowledgements& acknowledgements) const {
  for (const Acknowledgement& one : acknowledgements.list) {
    if (one.mark == 0) continue;  // not told
    if (one.number <= last_acknowledged() || one.number > last_number_) continue;
    const std::uint64_t place = one.number.value() - last_acknowledged().value() - 1;
    if (frame_checksum(sha256(unacknowledged_[place])) == one.mark) continue;
    throw Fault("table " + table_.text() + ": message " + std::to_string(one.number.value()) +
                " that the controller answers is not the one that this agent sent: another agent "
                "speaks for this table");
  }
}

void TableAgent::receive_one(const HeartbeatAnswer& answer, Timestamp now) {
  if (answer.table != table_) {
    ++ignored_count_;
    return;
  }
  last_heard_at_ = now;
  suspended_ = answer.suspended;
  stopped_ = answer.stopped;
  frozen_ = answer.frozen;
  ended_ = answer.ended;
  // While it is told again what it was told before, its claims and hands come bit by bit.
  if (last_acknowledged() >= again_up_to_) on_answers(answer);
  if (sent_count_ == 0) progress_at_ = now;  // Nothing is missing.
  if (answer.wants_hello && talk_ == Talk::welcome) talk_ = Talk::hello_due;
}

void TableAgent::on_answers(const HeartbeatAnswer& answer) {
  claims_ = answer.claims;
  for (const ClaimNotice& claim : claims_) known_claims_.insert_or_assign(claim.number, claim);
  while (known_claims_.size() > known_claims_max) known_claims_.erase(known_claims_.begin());
  hands_ = answer.hands;
}

void TableAgent::count_by(LocalCounters counts) {
  counts.go_on(outbox_.place(LocalCounters::play), last_acknowledged());
  counts_ = std::move(counts);
}

std::vector<Position> TableAgent::counted(const std::vector<Answered>& answered) {
  if (!counts_) return {};
  for (std::size_t at = 0; at < answered.size(); ++at) {
    const std::optional<TableCommand> command = command_of(unacknowledged_[at]);
    INVARIANT(command.has_value());  // it was encoded here
    counts_->note(answered[at].number, *command, became(answered[at]));
  }
  return {{LocalCounters::play, counts_->text()}};
}

void TableAgent::on_reply(const std::vector<Answered>& answered, const Head& head, Timestamp now,
                          const Hearing& hearing) {
  if (head.entry < witness_.entry) {
    lost("its journal ends at entry " + std::to_string(head.entry.value()) +
         ", this table has seen entry " + std::to_string(witness_.entry.value()));
  }
  std::vector<EntryNumber> entries;
  entries.reserve(answered.size());
  for (const Answered& one : answered) entries.push_back(one.entry);
  std::vector<Position> positions = counted(answered);
  note_refused(answered, positions);
  if (auto moved = hearing ? hearing(answered) : std::nullopt) {
    positions.push_back(std::move(*moved));
  }
  outbox_.acknowledge(answered.back().number, head, positions, entries);
  witness_ = head;
  for (std::size_t count = 0; count < answered.size(); ++count) unacknowledged_.pop_front();
  sent_count_ -= std::min(sent_count_, answered.size());
  progress_at_ = now;
  paced_until_.reset();
  open_if_caught_up();
}

std::vector<Answered> TableAgent::receive_one(const Acknowledgements& acknowledgements,
                                              Timestamp now, const Hearing& hearing) {
  const Head& head = acknowledgements.head;
  check_own(acknowledgements);
  std::vector<Answered> answered;
  std::optional<Acknowledgement> unjournaled;
  for (const Acknowledgement& one : acknowledgements.list) {
    if (one.number <= last_acknowledged() && one.entry.value() > 0) continue;  // answered again
    if (one.refusal != Refusal::none && !is_journaled(one.refusal)) {
      if (!unjournaled) unjournaled = one;
      continue;
    }
    const std::uint64_t next = last_acknowledged().value() + answered.size() + 1;
    if (one.entry.value() == 0 || one.entry > head.entry || one.number > last_number_) {
      ++ignored_count_;
      continue;
    }
    // After a gap: its own answer was lost on the way, and the resend will bring it again.
    if (one.number.value() != next) continue;
    Answered answer{one.number, one.entry, one.refusal, {}};
    if (one.refusal != Refusal::none || one.chips_expected) {
      tell_trouble(one, unacknowledged_[answered.size()], answer);
    }
    answer.awards = one.awards;
    answer.no_contribution = one.no_contribution;
    answer.take_back = one.take_back;
    asks_for_claims_ |= std::any_of(one.awards.begin(), one.awards.end(),
                                    [](const AwardNotice& award) { return award.claim; });
    answered.push_back(std::move(answer));
  }

  // Of a refusal alone the Welcome says whose journal it is.
  if (!unjournaled || !answered.empty()) check_same_history(head);
  if (!answered.empty()) on_reply(answered, head, now, hearing);
  // Its number is still to be used, so nothing after it was taken either.
  if (unjournaled && unjournaled->refusal == Refusal::pace_exceeded) {
    paced_until_ = now.after(intervals_.pace_wait_us);
    sent_count_ = 0;
    progress_at_ = now;
    return answered;
  }
  const bool may_go_on = unjournaled && (unjournaled->refusal == Refusal::message_out_of_order ||
                                         is_waited_for(unjournaled->refusal));
  if (unjournaled && !may_go_on) {
    throw Fault("table " + table_.text() + ": the controller does not take message " +
                std::to_string(unjournaled->number.value()) + ": " +
                sentence_of(unjournaled->refusal));
  }
  // While a Hello is on its way, this answers what was sent before it.
  if (!unjournaled || talk_ != Talk::welcome) return answered;
  talk_ = Talk::hello_due;
  if (is_waited_for(unjournaled->refusal)) {  // its Welcome says so again, or no
    waits_for_ = unjournaled->refusal;
    cause_ = Lockout::Cause::no_controller;
  }
  return answered;
}

// What a Welcome means for the agent: a part of TableAgent.

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
  const auto kept = static_cast<std::ptrdiff_t>(limits::reported_restorations_max);
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
  last_heard_at_ = now;
  if (talk_ != Talk::hello_sent) return;  // A second answer to one question.

  if (welcome.again_after) resend(welcome);
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

void TableAgent::resend(const Welcome& welcome) {
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
  const std::uint64_t count = outbox_.resend_behind(welcome.last_number, head, history);
  take_unacknowledged();
  cause_ = Lockout::Cause::no_controller;  // locked until all of it is acknowledged
  witness_ = head;
  history_ = std::move(history);
  again_up_to_ = last_number_;
  said_again_ = Resent{head.entry, count};
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
  const auto* submitted = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
  const Timestamp sent_at = submitted != nullptr ? submitted->sent_at : Timestamp();
  return encode(TableMessage{table_, message.number, Digest{}, sent_at,
                             CloseRound{RoundId("refused before"), Badge()}});
}

}  // namespace linkmeter
