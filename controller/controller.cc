#include "controller/controller.h"

#include <map>
#include <utility>
#include <variant>

#include "controller/audit.h"
#include "controller/configuration_text.h"
#include "controller/panel_sign_ins.h"
#include "controller/person_reply.h"
#include "controller/seal.h"
#include "controller/table_hands.h"
#include "controller/told.h"
#include "controller/welcome.h"
#include "controller/witness.h"
#include "meters/check.h"
#include "meters/codec/control_codec.h"
#include "meters/codec/fingerprint.h"
#include "meters/codec/journal_codec.h"
#include "meters/codec/state_codec.h"
#include "meters/codec/whole_state.h"
#include "meters/codec/wire_codec.h"
#include "meters/laws.h"
#include "meters/person_decision.h"

namespace linkmeter {

// What one turn gathers before its commit.
struct Controller::Work {
  std::vector<std::string> entries;  // encoded, to be appended
  std::vector<std::pair<std::string, Welcome>> welcomes;
  std::map<std::string, HeartbeatAnswer> heartbeats;  // one answer per peer
  std::set<TableId> heard;
  std::map<std::string, Acknowledgements> acknowledgements;  // one message per peer
  std::vector<std::pair<const PersonRequest*, ControlReply>> person_replies;
  Turn turn;

