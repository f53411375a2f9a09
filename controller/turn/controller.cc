#include "controller/turn/controller.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "controller/store/audit.h"
#include "controller/store/config_history.h"
#include "controller/store/hash_chain.h"
#include "controller/store/journal_reader.h"
#include "controller/store/journal_signature.h"
#include "controller/turn/ack_details.h"
#include "controller/turn/day_rollover.h"
#include "controller/turn/handshake.h"
#include "controller/turn/operator_reply.h"
#include "controller/turn/table_history.h"
#include "controller/turn/table_status.h"
#include "meters/rules/clock_trust.h"
#include "meters/rules/decide_operator.h"
#include "meters/rules/decide_restoration.h"
#include "meters/rules/laws.h"
#include "meters/values/invariant.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

namespace {

// Checksum of a frame that will not become an entry.
std::uint64_t checksum_of(const InboundMessage& received) {
  return frame_checksum(sha256(received.bytes));
}

// The table that this entry freezes or unfreezes: its links' signs show that.
std::optional<TableIndex> frozen_or_unfrozen(const State& state, const Entry& entry) {
  if (const auto* frozen = std::get_if<TableFrozen>(&entry.fact)) return frozen->table;
  const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  const auto* unfreeze =
      confirmed == nullptr ? nullptr : std::get_if<UnfreezeTable>(&confirmed->act);
  return unfreeze == nullptr ? std::nullopt : state.find_table(unfreeze->table);
}

// The table whose key this entry adds or removes.
std::optional<TableIndex> newly_keyed(const State& state, const Entry& entry) {
  const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  if (confirmed == nullptr) return std::nullopt;
  if (const auto* enrol = std::get_if<Enrol>(&confirmed->act)) {
    const Enrolment& enrolment = enrol->enrolment;
    if (enrolment.kind == EnrolmentKind::table) return state.find_table(TableId(enrolment.name));
  }
  const auto* revoke = std::get_if<Revoke>(&confirmed->act);
  if (revoke == nullptr || revoke->kind != EnrolmentKind::table) return std::nullopt;
  return state.find_table(TableId(revoke->name));
}

// Whether it confirms the last proposal, and that one is to leave the cluster.
bool confirms_leaving(const OperatorRequest& request, const State& state) {
  const auto* confirm = request.act ? std::get_if<Confirm>(&*request.act) : nullptr;
  if (confirm == nullptr || confirm->proposal != state.last_proposal()) return false;
  const Proposal* last = state.find_proposal(state.last_proposal());
  return last != nullptr && std::holds_alternative<LeaveCluster>(last->act);
}

// Of one of the entries that come together, or of one that the journal has.
std::optional<Digest> hash_of(EntryNumber number, const std::vector<StoredEntry>& entries,
                              const Journal& journal) {
  if (!entries.empty() && number >= entries.front().number) {
    const std::uint64_t at = number.value() - entries.front().number.value();
    return at < entries.size() ? std::optional(entries[at].hash) : std::nullopt;
  }
  const auto head = find_head(journal, number);
  return head ? std::optional(head->hash) : std::nullopt;
}

}  // namespace

Controller::Controller(Journal& journal, FloorRules rules, State state,
                       std::set<std::string> own_keys)
    : journal_(journal),
      rules_(std::move(rules)),
      state_(std::move(state)),
      own_keys_(std::move(own_keys)) {
  INVARIANT(state_.is_open());
  INVARIANT(state_.last_entry() == journal_.head().entry);
}

