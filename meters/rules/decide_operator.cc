#include "meters/rules/decide_operator.h"

#include <algorithm>
#include <array>

#include "meters/rules/clock_trust.h"
#include "meters/rules/decide_restoration.h"
#include "meters/rules/settlement.h"
#include "meters/state/recovery.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {

namespace {

bool is_well_formed_pin(const std::string& pin) {
  return !pin.empty() && pin.size() <= limits::pin_bytes_max;
}

// Whether this person may be one of the two persons of the command.
bool may_take_part(const Person& person, const DualControlCommand& act) {
  if (!is_enrolment(act)) return person.has(Right::alter);
  return person.has(Right::enrol_tables) || person.has(Right::confirm_enrolments);
}

// The links that are currently suspended for a reason that begins with `cause`, with their reasons.
std::vector<ResumeLinks::Suspended> suspended_links(const State& state, const std::string& cause) {
  std::vector<ResumeLinks::Suspended> all;
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    const LinkIndex link(at);
    const std::string& reason = state.link(link).suspended;
    if (!reason.empty() && reason.starts_with(cause))
      all.push_back({state.floor().link(link).id, reason});
  }
  return all;
}

bool is_in_range(Amount amount) {
  return amount != Amount() && amount <= limits::amount_max && amount >= -limits::amount_max;
}

}  // namespace

Refusal OperatorDecision::check_correction(const std::string& note, const TableId& table,
                                           bool may) const {
  if (!is_well_formed_note(note)) return Refusal::name_malformed;
  if (!may) return Refusal::right_missing;
  return state_.floor().find_table(table) ? Refusal::none : Refusal::table_unknown;
}

Outcome OperatorDecision::operator()(const SuspendLink& suspend) const {
  if (!is_well_formed_text(suspend.note, limits::reason_length_max)) {
    return refused(Refusal::name_malformed);
  }
  if (!person_.has(Right::suspend_links)) return refused(Refusal::right_missing);
  const auto link = state_.floor().find_link(suspend.link);
  if (!link) return refused(Refusal::link_unknown);
  if (!state_.link(*link).suspended.empty() && !is_held_by_restoration(state_, *link) &&
      !linkmeter::is_held_by_clock(state_, *link)) {
    return refused(Refusal::link_suspended_already);
  }
  return accepted(LinkSuspended{*link, suspend.note, person_.badge});
}

Outcome OperatorDecision::operator()(const FreezeTable& freeze) const {
  if (!is_well_formed_text(freeze.note, limits::reason_length_max)) {
    return refused(Refusal::name_malformed);
  }
  if (!person_.has(Right::freeze_tables)) return refused(Refusal::right_missing);
  const auto table = state_.find_table(freeze.table);
  if (!table) return refused(Refusal::table_unknown);
  if (!state_.session(*table).frozen().empty()) return refused(Refusal::table_frozen_already);
  return accepted(TableFrozen{*table, freeze.note, person_.badge});
}

Outcome OperatorDecision::operator()(const PostNotice& notice) const {
  if (!person_.has(Right::post_notices)) return refused(Refusal::right_missing);
  const auto link = state_.floor().find_link(notice.link);
  if (!link) return refused(Refusal::link_unknown);
  if (!state_.floor().link(*link).pot) return refused(Refusal::notice_not_offered);
  if (state_.link(*link).pending_adjustment == notice.posted) {
    return refused(Refusal::notice_unchanged);
  }
  return accepted(NoticePosted{*link, notice.posted, person_.badge});
}

Refusal OperatorDecision::check_pin(const std::string& pin) const {
  if (message_.new_pin != Refusal::none) return message_.new_pin;
  return is_well_formed_pin(pin) ? Refusal::none : Refusal::name_malformed;
}

Outcome OperatorDecision::operator()(const ChangePin& change) const {
  if (const Refusal no = check_pin(change.pin); no != Refusal::none) return refused(no);
  // The controller reuses the stored hash for an equal PIN, so equal PINs compare equal.
  if (change.pin == person_.pin) return refused(Refusal::pin_unchanged);
  if (change.old_pin.size() > limits::pin_bytes_max) return refused(Refusal::name_malformed);
  return accepted(PinChanged{person_.badge, change.pin, change.old_pin});
}