  void answer(const PersonRequest& request, const ControlReply& reply, Refusal why) {
    const std::string act = request.act        ? std::string(name(*request.act))
                            : request.signs_in ? "sign_in"
                                               : "";
    person_replies.emplace_back(&request, reply);
    if (why == Refusal::none) {
      turn.acted.push_back(Acted{request.badge, act, reply.entry});
    } else {
      turn.refused.push_back(
          Refused{std::string(name(request.source)), {}, {}, why, request.badge, act});
    }
  }
};

Controller::Controller(Journal& journal, FloorRules rules, State state,
                       std::set<std::string> own_keys)
    : journal_(journal),
      rules_(std::move(rules)),
      state_(std::move(state)),
      own_keys_(std::move(own_keys)) {
  CHECK(state_.is_open());
  CHECK(state_.last_entry() == journal_.head().entry);
}

Controller::Turn Controller::turn(const std::vector<Received>& received, Timestamp now,
                                  const std::vector<PersonRequest>& asked) {
  Work work;
  const std::uint64_t claims_before = state_.claims().size();
  const std::uint64_t slips_before = state_.slips().size();
  for (const Received& message : received) take(message, now, work);
  for (const PersonRequest& request : asked) take_person(request, now, work);
  commit(work);
  // Nothing below this line runs unless everything above is on disk.
  for (std::uint64_t claim = claims_before + 1; claim <= state_.claims().size(); ++claim) {
    work.turn.raised.emplace_back(claim);
  }
  for (std::uint64_t slip = slips_before + 1; slip <= state_.slips().size(); ++slip) {
    work.turn.issued.emplace_back(slip);
  }
  for (const TableId& table : work.heard) {
    if (const auto place = state_.floor().find_table(table)) work.turn.heard.insert(*place);
  }
  const Head head = journal_.head();
  for (auto& [peer, welcome] : work.welcomes) {
    welcome.head = head;
    if (welcome.refusal == Refusal::none) welcome.suspended = suspended_at(state_, welcome.table);
    work.turn.replies.push_back(Reply{peer, encode(ToTable{welcome})});
  }
  for (auto& [peer, acknowledgements] : work.acknowledgements) {
    acknowledgements.head = head;
    for (std::string& frame : frames_of(acknowledgements)) {
      work.turn.replies.push_back(Reply{peer, std::move(frame)});
    }
  }
  claims_.note(state_, now);
  for (auto& [peer, answer] : work.heartbeats) {
    answer.suspended = suspended_at(state_, answer.table);
    const TablePlace table = state_.floor().find_table(answer.table).value();
    answer.claims = claims_.told(state_, table, now);
    answer.hands = told_hands(state_, table);
    work.turn.replies.push_back(Reply{peer, frame_of(std::move(answer))});
  }
  for (const auto& [request, reply] : work.person_replies) {
    if (request->source == RequestSource::control) {
      work.turn.person_replies.push_back(Reply{request->peer, encode(reply)});
    } else {
      work.turn.told.push_back(
          {request->source, request->peer, request->question, request->badge, reply});
    }
  }
  return std::move(work.turn);
}

Controller::Turn Controller::suspend(const std::vector<SelfSuspension>& suspensions,
                                     Timestamp now) {
  Work work;
  for (const SelfSuspension& suspension : suspensions) {
    const Decision decision = decide(state_, suspension, now);
    if (const auto* entry = std::get_if<Entry>(&decision)) enter(*entry, work);
  }
  commit(work);
  return std::move(work.turn);
}

Controller::Turn Controller::recover(LinkPlace link, const std::string& why, Timestamp now,
                                     const std::function<void()>& alive) {
  AuditReport report = audit(journal_, [&alive](std::uint64_t) { alive(); });
  if (!report.state) throw Fault(why + ", and the journal cannot tell which: " + text(report));
  state_ = std::move(*report.state);
  Work work;
  for (std::uint32_t at = 0; at < state_.floor().links.size(); ++at) {
    work.turn.changed.insert(LinkPlace(at));  // whatever of it was shown
  }
  const Decision decision = decide(state_, SelfSuspension{link, why}, now);
  if (const auto* entry = std::get_if<Entry>(&decision)) enter(*entry, work);
  static_cast<void>(state_.take_changes());
  journal_.commit(work.entries, rows_to_mend(journal_.rows(), rows_of(state_)));
  return std::move(work.turn);
}

Controller::Turn Controller::store(const std::vector<SlipCopy>& copies, Timestamp now) {
  Work work;
  for (const SlipCopy& copy : copies) {
    const Decision decision = decide(state_, copy, now);
    if (const auto* entry = std::get_if<Entry>(&decision)) enter(*entry, work);
  }
  commit(work);
  return std::move(work.turn);
}

void Controller::note_clock_change(std::chrono::microseconds by, Timestamp now) {
  Work work;
  enter(Entry{state_.last_entry().next(), now, std::nullopt, ClockChanged{by.count()}, {}}, work);
  commit(work);
}

void Controller::take(const Received& received, Timestamp now, Work& work) {
  std::optional<FromTable> from = decode_from_table(received.bytes);
  if (!from) {
    acknowledge(received, TableId(),
                {{}, {}, Refusal::message_malformed, fingerprint(received.bytes)}, work);
    return;
  }
  if (const auto* hello = std::get_if<Hello>(&*from)) {
    take_hello(received, *hello, now, work);
    return;
  }
  if (const auto* heartbeat = std::get_if<Heartbeat>(&*from)) {
    take_heartbeat(received, *heartbeat, work);
    return;
  }
  if (auto* const message = std::get_if<TableMessage>(&*from)) {
    take_message(received, std::move(*message), now, work);
    return;
  }
  // A sign-in whose PIN nobody has looked at is none.
  const Refusal refusal =
      state_.table_of(received.key) ? Refusal::message_malformed : Refusal::key_unknown;
  acknowledge(received, TableId(), {{}, {}, refusal, fingerprint(received.bytes)}, work);
}

void Controller::take_hello(const Received& received, const Hello& hello, Timestamp now,
                            Work& work) {
  Welcome answer = welcome_of(state_, rules_, received.key, hello);
  if (answer.refusal == Refusal::none) {
    if (const std::optional<std::string> why = other_history(journal_, hello)) {
      answer.refusal = Refusal::history_differs;
      suspend_all(*why, now, work);
    }
  }
  if (answer.refusal == Refusal::configuration_differs) {
    welcomed_.erase(hello.table);
    differing_.insert(hello.table);
  }
  if (answer.refusal == Refusal::none) {
    differing_.erase(hello.table);
    welcomed_.insert(hello.table);
    work.heard.insert(hello.table);
  } else {
    work.turn.refused.push_back(Refused{source(received.key), hello.table, {}, answer.refusal});
  }
  work.welcomes.emplace_back(received.peer, std::move(answer));
}

// Who may say a Hello may say a Heartbeat.
void Controller::take_heartbeat(const Received& received, const Heartbeat& heartbeat, Work& work) {
  const Refusal refusal = welcome_of(state_, rules_, received.key, Hello{heartbeat.table}).refusal;
  if (refusal != Refusal::none) {
    acknowledge(received, heartbeat.table, {{}, {}, refusal, fingerprint(received.bytes)}, work);
    return;
  }
  const bool is_welcome = welcomed_.contains(heartbeat.table);
  if (is_welcome) {
    work.heard.insert(heartbeat.table);
    if (const auto place = state_.floor().find_table(heartbeat.table)) {
      work.turn.outboxes[*place] = heartbeat.unacknowledged;
      work.turn.calls_floor[*place] = heartbeat.calls_floor;
    }
  }
  work.heartbeats[received.peer] =
      HeartbeatAnswer{heartbeat.table, {}, !is_welcome, ended_of(heartbeat.people, state_)};
}

void Controller::take_message(const Received& received, TableMessage message, Timestamp now,
                              Work& work) {
  const MessageNumber number = message.number;
  const std::uint64_t frame = fingerprint(received.bytes);
  Refusal no = welcome_of(state_, rules_, received.key, Hello{message.table}).refusal;
  if (no == Refusal::none && differing_.contains(message.table)) {
    no = Refusal::configuration_differs;
  }
  if (no != Refusal::none) {
    acknowledge(received, message.table, {number, {}, no, frame}, work);
    return;
  }
  work.heard.insert(message.table);
  message.digest = sha256(received.bytes);
  const Decision decision = decide(state_, rules_, message, now);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) {
    acknowledge(received, message.table, {number, {}, *refusal, frame}, work);
    return;
  }
  if (const auto* known = std::get_if<Answer>(&decision)) {
    Acknowledgement again{number, known->entry, known->refusal, frame};
    tell_again(message, again);
    work.acknowledgements[received.peer].list.push_back(std::move(again));
    return;
  }
  const Entry& entry = std::get<Entry>(decision);
  enter(entry, work);
  if (const auto* differed = std::get_if<CountDiffered>(&entry.fact)) {
    work.turn.miscounted.push_back(
        {message.table, differed->round, differed->chips, differed->chips_expected});
  }
  Acknowledgement answer{number, entry.number, answer_of(entry).refusal, frame};
  tell(entry, state_.floor(), answer);
  acknowledge(received, message.table, std::move(answer), work);
}