Controller::Turn Controller::turn(const std::vector<InboundMessage>& received, Timestamp now,
                                  const std::vector<OperatorRequest>& asked) {
  TurnBatch work(state_);
  if (is_standby()) {
    for (const InboundMessage& message : received) refuse(message, work);
    for (const OperatorRequest& request : asked) refuse(request, work);
  } else {
    for (const InboundMessage& message : received) take(message, now, work);
    for (const OperatorRequest& request : asked) {
      constexpr Refusal no = Refusal::leave_not_possible;  // this controller writes
      if (leaves_cluster(request)) {
        work.answer(request, refusal_reply(no), no);
      } else {
        take_person(request, now, work);
      }
    }
  }
  submit(work);
  // The caller keeps what follows until everything above is durable.
  work.turn.last = journal_.head().entry;
  // A standby may be behind the writer: its head is no table's witness.
  const Head head = is_standby() ? Head() : journal_.head();
  for (auto& [peer, welcome] : work.welcomes) {
    welcome.head = head;
    if (welcome.refusal == Refusal::none) {
      welcome.suspended = suspended_at(state_, welcome.table);
      welcome.stopped = stopped_at(state_, welcome.table);
      const TableIndex table = *state_.find_table(welcome.table);
      welcome.frozen = state_.session(table).frozen();
      welcome.open_rounds = open_rounds(journal_, state_, rules_, table);
      welcome.open_round_count = state_.session(table).rounds().size();
    }
    work.turn.replies.push_back(Reply{peer, frame_of(std::move(welcome))});
  }
  for (auto& [peer, acknowledgements] : work.acknowledgements) {
    acknowledgements.head = head;
    for (std::string& frame : frames_of(std::move(acknowledgements))) {
      work.turn.replies.push_back(Reply{peer, std::move(frame)});
    }
  }
  claims_.note(state_, now);
  for (auto& [peer, answer] : work.heartbeats) {
    answer.suspended = suspended_at(state_, answer.table);
    answer.stopped = stopped_at(state_, answer.table);
    const TableIndex table = state_.find_table(answer.table).value();
    answer.frozen = state_.session(table).frozen();
    answer.claims = claims_.reported(state_, table, now);
    answer.hands = hand_notices(state_, table);
    work.turn.replies.push_back(Reply{peer, frame_of(std::move(answer))});
  }
  for (const auto& [request, reply] : work.person_replies) {
    if (request->source == RequestSource::control) {
      work.turn.person_replies.push_back(Reply{request->peer, encode(reply)});
    } else {
      work.turn.socket_replies.push_back(
          {request->source, request->peer, request->question, request->badge, reply});
    }
  }
  return std::move(work.turn);
}

void Controller::append_if_accepted(const Command& command, Timestamp now, TurnBatch& work) {
  INVARIANT(!is_standby());
  const Decision decision = decide(state_, rules_, command, now);
  if (const auto* entry = std::get_if<Entry>(&decision)) append(*entry, work);
}

Controller::Turn Controller::note(const Command& command, Timestamp now) {
  TurnBatch work(state_);
  append_if_accepted(command, now, work);
  commit(work);
  return std::move(work.turn);
}

Controller::Turn Controller::suspend(const std::vector<SelfSuspension>& suspensions,
                                     Timestamp now) {
  INVARIANT(!is_standby());
  TurnBatch work(state_);
  for (const SelfSuspension& suspension : suspensions) append_if_accepted(suspension, now, work);
  commit(work);
  return std::move(work.turn);
}

Controller::Turn Controller::recover(LinkIndex link, const std::string& why, Timestamp now,
                                     const std::function<void()>& alive) {
  INVARIANT(!is_standby());
  AuditReport report = audit(journal_, [&alive](std::uint64_t) { alive(); });
  if (!report.state) throw Fault(why + ", and the journal cannot resolve it: " + text(report));
  state_ = std::move(*report.state);
  TurnBatch work(state_);
  for (std::uint32_t at = 0; at < state_.floor().links.size(); ++at) {
    work.turn.changed.insert(LinkIndex(at));  // whatever part of it was shown
  }
  append_if_accepted(SelfSuspension{link, why, /*is_always_shown=*/true}, now, work);
  state_.forget_changes();
  journal_.commit(work.entries, rows_to_mend(journal_.rows(), rows_of(state_)));
  return std::move(work.turn);
}

Controller::Turn Controller::store(const std::vector<SlipCopy>& copies, Timestamp now) {
  INVARIANT(!is_standby());
  TurnBatch work(state_);
  for (const SlipCopy& copy : copies) append_if_accepted(copy, now, work);
  commit(work);
  return std::move(work.turn);
}

std::vector<GamingDay> Controller::end_days(const Calendar& calendar, const ShownAmounts& shown,
                                            Timestamp now) {
  INVARIANT(!is_standby());
  constexpr std::size_t days_per_commit_max = 64;
  std::vector<GamingDay> ended;
  TurnBatch work(state_);
  while (std::optional<DayEnd> end = day_over(state_, calendar, now)) {
    end->shown = shown;
    ended.push_back(end->day);
    append(std::get<Entry>(decide(state_, rules_, std::move(*end), now)), work);
    if (work.entries.size() >= days_per_commit_max) {
      commit(work);
      work = TurnBatch(state_);
    }
  }
  commit(work);
  return ended;
}