Amount OperatorDecision::held(PoolRef place) const {
  return state_.link(place.link).pool(place.pool).held;
}

bool OperatorDecision::may_wait(const DualControlCommand& act) const {
  const auto count_open = [this](const auto& is_counted) {
    return static_cast<std::size_t>(std::count_if(
        state_.proposals().begin(), state_.proposals().end(), [&](const Proposal& open) {
          return open.by == person_.badge && !open.has_expired(now_) && is_counted(open);
        }));
  };
  const auto is_change = [](const Proposal& open) {
    return std::holds_alternative<ChangeParameters>(open.act);
  };
  if (std::holds_alternative<ChangeParameters>(act) && count_open(is_change) > 0) return false;
  return count_open([](const Proposal&) { return true; }) < limits::proposals_open_per_person_max;
}

Refusal OperatorDecision::refuse(const ResumeLink& resume) const {
  const auto link = state_.floor().find_link(resume.link);
  if (!link) return Refusal::link_unknown;
  const std::string& reason = state_.link(*link).suspended;
  if (reason.empty()) return Refusal::link_not_suspended;
  return resume.reason.empty() || resume.reason == reason ? Refusal::none
                                                          : Refusal::suspensions_changed;
}

Refusal OperatorDecision::refuse(const UnfreezeTable& unfreeze) const {
  const auto table = state_.find_table(unfreeze.table);
  if (!table) return Refusal::table_unknown;
  return state_.session(*table).frozen().empty() ? Refusal::table_not_frozen : Refusal::none;
}

Refusal OperatorDecision::refuse(const CorrectMeter& correct) const {
  if (!is_well_formed_note(correct.note)) return Refusal::name_malformed;
  if (!is_in_range(correct.amount)) return Refusal::amount_out_of_range;
  const auto place = find(correct.link, correct.level);
  if (!place || !can_be_won(state_.floor(), *place)) return Refusal::link_unknown;
  if (held(*place) + correct.amount < Amount()) return Refusal::below_zero;
  if (state_.link(place->link).ending.has_ended()) return Refusal::link_ended;
  return settlement_of(correct).is_within_limits() ? Refusal::none : Refusal::meter_full;
}

Refusal OperatorDecision::refuse(const TransferMeter& transfer) const {
  if (!is_well_formed_note(transfer.note)) return Refusal::name_malformed;
  const auto from = find(transfer.from, transfer.from_level);
  const auto to = find(transfer.to, transfer.to_level);
  if (transfer.amount <= Amount() || !is_in_range(transfer.amount)) {
    return Refusal::amount_out_of_range;
  }
  if (!from || !to || !can_be_won(state_.floor(), *to)) return Refusal::link_unknown;
  if (held(*from) < transfer.amount) return Refusal::below_zero;
  if (*from == *to) return Refusal::same_meter;
  if (const Refusal no = check_transfer(state_, *from, *to, transfer.amount); no != Refusal::none) {
    return no;
  }
  return settlement_of(transfer).is_within_limits() ? Refusal::none : Refusal::meter_full;
}

Refusal OperatorDecision::refuse(const AddPerson& add) const {
  const Person& person = add.person;
  if (!is_well_formed_name(person.badge.text()) ||
      !is_well_formed_text(person.name, limits::name_length_max)) {
    return Refusal::name_malformed;
  }
  // In a waiting proposal the PIN is already hashed.
  if (const Refusal no = check_pin(person.pin); no != Refusal::none) return no;
  // A badge is never assigned again: the journal refers to it permanently.
  if (state_.find_person(person.badge) != nullptr || state_.people().size() >= limits::people_max) {
    return Refusal::person_exists;
  }
  return may_combine_roles(person.department, person.roles) ? Refusal::none
                                                            : Refusal::roles_conflict;
}

bool OperatorDecision::leaves_both_halves(const Badge& badge, const std::set<Role>& roles) const {
  const auto has_half = [&](Department department) {
    return std::any_of(state_.people().begin(), state_.people().end(), [&](const auto& entry) {
      Person person = entry.second;
      if (person.badge == badge) person.roles = roles;
      return person.department == department && person.may(Right::alter, now_);
    });
  };
  return has_half(Department::table_games) && has_half(Department::finance);
}

