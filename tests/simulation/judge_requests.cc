// SimulationJudge: people's requests, and their answers.

#include "config/reader/floor_file.h"
#include "controller/store/config_history.h"
#include "meters/rules/decide_operator.h"
#include "proto/codec/operator_codec.h"
#include "tests/property/judge.h"
#include "tests/simulation/simulation_judge.h"

namespace linkmeter {

namespace {

std::string asked_text(const PersonRequest& asked) {
  return asked.badge.text() + "'s " + (asked.act ? std::string(name(*asked.act)) : "sign-in");
}

bool is_change(const Verdict& verdict) {
  return verdict.fact == "act_confirmed" && std::holds_alternative<ChangeParameters>(*verdict.dual);
}

// Tables must hear which nodes the house has.
bool changes_nodes(const DualControlCommand& act) {
  const auto* enrol = std::get_if<Enrol>(&act);
  const auto* revoke = std::get_if<Revoke>(&act);
  return (enrol != nullptr && enrol->enrolment.kind == EnrolmentKind::node) ||
         (revoke != nullptr && revoke->kind == EnrolmentKind::node);
}

}  // namespace

// A request of an unknown person, or of a locked one from an untrusted origin, makes no entry.
bool SimulationJudge::is_refused_agent(AskedNow& now) {
  const auto found = model_.people().find(now.asked.badge.text());
  const bool is_somebody = found != model_.people().end() && !found->second.removed;
  if (is_somebody && now.asked.source != RequestSource::control && found->second.was_locked()) {
    now.reply.refusal = Refusal::person_locked;
    return true;
  }
  now.reply.refusal = is_somebody ? Refusal::none : Refusal::pin_wrong;
  return !is_somebody;
}

void SimulationJudge::turn_strangers_away() {
  while (asked_done_ < asked_.size()) {
    AskedNow& now = asked_[asked_done_];
    if (now.is_in || !is_refused_agent(now)) return;
    now.is_done = true;
    ++asked_done_;
  }
}

Finding SimulationJudge::take_from_person(const Entry& entry) {
  turn_strangers_away();
  if (asked_done_ == asked_.size()) return "model: an entry that nobody asked for";
  AskedNow& now = asked_[asked_done_];
  if (now.is_in && awaits_witness(now)) return take_witness(now, entry);
  if (now.is_in) return take_act(now, entry);
  const bool is_at_control = now.asked.source == RequestSource::control;
  const Verdict verdict =
      model_.on_reply(SignIn{now.asked.badge, now.asked.is_good, is_at_control}, entry.recorded_at);
  if (Finding no = difference(verdict, entry)) {
    return "model: " + asked_text(now.asked) + ": " + *no;
  }
  const bool is_wrong = verdict.fact == "sign_in_failed";
  now.reply.refusal = is_wrong ? Refusal::pin_wrong : verdict.refusal;
  now.reply.entry = entry.number;
  ++acts_[verdict.fact];
  now.is_in = verdict.fact == "signed_in" && now.asked.act.has_value();
  now.is_done = !now.is_in;
  asked_done_ += now.is_done ? 1 : 0;
  return std::nullopt;
}

// An unknown witness makes no entry.
bool SimulationJudge::awaits_witness(const AskedNow& now) const {
  const Badge* witness = now.asked.witness();
  if (witness == nullptr || now.is_witness_in) return false;
  const auto found = model_.people().find(witness->text());
  return found != model_.people().end() && !found->second.removed;
}

Finding SimulationJudge::take_witness(AskedNow& now, const Entry& entry) {
  now.is_witness_in = true;
  const Verdict verdict = model_.on_reply(SignIn{*now.asked.witness(), true}, entry.recorded_at);
  if (Finding no = difference(verdict, entry)) {
    return "model: the witness of " + asked_text(now.asked) + ": " + *no;
  }
  ++acts_[verdict.fact];
  return std::nullopt;
}

Finding SimulationJudge::take_act(AskedNow& now, const Entry& entry) {
  PersonMessage message{now.asked.badge, *now.asked.act};
  message.is_witnessed = now.asked.witness() != nullptr;
  message.finding = now.asked.finding;
  message.shown = now.asked.shown ? &*now.asked.shown : nullptr;
  const auto file = resolve_parameters(message.act, replayed_);
  const Verdict verdict = model_.on_reply(message, entry.recorded_at, file.has_value());
  if (Finding no = difference(verdict, entry)) {
    return "model: " + asked_text(now.asked) + ": " + *no;
  }
  now.reply.refusal = verdict.refusal;
  now.reply.entry = entry.number;
  if (verdict.fact == "act_proposed" || verdict.fact == "act_confirmed") {
    now.reply.proposal = ProposalNumber(verdict.proposal);
  }
  now.is_done = true;
  ++asked_done_;
  ++acts_[verdict.fact];
  if (verdict.fact == "act_confirmed") note_keys();
  if (const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact)) {
    const auto* clock = std::get_if<ConfirmClock>(&confirmed->act);
    if (clock != nullptr) clock_.confirm(clock->by_us);
    if (changes_nodes(confirmed->act)) welcomed_.clear();
  }
  if (is_change(verdict)) {
    welcomed_.clear();
    calendar_.reset();  // from now on days may begin at another hour
  }
  return std::nullopt;
}

Finding SimulationJudge::check_people(const Controller::Turn& turn) const {
  std::map<std::string, std::vector<ControlReply>> replies;  // by peer
  for (const Reply& reply : turn.person_replies) {
    const auto decoded = decode_control_reply(reply.bytes);
    if (!decoded) return "is none to a person";
    replies[reply.peer].push_back(*decoded);
  }
  for (const Controller::SocketReply& told : turn.socket_replies)
    replies[told.peer].push_back(told.reply);
  if (replies.size() != asked_.size()) return "others are answered than have asked";
  for (const AskedNow& now : asked_) {
    const std::vector<ControlReply>& found = replies[now.asked.peer];
    if (found.size() != 1) return asked_text(now.asked) + " is not answered once";
    const ControlReply& reply = found.front();
    if (reply.refusal == now.reply.refusal && reply.entry == now.reply.entry &&
        reply.proposal == now.reply.proposal) {
      continue;
    }
    return asked_text(now.asked) + " is answered " + std::string(name(reply.refusal)) + ", entry " +
           std::to_string(reply.entry.value()) + "; expected " +
           std::string(name(now.reply.refusal)) + ", entry " +
           std::to_string(now.reply.entry.value());
  }
  return std::nullopt;
}

}  // namespace linkmeter