Timestamp Controller::day_ends_at(const Calendar& calendar) {
  return running_day(state_, calendar).ends_at;
}

void Controller::record_clock_change(std::chrono::microseconds by, Timestamp now) {
  TurnBatch work(state_);
  append(next_entry(state_, ClockChanged{by.count()}, now), work);
  commit(work);
}

Controller::Turn Controller::record_check(const std::vector<SelfChecked::Failure>& failures,
                                          const Digest& manifest, const std::string& version,
                                          Timestamp now, bool clock_synchronised, bool quick) {
  TurnBatch work(state_);
  const Head head = journal_.head();
  SelfChecked fact{failures, manifest, head.entry, head.hash, quick, version, clock_synchronised};
  append(next_entry(state_, std::move(fact), now), work);
  if (!failures.empty())
    suspend_all(failures.front().check + " wrong: " + failures.front().words, now, work,
                /*is_always_shown=*/true);
  commit(work);
  return std::move(work.turn);
}

Refusal Controller::record_writer(const WriterChange& change, Timestamp now) {
  INVARIANT(!is_standby());
  const Decision decision = decide(state_, rules_, change, now);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) return *refusal;
  TurnBatch work(state_);
  append(std::get<Entry>(decision), work);
  commit(work);
  return Refusal::none;
}

void Controller::record_signature(const HeadSigned& signing, Timestamp now) {
  INVARIANT(!is_standby());
  if (signing.key == sha256(state_.keys().of(KeyKind::journal))) note(signing, now);
}

void Controller::take(const InboundMessage& received, Timestamp now, TurnBatch& work) {
  std::optional<FromTable> from = decode_from_table(received.bytes);
  if (!from) {
    acknowledge(received, TableId(), {{}, {}, Refusal::message_malformed, checksum_of(received)},
                work);
    return;
  }
  if (const auto* hello = std::get_if<Hello>(&*from)) {
    take_hello(received, *hello, now, work);
    return;
  }
  if (const auto* heartbeat = std::get_if<Heartbeat>(&*from)) {
    take_heartbeat(received, *heartbeat, now, work);
    return;
  }
  if (auto* const message = std::get_if<TableMessage>(&*from)) {
    take_message(received, std::move(*message), now, work);
    return;
  }
  // A login whose PIN was not verified is invalid.
  const Refusal refusal =
      state_.table_of(received.key) ? Refusal::message_malformed : Refusal::key_unknown;
  acknowledge(received, TableId(), {{}, {}, refusal, checksum_of(received)}, work);
}

bool Controller::is_second_agent(const InboundMessage& received, const Hello& hello) const {
  if (authorize_sender(state_, received.key, hello.table) != Refusal::none) return false;
  const TableIndex table = *state_.find_table(hello.table);
  const bool has_spoken = state_.session(table).last_number() > MessageNumber();
  return !agents_.may_be_served(table, hello, has_spoken);
}

void Controller::take_hello(const InboundMessage& received, const Hello& hello, Timestamp now,
                            TurnBatch& work) {
  // Check this first: the configuration or history of a second agent must not be held against the
  // first.
  if (is_second_agent(received, hello)) {
    constexpr Refusal no = Refusal::another_agent;
    if (agents_.refuse_agent(*state_.find_table(hello.table), hello.agent, received.peer)) {
      work.turn.refused.push_back(Refused{source(received.key), hello.table, {}, no});
    }
    Welcome answer{hello.table, {}, {}, no};
    answer.question = hello.question;
    answer.nodes = named_nodes();
    work.welcomes.emplace_back(received.peer, std::move(answer));
    return;
  }
  Welcome answer = welcome_of(state_, rules_, received.key, hello);
  if (answer.refusal == Refusal::none) {
    const TableHistory history = table_history(journal_, state_, hello);
    const TableIndex table = *state_.find_table(hello.table);
    if (history.differs) {
      answer.refusal = Refusal::history_differs;
      suspend_for_history(table, *history.differs, now, work);
    } else {
      disputing_tables_.erase(table);
    }
    answer.history = history.restored;
    answer.again_after = history.again_after;
  }
  if (answer.refusal == Refusal::configuration_differs) {
    welcomed_.erase(hello.table);
    misconfigured_tables_.insert(hello.table);
  }
  if (answer.refusal == Refusal::none) {
    const TableIndex table = *state_.find_table(hello.table);
    misconfigured_tables_.erase(hello.table);
    welcomed_.insert(hello.table);
    agents_.serve(table, hello.agent, received.peer);
    work.turn.heard.insert(table);
  }
  welcome(received, std::move(answer), work);
}