Refusal OperatorDecision::refuse(const RemovePerson& remove) const {
  const Person* person = state_.find_person(remove.badge);
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  return leaves_both_halves(remove.badge, {}) ? Refusal::none : Refusal::last_of_its_kind;
}

Refusal OperatorDecision::refuse(const SetRoles& set) const {
  const Person* person = state_.find_person(set.badge);
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  if (!may_combine_roles(person->department, set.roles)) return Refusal::roles_conflict;
  return leaves_both_halves(set.badge, set.roles) ? Refusal::none : Refusal::last_of_its_kind;
}

Refusal OperatorDecision::refuse(const ResetPin& reset) const {
  if (const Refusal no = check_pin(reset.pin); no != Refusal::none) return no;
  const Person* person = state_.find_person(reset.badge);
  return person == nullptr || person->removed ? Refusal::person_unknown : Refusal::none;
}

Refusal OperatorDecision::refuse(const Enrol& enrol) const {
  const Enrolment& enrolment = enrol.enrolment;
  if (enrolment.kind == EnrolmentKind::table &&
      !state_.floor().find_table(TableId(enrolment.name))) {
    return Refusal::table_unknown;
  }
  if (!is_well_formed_name(enrolment.name)) return Refusal::name_malformed;
  if (!is_well_formed_key(enrolment.key)) return Refusal::key_malformed;
  // A node's key is the key of its controller. Nothing else of the house may be enrolled.
  const bool is_node = enrolment.kind == EnrolmentKind::node;
  const auto& house = state_.keys().current;
  const bool is_houses = std::any_of(house.begin(), house.end(), [&](const auto& one) {
    return one.second.key == enrolment.key && !(is_node && one.first == KeyKind::controller);
  });
  if (is_houses || message_.key_is_systems_own ||
      state_.enrolments().find_key(enrolment.key) != nullptr) {
    return Refusal::key_taken;
  }
  const bool is_new = state_.enrolments().find(enrolment.kind, enrolment.name) == nullptr;
  if (is_node && is_new && state_.enrolments().count(enrolment.kind) >= limits::nodes_max) {
    return Refusal::nodes_too_many;
  }
  return is_new && state_.enrolments().all().size() >= limits::enrolments_max ? Refusal::key_taken
                                                                              : Refusal::none;
}

Refusal OperatorDecision::refuse(const Revoke& revoke) const {
  return state_.enrolments().find(revoke.kind, revoke.name) == nullptr ? Refusal::not_enrolled
                                                                       : Refusal::none;
}

Refusal OperatorDecision::refuse(const AcceptHistory& accept) const {
  return check_acceptance(state_, accept);
}

Refusal OperatorDecision::refuse(const ConfirmClock& confirm) const {
  return check_confirmation(state_, confirm);
}

Refusal OperatorDecision::refuse(const LeaveCluster& leave) const {
  if (state_.enrolments().find(EnrolmentKind::node, leave.node) == nullptr) {
    return Refusal::not_enrolled;
  }
  const auto no = leave_violation(state_.enrolments(), state_.writer(), state_.last_entry(), leave);
  return no ? Refusal::leave_not_possible : Refusal::none;
}

Refusal OperatorDecision::refuse(const ReplaceKey& replace) const {
  if (replace.key.empty()) return Refusal::key_not_made;
  if (!is_well_formed(replace)) return Refusal::key_malformed;
  const HouseKeys& keys = state_.keys();
  if (replace.replaces != keys.of(replace.kind)) return Refusal::key_outdated;
  const bool is_taken =
      std::any_of(keys.current.begin(), keys.current.end(),
                  [&replace](const auto& one) { return one.second.key == replace.key; });
  if (is_taken || state_.enrolments().find_key(replace.key) != nullptr) return Refusal::key_taken;
  if (replace.kind == KeyKind::pin && !keys.before_pin_key.empty()) {
    return Refusal::pins_to_be_changed;
  }
  return Refusal::none;
}

