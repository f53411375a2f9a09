#include "table-agent/link/send_window.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>
#include <variant>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/host/sha256.h"
#include "table-agent/link/node_fault.h"

namespace linkmeter {

namespace {

// Names of texts that the outbox keeps for the window, as it keeps the drivers' places.
constexpr const char* refused_key = "refused";      // numbers of refused messages
constexpr const char* left_open_key = "left open";  // names of rounds (law 8)
// Far more than the outbox ever keeps refused messages.
constexpr std::size_t refused_max = 4'096;

// Window and outbox hold messages as bytes.
std::optional<TableCommand> command_of(std::string_view bytes) {
  const auto decoded = decode_from_table(bytes);
  if (!decoded || !std::holds_alternative<TableMessage>(*decoded)) return std::nullopt;
  return std::get<TableMessage>(*decoded).command;
}

// The wager, if there is only one: then a refusal is about it.
std::string text_of(const std::vector<AskedWager>& wagers) {
  if (wagers.size() != 1) return "";
  const AskedWager& wager = wagers.front();
  const Amount amount = wager.amount;
  return ": seat " + std::to_string(wager.seat.value()) + ", " + wager.wager.text() + " $" +
         (amount.is_whole_cents() ? text_cents(amount) : text_exact(amount));
}
std::string text_of(const LockRound& lock) {
  return "lock " + lock.round.text() + text_of(lock.wagers);
}
std::string text_of(const ResolveCount& resolve) {
  return "resolve " + resolve.round.text() + text_of(resolve.wagers);
}
std::string text_of(const ShowHands& show) { return "show " + show.round.text(); }
std::string text_of(const CloseRound& close) { return "close " + close.round.text(); }
std::string text_of(const VoidRound& round) {
  return "void " + round.round.text() +
         (round.seat ? " seat " + std::to_string(round.seat->value()) : "");
}
std::string text_of(const PlayPot& pot) { return "pot " + pot.round.text(); }

// The command for people: "lock r3: seat 2, crazy-4/five-card $5.00".
std::string command_text(const TableCommand& command) {
  return std::visit([](const auto& one) { return text_of(one); }, command);
}

Answered answer_of(const Acknowledgement& one, std::string_view frame) {
  Answered answered{one.number, one.entry, one.refusal, {}};
  answered.awards = one.awards;
  answered.no_contribution = one.no_contribution;
  answered.take_back = one.take_back;
  if (one.refusal == Refusal::none && !one.chips_expected) return answered;
  // People are told which message it was.
  const std::optional<TableCommand> command = command_of(frame);
  const auto* lock = command ? std::get_if<LockRound>(&*command) : nullptr;
  if (one.refusal != Refusal::none) {
    answered.submitted = command ? command_text(*command) : "unreadable";
  } else if (lock != nullptr) {
    answered.submitted = "lock " + lock->round.text();
    answered.chips_expected = one.chips_expected;
    answered.chips = lock->chips.value_or(0);
  }
  return answered;
}

LocalCounters::Became became(const Answered& answered) {
  if (answered.refusal != Refusal::none) return LocalCounters::Became::refused;
  if (answered.chips_expected) return LocalCounters::Became::blocked;
  return answered.no_contribution ? LocalCounters::Became::without_contribution
                                  : LocalCounters::Became::accepted;
}

// Both lists, each head once; if there are too many, the last ones.
std::vector<Head> joined(std::vector<Head> before, const std::vector<Head>& now) {
  for (const Head& one : now) {
    if (std::find(before.begin(), before.end(), one) == before.end()) before.push_back(one);
  }
  const auto kept = static_cast<std::ptrdiff_t>(limits::reported_restorations_max);
  if (std::ssize(before) > kept) before.erase(before.begin(), before.end() - kept);
  return before;
}

}  // namespace

bool fits_message(const TableCommand& command) {
  const TableMessage message{TableId(std::string(limits::name_length_max, 'x')),
                             MessageNumber(UINT64_MAX), Digest{},
                             Timestamp::from_microseconds(INT64_MAX), command};
  return encode(message).size() <= limits::message_bytes_max;
}

SendWindow::SendWindow(TableId table, Outbox& outbox)
    : table_(std::move(table)),
      outbox_(outbox),
      last_number_(outbox.last_number()),
      witness_(outbox.witness()),
      restorations_(outbox.history()) {
  std::istringstream numbers(outbox_.place(refused_key));
  for (std::uint64_t number = 0; numbers >> number;) refused_.emplace(number);
  std::istringstream names(outbox_.place(left_open_key));
  for (std::string name; std::getline(names, name);) left_open_.emplace(name);
  read_unacknowledged();
}

// A message that was refused is unacknowledged only after a restoration (law 9).
void SendWindow::read_unacknowledged() {
  unacknowledged_.clear();
  for (StoredMessage& message : outbox_.unacknowledged()) {
    const bool was_refused = refused_.contains(message.number);
    unacknowledged_.push_back(was_refused ? refused_again(message) : std::move(message.bytes));
  }
}

// The same bytes every time: the controller compares a resend with the first try by its bytes.
std::string SendWindow::refused_again(const StoredMessage& message) const {
  const auto decoded = decode_from_table(message.bytes);
  const auto* submitted = decoded ? std::get_if<TableMessage>(&*decoded) : nullptr;
  const Timestamp sent_at = submitted != nullptr ? submitted->sent_at : Timestamp();
  // No round can have this name: a space is not allowed in one.
  return encode(TableMessage{table_, message.number, Digest{}, sent_at,
                             CloseRound{RoundId("refused before"), Badge()}});
}

// ---- Messages. ----------------------------------------------------------------------------------

std::size_t SendWindow::room() const {
  return limits::messages_open_max - std::min(limits::messages_open_max, unacknowledged_.size());
}

void SendWindow::submit(const std::vector<TableCommand>& commands, const Position& position,
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

void SendWindow::count_by(LocalCounters counters) {
  counters.continue_from(outbox_.place(LocalCounters::play), last_acknowledged());
  counters_ = std::move(counters);
}

std::optional<ReportedCounts> SendWindow::counts() const {
  if (!counters_) return std::nullopt;
  return counters_->report();
}

// ---- Acknowledgements. --------------------------------------------------------------------------

void SendWindow::check_frames(const Acknowledgements& acknowledgements) const {
  for (const Acknowledgement& one : acknowledgements.list) {
    if (one.mark == 0) continue;  // The controller does not know which frame it was.
    if (one.number <= last_acknowledged() || one.number > last_number_) continue;
    const std::uint64_t place = one.number.value() - last_acknowledged().value() - 1;
    if (frame_checksum(sha256(unacknowledged_[place])) == one.mark) continue;
    throw NodeFault("table " + table_.text() + ": message " + std::to_string(one.number.value()) +
                        " that the controller answers is not the one that this agent sent: another "
                        "agent speaks for this table",
                    "answers rounds that this table has not sent");
  }
}

SendWindow::Replies SendWindow::match(const Acknowledgements& acknowledgements) const {
  check_frames(acknowledgements);
  const Head& head = acknowledgements.head;
  Replies replies;
  for (const Acknowledgement& one : acknowledgements.list) {
    if (one.number <= last_acknowledged() && one.entry.value() > 0) continue;  // a repeat
    if (one.refusal != Refusal::none && !is_journaled(one.refusal)) {
      if (!replies.not_taken) replies.not_taken = one;
      continue;
    }
    if (one.entry.value() == 0 || one.entry > head.entry || one.number > last_number_) {
      ++replies.ignored_count;
      continue;
    }
    // After a gap: an answer was lost on the way. The resend brings it, and this one, again.
    const std::size_t place = replies.answered.size();
    if (one.number.value() != last_acknowledged().value() + place + 1) continue;
    replies.answered.push_back(answer_of(one, unacknowledged_[place]));
  }
  // A refusal that is not journaled may come from a restored journal: its Welcome tells.
  if (!replies.not_taken || !replies.answered.empty()) check_same_journal(head);
  return replies;
}

void SendWindow::acknowledge(const std::vector<Answered>& answered, const Head& head,
                             const OnReply& on_reply) {
  INVARIANT(!answered.empty());
  check_not_shorter(head);
  std::vector<EntryNumber> entries;
  entries.reserve(answered.size());
  for (const Answered& one : answered) entries.push_back(one.entry);
  std::vector<Position> positions = count(answered);
  note_refused(answered, positions);
  if (auto moved = on_reply ? on_reply(answered) : std::nullopt) {
    positions.push_back(std::move(*moved));
  }
  outbox_.acknowledge(answered.back().number, head, positions, entries);
  witness_ = head;
  for (std::size_t one = 0; one < answered.size(); ++one) unacknowledged_.pop_front();
}

std::vector<Position> SendWindow::count(const std::vector<Answered>& answered) {
  if (!counters_) return {};
  for (std::size_t place = 0; place < answered.size(); ++place) {
    const std::optional<TableCommand> command = command_of(unacknowledged_[place]);
    INVARIANT(command.has_value());  // it was encoded here
    counters_->note(answered[place].number, *command, became(answered[place]));
  }
  return {{LocalCounters::play, counters_->text()}};
}

void SendWindow::note_refused(const std::vector<Answered>& answered,
                              std::vector<Position>& positions) {
  const std::size_t before = refused_.size();
  for (const Answered& one : answered) {
    if (one.refusal != Refusal::none) refused_.insert(one.number);
  }
  if (refused_.size() == before) return;
  while (refused_.size() > refused_max) refused_.erase(refused_.begin());
  std::string numbers;
  for (const MessageNumber number : refused_) numbers += std::to_string(number.value()) + " ";
  positions.push_back({refused_key, std::move(numbers)});
}

// ---- The journal, as the table has seen it. -----------------------------------------------------

void SendWindow::fail_lost(const std::string& how) const {
  throw NodeFault(
      "table " + table_.text() + ": the controller has lost what it acknowledged: " + how,
      lacks_rounds);
}

void SendWindow::check_same_journal(const Head& head) const {
  if (head.entry.value() > 0 && head.entry == witness_.entry && head.hash != witness_.hash) {
    fail_lost("entry " + std::to_string(head.entry.value()) + " of its journal has another hash");
  }
}

void SendWindow::check_not_shorter(const Head& head) const {
  if (head.entry >= witness_.entry) return;
  fail_lost("its journal ends at entry " + std::to_string(head.entry.value()) +
            ", this table has seen entry " + std::to_string(witness_.entry.value()));
}

std::optional<Resent> SendWindow::on_welcome(const Welcome& welcome) {
  const std::optional<Resent> resent = welcome.again_after ? resend(welcome) : std::nullopt;
  check_same_journal(welcome.head);
  check_not_shorter(welcome.head);
  if (welcome.last_number < last_acknowledged()) {
    fail_lost("its last message of this table is " + std::to_string(welcome.last_number.value()) +
              ", but message " + std::to_string(last_acknowledged().value()) + " was acknowledged");
  }
  if (welcome.last_number > last_number_ && last_number_ == MessageNumber()) take_over(welcome);
  if (welcome.last_number > last_number_) {
    throw NodeFault(
        "table " + table_.text() + ": the controller has message " +
            std::to_string(welcome.last_number.value()) +
            " of this table, but this outbox ends at " + std::to_string(last_number_.value()) +
            ": it is not the outbox the table was run with. Run the table with that one; or, if "
            "it is gone, move this one away: a new one goes on after the controller's last",
        "has rounds that this table has not sent");
  }
  // The restorations go first: a witness head without them would prove less.
  if (auto restorations = joined(restorations_, welcome.history); restorations != restorations_) {
    outbox_.note_history(restorations);
    restorations_ = std::move(restorations);
  }
  if (welcome.head != witness_) {
    outbox_.acknowledge(last_acknowledged(), welcome.head, {}, {});
    witness_ = welcome.head;
  }
  return resent;
}

std::optional<Resent> SendWindow::resend(const Welcome& welcome) {
  const Head& head = *welcome.again_after;
  auto restorations = joined(restorations_, welcome.history);
  if (restorations == restorations_ || head.entry >= witness_.entry ||
      head.entry >= welcome.history.back().entry) {
    fail_lost("it was restored up to entry " + std::to_string(head.entry.value()) +
              ", and this table has followed that already, up to entry " +
              std::to_string(witness_.entry.value()));
  }
  if (welcome.last_number > last_number_) return std::nullopt;  // another outbox's journal
  if (welcome.head.entry < head.entry) {
    fail_lost("its journal ends at entry " + std::to_string(welcome.head.entry.value()) +
              ", and it was restored up to entry " + std::to_string(head.entry.value()));
  }
  const std::uint64_t count = outbox_.requeue_behind(welcome.last_number, head, restorations);
  read_unacknowledged();
  witness_ = head;
  restorations_ = std::move(restorations);
  return Resent{head.entry, count};
}

// ---- Takeover. ----------------------------------------------------------------------------------

void SendWindow::take_over(const Welcome& welcome) {
  // The names first: once the numbers continue, nothing tells these rounds from the table's own.
  std::string names;
  for (const OpenRound& round : welcome.open_rounds) {
    names += round.hands.round.text() + "\n";
    left_open_.insert(round.hands.round);
  }
  if (!names.empty()) outbox_.append({}, {left_open_key, std::move(names)});
  outbox_.go_on_after(welcome.last_number);
  if (counters_) counters_->continue_from("", welcome.last_number);
  last_number_ = welcome.last_number;
  took_over_after_ = welcome.last_number;
}

std::optional<std::vector<OpenRound>> SendWindow::left_open(const Welcome& welcome) const {
  if (left_open_.empty()) return std::nullopt;
  std::vector<OpenRound> rounds;
  std::copy_if(welcome.open_rounds.begin(), welcome.open_rounds.end(), std::back_inserter(rounds),
               [this](const OpenRound& one) { return left_open_.contains(one.hands.round); });
  return rounds;
}

}  // namespace linkmeter