// A sender that may send a Hello may send a Heartbeat.
void Controller::take_heartbeat(const InboundMessage& received, const Heartbeat& heartbeat,
                                Timestamp now, TurnBatch& work) {
  const Refusal refusal = authorize_sender(state_, received.key, heartbeat.table);
  if (refusal != Refusal::none) {
    acknowledge(received, heartbeat.table, {{}, {}, refusal, checksum_of(received)}, work);
    return;
  }
  const TableIndex table = *state_.find_table(heartbeat.table);
  record_sender(received, table, now, work);
  if (agents_.is_refused_agent(table, received.peer)) {
    constexpr Refusal no_second = Refusal::another_agent;
    acknowledge(received, heartbeat.table, {{}, {}, no_second, checksum_of(received)}, work);
    return;
  }
  if (heartbeat.leaves) agents_.note_leaving(table, received.peer);
  const bool is_welcome = welcomed_.contains(heartbeat.table);
  if (is_welcome) {
    work.turn.heard.insert(table);
    work.turn.outboxes[table] = heartbeat.unacknowledged;
    work.turn.calls_floor[table] = heartbeat.calls_floor;
    if (const auto counts = counters_.take(state_, journal_, table, heartbeat.counts)) {
      const Decision decision = decide(state_, rules_, *counts, now);
      if (const auto* entry = std::get_if<Entry>(&decision)) {
        append(*entry, work);
        counters_.note_entered(table);
      }
      // The day's report will show that the table has not reported: this is why.
      if (const auto* no = std::get_if<Refusal>(&decision)) {
        work.turn.refused.push_back(Refused{source(received.key), heartbeat.table, {}, *no});
      }
    }
  }
  work.heartbeats[received.peer] = HeartbeatAnswer{heartbeat.table, {}, !is_welcome, {}};
  work.heartbeats[received.peer].ended =
      ended_logins(unmarked_people_.marked(table, heartbeat.people, state_), state_, now);
}

void Controller::take_message(const InboundMessage& received, TableMessage sent, Timestamp now,
                              TurnBatch& work) {
  Command command(std::move(sent));
  auto& message = std::get<TableMessage>(command);
  const MessageNumber number = message.number;
  message.digest = sha256(received.bytes);
  const std::uint64_t frame = frame_checksum(message.digest);
  Refusal no = authorize_sender(state_, received.key, message.table);
  if (no == Refusal::none && misconfigured_tables_.contains(message.table)) {
    no = Refusal::configuration_differs;
  }
  // In a restored journal, a table's messages are rejected until its history was compared.
  if (no == Refusal::none && !state_.restorations().empty() && !welcomed_.contains(message.table)) {
    no = Refusal::message_out_of_order;
  }
  if (no != Refusal::none) {
    acknowledge(received, message.table, {number, {}, no, frame}, work);
    return;
  }
  const TableIndex table = *state_.find_table(message.table);
  record_sender(received, table, now, work);
  if (agents_.is_refused_agent(table, received.peer)) {
    acknowledge(received, message.table, {number, {}, Refusal::another_agent, frame}, work);
    return;
  }
  work.turn.heard.insert(table);
  const Decision decision = decide(state_, rules_, command, now);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) {
    acknowledge(received, message.table, {number, {}, *refusal, frame}, work);
    return;
  }
  if (const auto* known = std::get_if<Answer>(&decision)) {
    Acknowledgement again{number, known->entry, known->refusal, frame};
    std::vector<Acknowledgement>& list = work.acknowledgements[received.peer].list;
    const auto first = std::find_if(list.begin(), list.end(), [&again](const Acknowledgement& one) {
      return one.number == again.number && one.entry == again.entry;
    });
    if (first != list.end()) {  // of this turn, not journaled yet
      again = *first;
    } else {
      add_repeat_details(message, journal_, state_.floor(), again);
    }
    list.push_back(std::move(again));
    return;
  }
  const Entry& entry = std::get<Entry>(decision);
  append(entry, work);
  if (const auto* differed = std::get_if<CountMismatched>(&entry.fact)) {
    work.turn.miscounted.push_back(
        {message.table, differed->round, differed->chips, differed->chips_expected});
  }
  Acknowledgement answer{number, entry.number, answer_of(entry).refusal, frame};
  add_details(entry, state_.floor(), answer);
  acknowledge(received, message.table, std::move(answer), work);
}