// Did decide() get as far as the floor that a person's act proposes?
bool wants_resolved(const Decision& decision) {
  const auto* entry = std::get_if<Entry>(&decision);
  const auto* refused = entry == nullptr ? nullptr : std::get_if<ActRefused>(&entry->fact);
  return refused != nullptr && refused->refusal == Refusal::floor_unresolved;
}

// Over HTTP there are strangers: what they try at a locked person, or where he is not at home, is
// no entry. What they are told, and what is logged.
struct Unentered {
  Refusal told = Refusal::none;
  Refusal logged = Refusal::none;
};
std::optional<Unentered> refuse_unentered(const State& state, const PersonRequest& request) {
  if (request.source == RequestSource::control) return std::nullopt;
  const Person* person = state.find_person(request.badge);
  const Refusal told = request.counts ? Refusal::person_locked : Refusal::pin_wrong;
  if (person != nullptr && !person->removed && person->is_locked()) {
    return Unentered{told, Refusal::person_locked};
  }
  if (request.counts || request.is_good) return std::nullopt;
  return Unentered{Refusal::pin_wrong, Refusal::pin_wrong};
}

// First who it is, then what he asks: two entries, one commit.
void Controller::take_person(const PersonRequest& request, Timestamp now, Work& work) {
  if (!request.act && !request.signs_in) {
    work.answer(request, refusal_reply(Refusal::message_malformed), Refusal::message_malformed);
    return;
  }
  if (const auto no = refuse_unentered(state_, request)) {
    return work.answer(request, refusal_reply(no->told), no->logged);
  }
  const Decision signing_in = decide(state_, SignIn{request.badge, request.is_good}, now);
  if (const auto* refusal = std::get_if<Refusal>(&signing_in)) {
    // Nobody learns from the answer which badges there are.
    work.answer(request, refusal_reply(Refusal::pin_wrong), *refusal);
    return;
  }
  const Entry& signed_in = std::get<Entry>(signing_in);
  enter(signed_in, work);
  ControlReply reply = reply_to(signed_in, state_.floor());
  if (reply.refusal == Refusal::none && request.act) {
    PersonMessage message{request.badge, *request.act, names_own_key(*request.act)};
    std::optional<FloorFile> proposed;
    Decision acting = decide(state_, rules_, message, now);
    // A floor file that somebody proposes is read only for who may propose it.
    if (wants_resolved(acting)) {
      proposed = resolve_parameters(message.act, state_);
      if (proposed) acting = decide(state_, rules_, message, now, &proposed->rules);
    }
    const Entry& acted = std::get<Entry>(acting);  // who signed in is no stranger
    enter(acted, work);
    reply = reply_to(acted, state_.floor());
    // What takes effect with this entry: the next message is decided by it.
    if (changes_parameters(acted)) {
      rules_ = std::move(proposed->rules);
      welcomed_.clear();  // every table is asked for a Hello, and what it was started with
    }
  }
  work.answer(request, reply, reply.refusal);
}