Refusal OperatorDecision::refuse(const ResumeLinks& resume) const {
  if (!resume.cause.empty() && !is_well_formed_text(resume.cause, limits::reason_length_max)) {
    return Refusal::name_malformed;
  }
  if (resume.links.empty()) return Refusal::link_not_suspended;
  for (const auto& [link, reason] : resume.links) {
    const auto place = state_.floor().find_link(link);
    if (!place) return Refusal::link_unknown;
    if (state_.link(*place).suspended != reason || reason.empty()) {
      return Refusal::suspensions_changed;
    }
  }
  return Refusal::none;
}

Refusal OperatorDecision::refuse(const NewRecoveryCodes& made) {
  return are_new_codes(made.codes) ? Refusal::none : Refusal::name_malformed;
}

Refusal OperatorDecision::refuse(const StopCollecting& stop) const {
  return is_well_formed_note(stop.note) ? check_command(state_, stop) : Refusal::name_malformed;
}

Refusal OperatorDecision::refuse(const Discontinue& end) const {
  return is_well_formed_note(end.note) ? check_command(state_, end) : Refusal::name_malformed;
}

Rejection OperatorDecision::check_item(const DualControlCommand& act) const {
  if (waiting_restoration(state_) != nullptr && waits_for_acceptance(act)) {
    return {Refusal::history_to_be_accepted, ""};
  }
  if (const auto* change = std::get_if<ChangeParameters>(&act)) {
    return object(state_, rules_, *change, message_.proposed);
  }
  return {std::visit([this](const auto& one) { return this->refuse(one); }, act), ""};
}

bool OperatorDecision::is_held_by_clock(const DualControlCommand& act) const {
  return state_.clock().doubt && waits_for_clock(act);
}

Settlement OperatorDecision::settlement_of(const DualControlCommand& act) const {
  Settlement settlement(state_, rules_);
  if (const auto* correct = std::get_if<CorrectMeter>(&act)) {
    const auto place = find(correct->link, correct->level);
    INVARIANT(place.has_value());
    settlement.correct(place->link, place->pool, correct->amount);
  } else if (const auto* transfer = std::get_if<TransferMeter>(&act)) {
    const auto from = find(transfer->from, transfer->from_level);
    const auto to = find(transfer->to, transfer->to_level);
    INVARIANT(from.has_value() && to.has_value());
    settlement.transfer(*from, *to, transfer->amount);
  }
  return settlement;
}

std::vector<Posting> OperatorDecision::postings_of(const DualControlCommand& act) const {
  const auto* end = std::get_if<Discontinue>(&act);
  return end != nullptr ? ending_of(state_, *end).postings : settlement_of(act).postings();
}

Outcome OperatorDecision::operator()(const Propose& propose) const {
  if (!may_take_part(person_, propose.act)) return refused(Refusal::right_missing);
  DualControlCommand act = propose.act;
  auto* change = std::get_if<ChangeParameters>(&act);
  if (change != nullptr) change->since = state_.configuration();
  if (auto* resume = std::get_if<ResumeLinks>(&act)) {
    *resume = with_links(suspended_links(state_, resume->cause), resume->cause);
  }
  if (auto* resume = std::get_if<ResumeLink>(&act)) {
    const auto link = state_.floor().find_link(resume->link);
    resume->reason = link ? state_.link(*link).suspended : "";
  }
  const auto* replace = std::get_if<ReplaceKey>(&act);
  if (replace != nullptr && !replace->signature.empty() && !message_.key_is_proved) {
    return refused(Refusal::key_not_proved);
  }
  Rejection no = check_item(act);
  if (no.refusal != Refusal::none) return refused(no.refusal, std::move(no.about));
  if (is_held_by_clock(act)) return refused(Refusal::clock_to_be_confirmed);
  if (!may_wait(act)) return refused(Refusal::proposals_too_many);
  if (change != nullptr) {
    *change = with_changes(state_, rules_, std::move(*change), *message_.proposed);
  }
  return accepted(ActProposed{state_.last_proposal().next(), std::move(act), person_.badge});
}