// Append the login first, then the command: two entries, one commit.
void Controller::take_person(const OperatorRequest& request, Timestamp now, TurnBatch& work) {
  if (!request.act && !request.signs_in) {
    work.answer(request, refusal_reply(Refusal::message_malformed), Refusal::message_malformed);
    return;
  }
  if (!request.unchecked.empty()) {
    return work.answer(request, refusal_reply(Refusal::too_many_requests),
                       Refusal::too_many_requests);
  }
  if (request.act && std::holds_alternative<Recover>(*request.act)) {
    return take_recovery(request, now, work);
  }
  if (const auto no = refuse_without_entry(state_, request, now)) {
    return work.answer(request, refusal_reply(no->refusal_sent), no->logged);
  }
  const bool is_at_control = request.source == RequestSource::control;
  const Decision signing_in =
      decide(state_, rules_, SignIn{request.badge, request.is_good, is_at_control}, now);
  if (const auto* refusal = std::get_if<Refusal>(&signing_in)) {
    // The reply must not reveal which badges exist.
    work.answer(request, refusal_reply(Refusal::pin_wrong), *refusal);
    return;
  }
  const Entry& signed_in = std::get<Entry>(signing_in);
  append(signed_in, work);
  ControlReply reply = reply_to(signed_in, state_.floor());
  if (reply.refusal == Refusal::none && request.act) {
    Command command(PersonMessage{request.badge, *request.act, names_own_key(*request.act)});
    auto& message = std::get<PersonMessage>(command);
    message.new_pin = request.new_pin;
    message.is_witnessed = take_witness_pin(request, now, work);
    if (day_data_source_) day_data_source_(state_, message);
    if (key_maker_) key_maker_(state_, message);
    std::optional<FloorFile> proposed;
    Decision acting = decide(state_, rules_, command, now);
    // A proposed floor file is parsed only for people who may propose it.
    if (wants_resolved(acting)) {
      proposed = resolve_parameters(message.act, state_);
      if (proposed) {
        message.proposed = &proposed->rules;
        acting = decide(state_, rules_, command, now);
      }
    }
    const Entry& acted = std::get<Entry>(acting);  // after a valid login
    append(acted, work);
    reply = reply_to(acted, state_.floor());
    add_unknown_name(message.act, state_.floor(), reply);
    // Takes effect with this entry: the next message is decided by it.
    if (changes_parameters(acted)) {
      rules_ = std::move(proposed->rules);
      welcomed_.clear();  // every table must send a Hello with its configuration
    }
  }
  work.answer(request, reply, reply.refusal);
}

// Recovery codes authorize, not a PIN; only the owner of the data folder reaches the control
// socket.
void Controller::take_recovery(const OperatorRequest& request, Timestamp now, TurnBatch& work) {
  if (request.source != RequestSource::control) {
    return work.answer(request, refusal_reply(Refusal::not_here), Refusal::not_here);
  }
  const Recover& recover = std::get<Recover>(*request.act);
  const Decision decision = decide(
      state_, rules_, RecoveryTry{request.badge, recover.pin, recover.codes, request.new_pin}, now);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) {
    return work.answer(request, refusal_reply(*refusal), *refusal);
  }
  const Entry& entry = std::get<Entry>(decision);
  append(entry, work);
  const ControlReply reply = reply_to(entry, state_.floor());
  if (reply.refusal == Refusal::none) {
    suspend_all("recovery codes were used for " + request.badge.text(), now, work,
                /*is_always_shown=*/true);
  }
  work.answer(request, reply, reply.refusal);
}