bool Controller::names_own_key(const Act& act) const {
  const DualAct* dual = nullptr;
  if (const auto* propose = std::get_if<Propose>(&act)) {
    dual = &propose->act;
  } else if (const auto* confirm = std::get_if<Confirm>(&act)) {
    const Proposal* proposal = state_.find_proposal(confirm->proposal);
    if (proposal != nullptr) dual = &proposal->act;
  }
  const auto* enrol = dual == nullptr ? nullptr : std::get_if<Enrol>(dual);
  return enrol != nullptr && own_keys_.contains(enrol->enrolment.key);
}

void Controller::acknowledge(const Received& received, const TableId& table, Acknowledgement answer,
                             Work& work) const {
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

void Controller::enter(const Entry& entry, Work& work) {
  CHECK(!broken_law(entry));
  state_.apply(entry);
  const auto* suspended = std::get_if<LinkSuspended>(&entry.fact);
  if (suspended != nullptr && suspended->by.empty()) {
    work.turn.suspended.push_back(suspended->link);
  }
  work.entries.push_back(encode(entry));
}

void Controller::tell_again(const TableMessage& repeat, Acknowledgement& again) const {
  if (const auto* lock = std::get_if<LockRound>(&repeat.command)) {
    // A wrong count is told while the round is blocked.
    const std::optional<TablePlace> table = state_.floor().find_table(repeat.table);
    const Round* round = table ? state_.desk(*table).find_round(lock->round) : nullptr;
    if (round == nullptr || !round->blocked) return;
  } else if (!std::holds_alternative<ShowHands>(repeat.command) &&
             !std::holds_alternative<PlayPot>(repeat.command)) {
    return;
  }
  journal_.read(again.entry, [this, &again](const StoredEntry& stored) {
    // One that this turn has only just entered is told of when it is asked for the next time.
    const std::optional<Entry> entry = decode_entry(stored.bytes);
    if (entry && entry->number == again.entry) tell(*entry, state_.floor(), again);
    return false;
  });
}

void Controller::commit(Work& work) {
  if (work.entries.empty()) return;
  const Changes changes = state_.take_changes();
  for (const LinkPlace link : changes.links) CHECK(!broken_law(state_, link));
  journal_.commit(work.entries, rows_for(state_, changes));
  CHECK(journal_.head().entry == state_.last_entry());
  work.turn.changed = changes.links;
  // A claim's step is seen on its link's sign, whether or not money moved.
  for (const ClaimNumber claim : changes.claims) {
    work.turn.changed.insert(state_.find_claim(claim)->link);
  }
  work.turn.enrolments_changed = !changes.enrolments.empty();
}

void Controller::suspend_all(const std::string& reason, Timestamp now, Work& work) {
  for (std::uint32_t link = 0; link < state_.floor().links.size(); ++link) {
    const Decision decision = decide(state_, SelfSuspension{LinkPlace(link), reason}, now);
    if (const auto* entry = std::get_if<Entry>(&decision)) enter(*entry, work);
  }
}

}  // namespace linkmeter
