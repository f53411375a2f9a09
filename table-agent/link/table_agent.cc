#include "table-agent/link/table_agent.h"

#include <variant>

#include "table-agent/link/node_fault.h"

namespace linkmeter {

namespace {

// "key_unknown (the connection's key is no table's any more)"
std::string text_of(Refusal refusal) {
  return std::string(name(refusal)) + " (" + std::string(sentence(refusal)) + ")";
}

constexpr const char* does_not_take = "does not take this table";

}  // namespace

TableAgent::TableAgent(TableId table, Outbox& outbox, Intervals intervals,
                       std::string config_digest)
    : table_(std::move(table)),
      config_digest_(std::move(config_digest)),
      identity_(outbox.place(identity)),
      window_(table_, outbox),
      connection_(intervals),
      nodes_(outbox) {}

// ---- To the controller. -------------------------------------------------------------------------

bool TableAgent::may_submit(const TableCommand& command, Timestamp now) const {
  if (!has_room()) return false;
  const bool begins_round =
      std::holds_alternative<LockRound>(command) || std::holds_alternative<PlayPot>(command);
  // A new outbox has no begun round; and after a first message it could not take over the table's
  // numbering any more.
  const bool may_continue = !begins_round && last_number() > MessageNumber();
  return may_continue || lockout(now).is_open();
}

void TableAgent::submit(const TableCommand& command, const Position& position, Timestamp sent_at) {
  submit(std::vector<TableCommand>{command}, position, sent_at);
}

void TableAgent::submit(const std::vector<TableCommand>& commands, const Position& position,
                        Timestamp sent_at) {
  window_.submit(commands, position, sent_at);
}

std::string TableAgent::hello(Timestamp now) {
  return encode(Hello{table_, window_.witness(), connection_.send_hello(now), config_digest_,
                      window_.restorations(), identity_, last_number() == MessageNumber()});
}

std::string TableAgent::heartbeat(Timestamp now) {
  connection_.on_heartbeat_sent(now);
  claims_.on_report_requested();
  calls_floor_reported_ = calls_floor_;
  Heartbeat heartbeat{table_, unacknowledged_count(), calls_floor_, people_};
  heartbeat.counts = window_.counts();
  return encode(heartbeat);
}

std::vector<std::string> TableAgent::to_send(Timestamp now) {
  connection_.notice_silence(now);
  connection_.notice_overdue(now, unacknowledged_count());
  std::vector<std::string> frames;
  if (connection_.is_hello_due()) frames.push_back(hello(now));
  if (!is_welcome()) return frames;
  const Connection::Range unsent = connection_.messages_to_send(now, unacknowledged_count());
  for (std::size_t place = unsent.first; place < unsent.last; ++place) {
    frames.push_back(window_.frame(place));
  }
  const bool has_news = calls_floor_ != calls_floor_reported_ || claims_.report_is_wanted();
  if (has_news || connection_.is_heartbeat_due(now)) frames.push_back(heartbeat(now));
  return frames;
}

Timestamp TableAgent::wakes_at() const { return connection_.wakes_at(unacknowledged_count()); }

std::optional<std::string> TableAgent::leave() {
  if (!is_welcome() || identity_.empty()) return std::nullopt;
  connection_.start_over();
  Heartbeat heartbeat{table_, unacknowledged_count(), false, {}};
  heartbeat.leaves = true;
  return encode(heartbeat);
}

// ---- From the controller. -----------------------------------------------------------------------

TableAgent::Received TableAgent::receive(std::string_view bytes, Timestamp now,
                                         const OnReply& on_reply) {
  connection_.notice_silence(now);
  Received received;
  const std::optional<ToTable> reply = decode_to_table(bytes);
  if (!reply) {
    ++ignored_count_;
  } else if (const auto* welcome = std::get_if<Welcome>(&*reply)) {
    receive_one(*welcome, now, received);
  } else if (const auto* answer = std::get_if<HeartbeatAnswer>(&*reply)) {
    receive_one(*answer, now, received);
  } else if (const auto* acknowledgements = std::get_if<Acknowledgements>(&*reply)) {
    try {
      receive_one(*acknowledgements, now, on_reply, received);
    } catch (const NodeFault&) {
      // This node was heard, and takes no message. Only acknowledgements open the table again.
      connection_.lock();
      throw;
    }
  } else {
    connection_.on_heard(now);
    received.signed_in = std::get<TableSignedIn>(*reply);
  }
  return received;
}

void TableAgent::receive_one(const Welcome& welcome, Timestamp now, Received& received) {
  if (welcome.table != table_) {
    ++ignored_count_;
    return;
  }
  // An old Welcome waited while this process stood still: the controller may be gone since.
  if (!connection_.is_recent_hello(welcome.question, now)) return;
  if (welcome.refusal == Refusal::not_the_writer) {
    received.writer = welcome.writer;
    received.nodes_changed = nodes_.hear(welcome.nodes, link_);
    return;
  }
  if (welcome.refusal == Refusal::history_differs) {
    window_.fail_lost("its journal does not have entry " +
                      std::to_string(window_.witness().entry.value()) +
                      " as this table has seen it");
  }
  if (is_waited_for(welcome.refusal)) {
    received.waits = true;
    return connection_.on_waiting(welcome.refusal);
  }
  if (welcome.refusal != Refusal::none) {
    throw NodeFault("table " + table_.text() + " is not welcome: " + text_of(welcome.refusal),
                    does_not_take);
  }
  // A controller that the table cannot follow is not heard: it keeps no table open.
  const bool is_expected = connection_.expects_welcome();
  if (is_expected) received.resent = window_.on_welcome(welcome);
  connection_.on_accepted(now);
  if (!is_expected) return;

  if (received.resent) {
    connection_.lock();
    claims_.on_resend(last_number());
  }
  received.left_open = window_.left_open(welcome);
  received.nodes_changed = nodes_.replace(welcome.nodes, link_);
  connection_.on_welcome({welcome.suspended, welcome.stopped, welcome.frozen}, last_number(),
                         window_.last_acknowledged(), now);
}

void TableAgent::receive_one(const HeartbeatAnswer& answer, Timestamp now, Received& received) {
  if (answer.table != table_) {
    ++ignored_count_;
    return;
  }
  connection_.on_heartbeat_answer({answer.suspended, answer.stopped, answer.frozen},
                                  answer.wants_hello, now);
  received.ended = answer.ended;
  if (!claims_.accepts_report(window_.last_acknowledged())) return;
  claims_.on_report(answer.claims);
  received.hands = answer.hands;
}

void TableAgent::receive_one(const Acknowledgements& acknowledgements, Timestamp now,
                             const OnReply& on_reply, Received& received) {
  SendWindow::Replies replies = window_.match(acknowledgements);
  const Refusal refusal = replies.not_taken ? replies.not_taken->refusal : Refusal::none;
  const bool is_standby = refusal == Refusal::not_the_writer;
  if (refusal != Refusal::none && refusal != Refusal::pace_exceeded && !is_standby &&
      refusal != Refusal::message_out_of_order && !is_waited_for(refusal)) {
    throw NodeFault("table " + table_.text() + ": the controller does not take message " +
                        std::to_string(replies.not_taken->number.value()) + ": " + text_of(refusal),
                    does_not_take);
  }
  ignored_count_ += replies.ignored_count;
  if (!replies.answered.empty()) {
    window_.acknowledge(replies.answered, acknowledgements.head, on_reply);
    for (const Answered& one : replies.answered) claims_.on_awards(one.awards);
    connection_.on_acknowledged(replies.answered.size(), window_.last_acknowledged(), now);
  }
  if (is_standby) {
    received.writer = "";
  } else {
    connection_.on_heard(now);
  }
  if (replies.not_taken) connection_.on_not_taken(refusal, now);
  received.answered = std::move(replies.answered);
}

}  // namespace linkmeter