// A wrong PIN counts against the witness as any other wrong PIN for that badge: only from a trusted
// origin of the witness.
bool Controller::take_witness_pin(const OperatorRequest& request, Timestamp now, TurnBatch& work) {
  if (!request.is_witness_good) return false;  // no PIN was verified
  if (!*request.is_witness_good && !request.witness_counts) return false;
  append_if_accepted(SignIn{*second_pin_of(*request.act), *request.is_witness_good}, now, work);
  return *request.is_witness_good;
}

bool Controller::names_own_key(const OperatorCommand& act) const {
  const Enrolment* enrolment = proposed_enrolment(state_, act);
  // A node's key is its controller's own key.
  return enrolment != nullptr && enrolment->kind != EnrolmentKind::node &&
         own_keys_.contains(enrolment->key);
}

void Controller::welcome(const InboundMessage& received, Welcome answer, TurnBatch& work) const {
  if (answer.refusal != Refusal::none) {
    work.turn.refused.push_back(Refused{source(received.key), answer.table, {}, answer.refusal});
  }
  // Only tables of the house need to know its nodes.
  if (state_.table_of(received.key)) answer.nodes = named_nodes();
  work.welcomes.emplace_back(received.peer, std::move(answer));
}

std::vector<NodeAddress> Controller::named_nodes() const {
  if (!nodes_.empty()) return nodes_;
  std::vector<NodeAddress> nodes;
  bool is_own = false;
  const auto& enrolled = state_.enrolments().all();  // nodes are the last kind
  for (auto one = enrolled.lower_bound({EnrolmentKind::node, ""}); one != enrolled.end(); ++one) {
    nodes.push_back({one->second.name, one->second.key, ""});
    is_own = is_own || own_keys_.contains(one->second.key);
  }
  return is_own ? nodes : std::vector<NodeAddress>();
}

void Controller::acknowledge(const InboundMessage& received, const TableId& table,
                             Acknowledgement answer, TurnBatch& work) const {
  if (answer.refusal != Refusal::none) {
    work.turn.refused.push_back(
        Refused{source(received.key), table, answer.number, answer.refusal});
  }
  work.acknowledgements[received.peer].list.push_back(std::move(answer));
}

std::string Controller::source(const std::string& key) const {
  const Enrolment* enrolment = state_.enrolments().find_key(key);
  return enrolment != nullptr ? enrolment->name : "key " + key;
}

void Controller::append(const Entry& entry, TurnBatch& work) {
  INVARIANT(!is_standby());
  INVARIANT(!law_violation(entry));
  apply(entry, work);
  work.entries.push_back(encode(entry));
}

void Controller::apply(const Entry& entry, TurnBatch& work) {
  state_.apply(entry);
  const auto* suspended = std::get_if<LinkSuspended>(&entry.fact);
  if (suspended != nullptr && suspended->by.empty()) {
    work.turn.suspended.push_back(suspended->link);
  }
  // Messages with the table's previous key are not held against the holder of the new one.
  if (const auto table = newly_keyed(state_, entry)) disputing_tables_.erase(*table);
  if (const auto table = frozen_or_unfrozen(state_, entry)) {
    for (const auto& part : state_.parts_of(*table)) work.turn.changed.insert(part.link);
  }
  const auto* frozen = std::get_if<TableFrozen>(&entry.fact);
  if (frozen != nullptr && frozen->by.empty()) work.turn.frozen.push_back(frozen->table);
}

void Controller::commit(TurnBatch& work) {
  if (work.entries.empty()) return;
  submit(work);
  journal_.settle();
}

void Controller::submit(TurnBatch& work) {
  if (work.entries.empty()) return;
  const Changes& changes = state_.changes();
  for (const LinkIndex link : changes.links) INVARIANT(!law_violation(state_, link));
  journal_.submit(work.entries, rows_for(state_, changes));
  INVARIANT(journal_.head().entry == state_.last_entry());
  work.turn.changed.insert(changes.links.begin(), changes.links.end());
  // A claim's step shows on its link's sign, whether or not money moved.
  for (const ClaimNumber claim : changes.claims) {
    work.turn.changed.insert(state_.find_claim(claim)->link);
  }
  work.turn.enrolments_changed = !changes.enrolments.empty();
  for (const auto& [kind, name] : changes.enrolments) {
    if (kind == EnrolmentKind::node) welcomed_.clear();
  }
  state_.forget_changes();
  for (std::uint64_t claim = work.claims_before + 1; claim <= state_.claims().size(); ++claim) {
    work.turn.raised.emplace_back(claim);
  }
  for (std::uint64_t slip = work.slips_before + 1; slip <= state_.slips().size(); ++slip) {
    work.turn.issued.emplace_back(slip);
  }
}