Outcome OperatorDecision::operator()(const Confirm& confirm) const {
  if (!person_.has(Right::alter) && !person_.has(Right::enrol_tables)) {
    return refused(Refusal::right_missing);
  }
  const Proposal* proposal = state_.find_proposal(confirm.proposal);
  if (proposal == nullptr) return refused(Refusal::proposal_unknown);
  if (!may_take_part(person_, proposal->act)) return refused(Refusal::right_missing);
  if (proposal->has_expired(now_)) return refused(Refusal::proposal_expired);
  const Person* other = state_.find_person(proposal->by);
  INVARIANT(other != nullptr);
  if (other->badge == person_.badge || other->department == person_.department) {
    return refused(Refusal::same_department);
  }
  if (!may_take_part(*other, proposal->act) || other->is_locked(now_)) {
    return refused(Refusal::right_missing);
  }
  // An enrolment requires an engineer and a manager; two managers are not enough.
  if (is_enrolment(proposal->act) && !person_.has(Right::enrol_tables) &&
      !other->has(Right::enrol_tables)) {
    return refused(Refusal::right_missing);
  }
  if (confirm.summary != summary(proposal->act)) return refused(Refusal::summary_differs);
  // The proposal counts as this person's only if nobody else could have signed in as them.
  if (other->pin_set_by_other) {
    return refused(Refusal::pin_to_be_changed, std::string(other->badge.text()));
  }
  if (may_be_same_person(person_, *other)) return refused(Refusal::same_hand);
  if (gives_pin_to(proposal->act) != nullptr && proposal->number <= state_.keys().pins_outdated) {
    return refused(Refusal::pin_key_replaced);
  }
  Rejection no = check_item(proposal->act);
  if (no.refusal != Refusal::none) return refused(no.refusal, std::move(no.about));
  if (is_held_by_clock(proposal->act)) return refused(Refusal::clock_to_be_confirmed);
  DualControlCommand act = proposal->act;
  if (auto* made = std::get_if<NewRecoveryCodes>(&act)) {
    if (!are_new_codes(confirm.codes)) return refused(Refusal::recovery_codes_missing);
    made->codes.insert(made->codes.end(), confirm.codes.begin(), confirm.codes.end());
    if (!are_confirmed_codes(made->codes)) return refused(Refusal::recovery_codes_missing);
  }
  return accepted(ActConfirmed{proposal->number, std::move(act), proposal->by, person_.badge},
                  postings_of(proposal->act));
}

std::string_view name(const OperatorCommand& act) {
  constexpr std::array names = std::to_array<std::string_view>(
      {"validate_claim", "reject_claim", "pay_claim",        "suspend_link",
       "change_pin",     "propose",      "confirm",          "countersign_claim",
       "issue_slip",     "void_slip",    "post_notice",      "correct_hand",
       "take_reading",   "record_count", "explain_variance", "sign_day",
       "close_day",      "move_fund",    "adjust_display",   "freeze_table",
       "correct_dealer", "correct_pot",  "recover"});
  static_assert(names.size() == std::variant_size_v<OperatorCommand>);
  return names[act.index()];
}

namespace {

// The earliest moment of the next try after one more wrong code.
Timestamp wait_after(const Recovery& recovery, Timestamp now) {
  constexpr std::uint32_t doublings_max = 16;
  const std::uint32_t doublings = std::min(recovery.failures, doublings_max);
  return now.after(
      std::min(limits::recovery_wait_us_max, limits::recovery_wait_us_first << doublings));
}

}  // namespace

Decision decide_recovery(const State& state, const RecoveryTry& attempt, Timestamp now) {
  const Recovery& recovery = state.recovery();
  if (!may_recover(recovery)) return Refusal::recovery_not_possible;
  if (now < recovery.wait_until) return Refusal::recovery_waits;
  std::vector<std::uint32_t> codes = valid_codes(recovery, attempt.codes);
  if (codes.empty()) {
    // An unknown badge is not written to the journal.
    const Badge badge = state.find_person(attempt.badge) != nullptr ? attempt.badge : Badge();
    return next_entry(state, RecoveryFailed{badge, wait_after(recovery, now)}, now);
  }
  const Person* person = state.find_person(attempt.badge);
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  if (!person->has(Right::alter)) return Refusal::right_missing;
  if (attempt.new_pin != Refusal::none) return attempt.new_pin;
  if (attempt.pin.empty() || attempt.pin.size() > limits::pin_bytes_max)
    return Refusal::name_malformed;
  return next_entry(state, Recovered{attempt.badge, attempt.pin, std::move(codes)}, now);
}

}  // namespace linkmeter