// ---- a standby ----------------------------------------------------------------------------------

void Controller::set_nodes(std::vector<NodeAddress> nodes) {
  INVARIANT(nodes.size() <= limits::nodes_max);
  const bool are_same = std::equal(nodes.begin(), nodes.end(), nodes_.begin(), nodes_.end(),
                                   [](const NodeAddress& one, const NodeAddress& other) {
                                     return one.name == other.name && one.key == other.key;
                                   });
  // Every table must send a Hello, so that its Welcome names them. A node that comes and goes
  // changes only its endpoint, and must not keep the tables busy.
  if (!are_same) welcomed_.clear();
  nodes_ = std::move(nodes);
}

// A table waits for the acceptance of a restored history at the writer.
Refusal Controller::standby_refusal(const std::string& key, const TableId& table) const {
  const Refusal no = authorize_sender(state_, key, table);
  const bool is_authorized = no == Refusal::none || no == Refusal::history_not_accepted;
  return is_authorized ? Refusal::not_the_writer : no;
}

void Controller::refuse(const InboundMessage& received, TurnBatch& work) {
  const std::optional<FromTable> from = decode_from_table(received.bytes);
  const std::uint64_t frame = checksum_of(received);
  if (!from) {
    return acknowledge(received, TableId(), {{}, {}, Refusal::message_malformed, frame}, work);
  }
  if (const auto* hello = std::get_if<Hello>(&*from)) {
    Welcome answer{hello->table, {}, {}, standby_refusal(received.key, hello->table)};
    answer.question = hello->question;
    if (answer.refusal == Refusal::not_the_writer) answer.writer = *standby_;
    return welcome(received, std::move(answer), work);
  }
  if (const auto* heartbeat = std::get_if<Heartbeat>(&*from)) {
    const Refusal no = standby_refusal(received.key, heartbeat->table);
    return acknowledge(received, heartbeat->table, {{}, {}, no, frame}, work);
  }
  if (const auto* message = std::get_if<TableMessage>(&*from)) {
    const Refusal no = standby_refusal(received.key, message->table);
    return acknowledge(received, message->table, {message->number, {}, no, frame}, work);
  }
  const Refusal no = state_.table_of(received.key) ? Refusal::not_the_writer : Refusal::key_unknown;
  acknowledge(received, TableId(), {{}, {}, no, frame}, work);
}

void Controller::refuse(const OperatorRequest& request, TurnBatch& work) const {
  constexpr Refusal no = Refusal::not_the_writer;
  ControlReply reply = refusal_reply(no);
  const std::string& writer = request.source == RequestSource::web ? writer_pages_ : *standby_;
  if (!writer.empty()) reply.text += ": " + writer;
  work.answer(request, reply, no);
}

Controller::Leaving Controller::leave_cluster(const std::vector<TimedRequest>& asked) {
  INVARIANT(is_standby() && !asked.empty());
  const State before = state_;
  auto standby = std::exchange(standby_, std::nullopt);
  TurnBatch work(state_);
  for (const TimedRequest& one : asked) {
    // Any other act would change more than the state, which alone is put back below.
    if (leaves_cluster(one.request) || confirms_leaving(one.request, state_)) {
      take_person(one.request, one.at, work);
    } else {
      constexpr Refusal no = Refusal::not_the_writer;
      work.answer(one.request, refusal_reply(no), no);
    }
  }
  Leaving leaving{{}, work.person_replies.back().second, false};
  const auto& writer = state_.writer();
  leaving.has_left = writer && writer->reason == WriterReason::left && before.writer() != writer;
  if (leaving.has_left) {
    commit(work);
    leaving.turn = std::move(work.turn);
  } else {
    state_ = before;
    standby_ = std::move(standby);
  }
  return leaving;
}

Controller::Turn Controller::follow(const std::vector<StoredEntry>& entries) {
  INVARIANT(is_standby());
  TurnBatch work(state_);
  HashChain chain(journal_.head());
  for (const StoredEntry& stored : entries) {
    const Head before = chain.last();
    if (const auto bad = chain.add(stored)) throw Fault(text(*bad));
    apply_followed(stored, entries, before, work);
  }
  for (const LinkIndex link : state_.changes().links) {
    if (const auto broken = law_violation(state_, link)) {
      throw Fault(text(BadEntry{state_.last_entry(), *broken}));
    }
  }
  commit(work);
  INVARIANT(journal_.head() == chain.last());
  return std::move(work.turn);
}

// The bytes are kept as they came: another release may encode the entry otherwise.
void Controller::apply_followed(const StoredEntry& stored, const std::vector<StoredEntry>& entries,
                                const Head& before, TurnBatch& work) {
  const auto fail = [&stored](std::string why) {
    throw Fault(text(BadEntry{stored.number, std::move(why)}));
  };
  const std::optional<Entry> entry = decode_entry(stored.bytes);
  if (!entry) return fail(why_unreadable(stored.bytes));
  if (entry->number != stored.number) return fail("its bytes have another number");
  if (auto no = entry_violation(state_, before, *entry)) return fail(std::move(*no));
  if (auto no = signature_violation(state_, *entry)) return fail(std::move(*no));
  const auto* signing = std::get_if<HeadSigned>(&entry->fact);
  if (signing != nullptr && hash_of(signing->head, entries, journal_) != signing->hash) {
    return fail("it signs another journal");
  }
  if (changes_parameters(*entry)) {
    OperatorCommand confirmed = Confirm{std::get<ActConfirmed>(entry->fact).proposal, ""};
    std::optional<FloorFile> in_force = resolve_parameters(confirmed, state_);
    if (!in_force) return fail("this release cannot resolve its parameters");
    rules_ = std::move(in_force->rules);
  }
  apply(*entry, work);
  work.entries.push_back(stored.bytes);
}

void Controller::suspend_for_history(TableIndex table, const std::string& why, Timestamp now,
                                     TurnBatch& work) {
  disputing_tables_.insert(table);
  if (disputing_tables_.size() > 1) {
    suspend_all(why, now, work);
    return;
  }
  for (const LinkIndex link : state_.floor().links_of(table)) {
    append_if_accepted(SelfSuspension{link, why}, now, work);
  }
}

void Controller::record_sender(const InboundMessage& received, TableIndex table, Timestamp now,
                               TurnBatch& work) {
  if (!shared_keys_.note(table, received.peer, now)) return;
  append_if_accepted(SelfFreeze{table, "two agents speak with this table's key"}, now, work);
}

void Controller::suspend_all(const std::string& reason, Timestamp now, TurnBatch& work,
                             bool is_always_shown) {
  for (std::uint32_t at = 0; at < state_.floor().links.size(); ++at) {
    append_if_accepted(SelfSuspension{LinkIndex(at), reason, is_always_shown}, now, work);
  }
}

const Enrolment* proposed_enrolment(const State& state, const OperatorCommand& act) {
  const DualControlCommand* dual = nullptr;
  if (const auto* propose = std::get_if<Propose>(&act)) {
    dual = &propose->act;
  } else if (const auto* confirm = std::get_if<Confirm>(&act)) {
    const Proposal* proposal = state.find_proposal(confirm->proposal);
    if (proposal != nullptr) dual = &proposal->act;
  }
  const auto* enrol = dual == nullptr ? nullptr : std::get_if<Enrol>(dual);
  return enrol == nullptr ? nullptr : &enrol->enrolment;
}

std::optional<RefusedWithoutEntry> refuse_without_entry(const State& state,
                                                        const OperatorRequest& request,
                                                        Timestamp now) {
  if (request.source == RequestSource::control) return std::nullopt;
  const Person* person = state.find_person(request.badge);
  const Refusal refusal = request.counts ? Refusal::person_locked : Refusal::pin_wrong;
  if (person != nullptr && !person->removed && person->is_locked(now)) {
    return RefusedWithoutEntry{refusal, Refusal::person_locked};
  }
  if (request.counts || request.is_good) return std::nullopt;
  return RefusedWithoutEntry{Refusal::pin_wrong, Refusal::pin_wrong};
}

}  // namespace linkmeter
