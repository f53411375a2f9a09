// NaiveModel: sign-ins, and acts that need one or two managers.

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "tests/property/naive_person_message.h"
#include "tests/property/naive_table_message.h"

namespace linkmeter {

Verdict NaiveModel::on_reply(const PersonMessage& message, Timestamp now, bool resolved) {
  Verdict verdict;
  const auto found = people_.find(message.by.text());
  if (found == people_.end() || found->second.removed) {
    verdict.kind = Verdict::Kind::turned_away;
    verdict.refusal = Refusal::person_unknown;
    return verdict;
  }
  const NaivePerson person = found->second;
  PersonMessageDecision asking{*this,
                               found->first,
                               person,
                               now,
                               resolved,
                               message.key_is_systems_own,
                               message.finding,
                               message.shown,
                               message.is_witnessed,
                               {},
                               {}};
  if (person.is_locked(now)) {
    asking.no.insert(Refusal::person_locked);
  } else if (person.pin_is_others && !std::holds_alternative<ChangePin>(message.act)) {
    asking.no.insert(Refusal::pin_to_be_changed);
  } else {
    std::visit(asking, message.act);
  }
  if (!asking.no.empty()) {
    asking.verdict = {};
    asking.verdict.fact = "act_refused";
    asking.verdict.refusal = *asking.no.begin();
  }
  asking.verdict.entry = ++entries_;
  asking.verdict.asked = message;
  asking.verdict.badge = found->first;
  asking.verdict.act = naive_act_name(message.act);
  return asking.verdict;
}

Verdict NaiveModel::on_reply(const SignIn& sign_in, Timestamp now) {
  Verdict verdict;
  const auto found = people_.find(sign_in.badge.text());
  if (found == people_.end() || found->second.removed) {
    verdict.kind = Verdict::Kind::turned_away;
    verdict.refusal = Refusal::person_unknown;
    return verdict;
  }
  NaivePerson& person = found->second;
  verdict.entry = ++entries_;
  verdict.badge = found->first;
  // The lock applies to any PIN; but the owner of the data folder need not wait for a temporary
  // lock.
  const bool may_end =
      sign_in.is_good && sign_in.is_at_control && person.locked_until_us != INT64_MAX;
  if (person.is_locked(now) && !may_end) {
    verdict.fact = "act_refused";
    verdict.refusal = Refusal::person_locked;
    verdict.act = "sign_in";
    return verdict;
  }
  verdict.fact = sign_in.is_good ? "signed_in" : "sign_in_failed";
  if (sign_in.is_good) {
    person.failures = 0;
    person.locked_until_us = 0;
    return verdict;
  }
  if (++person.failures < 5) return verdict;
  // The fifth failure in a row locks, and so does each one after it. Most people then wait for a
  // new PIN; a manager waits a quarter of an hour, then twice as long each time, at most a day. The
  // last manager of his department begins with a minute, and waits an hour at most.
  if (!person.is_manager()) {
    person.locked_until_us = INT64_MAX;
    return verdict;
  }
  bool is_last = true;
  for (const auto& [badge, other] : people_) {
    const bool is_there = !other.removed && other.is_manager() && !other.is_locked(now);
    if (badge != verdict.badge && is_there && other.department == person.department) {
      is_last = false;
    }
  }
  std::int64_t minutes = is_last ? 1 : 15;
  for (std::uint64_t failed = 5; failed < person.failures; ++failed) {
    minutes = std::min<std::int64_t>(2 * minutes, is_last ? 60 : 24 * 60);
  }
  person.locked_until_us = now.microseconds() + minutes * 60'000'000;
  return verdict;
}

std::optional<std::uint32_t> NaiveModel::PersonMessageDecision::find_link(const LinkId& id) {
  for (std::uint32_t link = 0; link < model.terms_.size(); ++link) {
    if (model.terms_[link].id == id.text()) return link;
  }
  no.insert(Refusal::link_unknown);
  return std::nullopt;
}

std::optional<NaiveModel::PersonMessageDecision::Place>
NaiveModel::PersonMessageDecision::find_place(const LinkId& id, const LevelId& level) {
  const auto link = find_link(id);
  if (!link) return std::nullopt;
  if (level.text() == "reserve") return Place{*link, -1};
  const int place = model.terms_[*link].level(level.text());
  if (place >= 0) return Place{*link, place};
  no.insert(Refusal::link_unknown);
  return std::nullopt;
}

// A removed person counts as unknown; only his badge stays in use.
NaivePerson* NaiveModel::PersonMessageDecision::find_person(const Badge& badge) {
  const auto found = model.people_.find(badge.text());
  if (found != model.people_.end() && !found->second.removed) return &found->second;
  no.insert(Refusal::person_unknown);
  return nullptr;
}

NaiveTable* NaiveModel::PersonMessageDecision::find_table(const TableId& id) {
  for (NaiveTable& table : model.tables_) {
    if (table.id == id.text()) return &table;
  }
  no.insert(Refusal::table_unknown);
  return nullptr;
}

NaivePool& NaiveModel::PersonMessageDecision::pool(Place place) {
  NaiveBook& book = model.books_[place.link];
  return place.level < 0 ? book.reserve : book.levels[static_cast<std::size_t>(place.level)];
}

void NaiveModel::PersonMessageDecision::check_note(const std::string& note) {
  if (!note.empty() && !is_naive_text(note, 200)) no.insert(Refusal::name_malformed);
}

void NaiveModel::PersonMessageDecision::check_pin(const std::string& pin) {
  if (pin.empty() || pin.size() > 256) no.insert(Refusal::name_malformed);
}

void NaiveModel::PersonMessageDecision::check_amount(Amount amount) {
  const Exact most = Exact{1'000'000'000} * 100 * exact_cent;
  const Exact units = amount.units();
  if (units == 0 || units > most || units < -most) no.insert(Refusal::amount_out_of_range);
}

void NaiveModel::PersonMessageDecision::check_halves(const std::string& badge,
                                                     const std::set<Role>& roles) {
  // A locked person counts as absent, whatever his roles.
  const auto self = model.people_.find(badge);
  const bool is_there = self != model.people_.end() && !self->second.is_locked(now);
  bool of_tables = is_there && roles.count(Role::table_games_manager) != 0;
  bool of_finance = is_there && roles.count(Role::finance_manager) != 0;
  for (const auto& [name, other] : model.people_) {
    if (name == badge || other.removed || other.is_locked(now)) continue;
    of_tables = of_tables || other.is(Role::table_games_manager);
    of_finance = of_finance || other.is(Role::finance_manager);
  }
  if (!of_tables || !of_finance) no.insert(Refusal::last_of_its_kind);
}

bool NaiveModel::PersonMessageDecision::is_over(const NaiveProposal& proposal) const {
  return now.microseconds() - proposal.at.microseconds() > 120'000'000;
}

void NaiveModel::PersonMessageDecision::check_waiting(const DualControlCommand& act) {
  int waiting = 0;
  int changes = std::holds_alternative<ChangeParameters>(act) ? 1 : 0;
  for (const auto& [number, proposal] : model.proposals_) {
    if (proposal.by != by || is_over(proposal)) continue;
    ++waiting;
    if (changes > 0 && std::holds_alternative<ChangeParameters>(proposal.act)) ++changes;
  }
  if (waiting >= 8 || changes > 1) no.insert(Refusal::proposals_too_many);
}

bool NaiveModel::PersonMessageDecision::is_a_grave(Place place) const {
  return place.level < 0 && model.terms_[place.link].seeds.empty();
}

void NaiveModel::PersonMessageDecision::operator()(const SuspendLink& suspend) {
  if (!is_naive_text(suspend.note, 200)) no.insert(Refusal::name_malformed);
  need(person.is_manager());
  if (!no.empty()) return;
  const auto link = find_link(suspend.link);
  if (link && !model.books_[*link].suspended.empty() && !model.waits_for_clock(*link)) {
    no.insert(Refusal::link_suspended_already);
  }
  if (!no.empty()) return;
  verdict.fact = "link_suspended";
  model.books_[*link].suspended = suspend.note;
}

// One person is enough: an engineer, a manager of either department, or a floorperson.
void NaiveModel::PersonMessageDecision::operator()(const FreezeTable& freeze) {
  if (!is_naive_text(freeze.note, 200)) no.insert(Refusal::name_malformed);
  need(person.is_manager() || person.is_engineer() || person.is(Role::floorperson));
  if (!no.empty()) return;
  NaiveTable* table = find_table(freeze.table);
  if (table != nullptr && !table->frozen.empty()) no.insert(Refusal::table_frozen_already);
  if (!no.empty()) return;
  verdict.fact = "table_frozen";
  table->frozen = freeze.note;
  table->frozen_by = by;
}

void NaiveModel::PersonMessageDecision::operator()(const ChangePin& change) {
  check_pin(change.pin);
  if (change.pin == person.pin) no.insert(Refusal::pin_unchanged);
  if (!no.empty()) return;
  verdict.fact = "pin_changed";
  model.people_[by].pin = change.pin;
  model.people_[by].pin_is_others = false;
}

void NaiveModel::PersonMessageDecision::operator()(const Propose& propose) {
  need(may_be_half(person, propose.act));
  if (!no.empty()) return;
  DualControlCommand act = propose.act;
  if (auto* resume = std::get_if<ResumeLinks>(&act)) resume->links = stopped_links(resume->cause);
  if (auto* resume = std::get_if<ResumeLink>(&act)) {
    resume->reason.clear();
    for (const auto& one : stopped_links("")) {
      if (one.link == resume->link) resume->reason = one.reason;
    }
  }
  std::visit([this](const auto& one) { check(one); }, act);
  if (!no.empty()) return;
  check_waiting(propose.act);  // an impossible act is refused for that reason first
  if (!no.empty()) return;
  verdict.fact = "act_proposed";
  // Proposals that waited too long expire.
  for (auto one = model.proposals_.begin(); one != model.proposals_.end();) {
    one = is_over(one->second) ? model.proposals_.erase(one) : std::next(one);
  }
  verdict.proposal = ++model.last_proposal_;
  if (auto* change = std::get_if<ChangeParameters>(&act)) {
    change->since = EntryNumber(model.configuration_);
    change->changes = lines_of(*change);
  }
  verdict.dual = act;
  model.proposals_[verdict.proposal] = {act, by, now};
}

void NaiveModel::PersonMessageDecision::operator()(const Confirm& confirm) {
  need(person.is_manager() || person.is_engineer());
  if (!no.empty()) return;
  const auto found = model.proposals_.find(confirm.proposal.value());
  if (found == model.proposals_.end()) {
    no.insert(Refusal::proposal_unknown);
    return;
  }
  const NaiveProposal proposal = found->second;
  need(may_be_half(person, proposal.act));
  if (!no.empty()) return;
  const NaivePerson& first = model.people_.at(proposal.by);
  if (is_over(proposal)) no.insert(Refusal::proposal_expired);
  if (first.department == person.department) no.insert(Refusal::same_department);
  if (!no.empty()) return;
  // The proposer must still have the right.
  need(may_be_half(first, proposal.act) && !first.removed && !first.is_locked(now));
  // A table's key needs an engineer and a manager.
  if (!first.is_manager() || !person.is_manager()) {
    need(first.is_engineer() || person.is_engineer());
  } else {
    need(!std::holds_alternative<Enrol>(proposal.act) &&
         !std::holds_alternative<Revoke>(proposal.act));
  }
  if (confirm.summary != naive_summary(proposal.act)) no.insert(Refusal::summary_differs);
  // Since his proposal, others have been given the means to act as him.
  if (first.pin_is_others) no.insert(Refusal::pin_to_be_changed);
  // Two badges that one person could be using count as one hand.
  if (may_be_one(proposal.by, by)) no.insert(Refusal::same_hand);
  if (!no.empty()) return;
  std::visit([this](const auto& act) { check(act); }, proposal.act);  // once more
  if (const auto* made = std::get_if<NewRecoveryCodes>(&proposal.act)) {
    // Three more, and no two of the six are equal.
    std::set<Digest> all(made->codes.begin(), made->codes.end());
    all.insert(confirm.codes.begin(), confirm.codes.end());
    if (confirm.codes.size() != 3 || all.size() != 6) no.insert(Refusal::recovery_codes_missing);
  }
  if (!no.empty()) return;
  verdict.fact = "act_confirmed";
  verdict.proposal = found->first;
  verdict.dual = proposal.act;
  if (auto* made = std::get_if<NewRecoveryCodes>(&*verdict.dual)) {
    made->codes.insert(made->codes.end(), confirm.codes.begin(), confirm.codes.end());
  }
  verdict.proposed_by = proposal.by;
  model.proposals_.erase(found);
  std::visit([this](const auto& act) { perform(act); }, proposal.act);
  const auto* added = std::get_if<AddPerson>(&proposal.act);
  const auto* reset = std::get_if<ResetPin>(&proposal.act);
  if (added == nullptr && reset == nullptr) return;
  std::set<std::string> behind = model.people_.at(proposal.by).behind;
  behind.insert(proposal.by);
  const Badge& whose = added != nullptr ? added->person.badge : reset->badge;
  model.people_[whose.text()].behind = behind;
}

void NaiveModel::PersonMessageDecision::check(const ResumeLink& act) {
  const auto link = find_link(act.link);
  if (link && model.books_[*link].suspended.empty()) {
    no.insert(Refusal::link_not_suspended);
  } else if (link && model.books_[*link].suspended != act.reason) {
    no.insert(Refusal::suspensions_changed);  // both people have read another reason
  }
  if (no.empty() && model.doubted_) no.insert(Refusal::clock_to_be_confirmed);
}

void NaiveModel::PersonMessageDecision::check(const UnfreezeTable& act) {
  const NaiveTable* table = find_table(act.table);
  if (table != nullptr && table->frozen.empty()) no.insert(Refusal::table_not_frozen);
}

void NaiveModel::PersonMessageDecision::perform(const UnfreezeTable& act) {
  NaiveTable& table = *find_table(act.table);
  table.frozen = table.frozen_by = "";
}

void NaiveModel::PersonMessageDecision::check(const ConfirmClock& act) {
  check_note(act.note);
  if (!model.doubted_) {
    no.insert(Refusal::clock_not_doubted);
  } else if (act.doubted.value() != model.doubted_->entry || act.by_us != model.doubted_->by_us) {
    no.insert(Refusal::clock_doubt_unknown);
  }
}

void NaiveModel::PersonMessageDecision::perform(const ConfirmClock&) { model.end_doubt(); }

std::vector<ResumeLinks::Suspended> NaiveModel::PersonMessageDecision::stopped_links(
    const std::string& cause) const {
  std::vector<ResumeLinks::Suspended> stopped;
  for (std::size_t place = 0; place < model.books_.size(); ++place) {
    const std::string& reason = model.books_[place].suspended;
    const bool begins_so = reason.compare(0, cause.size(), cause) == 0;
    if (!reason.empty() && begins_so) stopped.push_back({LinkId(model.terms()[place].id), reason});
  }
  return stopped;
}

// The act takes effect as both people have read it, or not at all.
void NaiveModel::PersonMessageDecision::check(const ResumeLinks& act) {
  check_note(act.cause);
  if (act.links.empty()) no.insert(Refusal::link_not_suspended);
  const std::vector<ResumeLinks::Suspended> now_stopped = stopped_links("");
  for (const auto& one : act.links) {
    if (std::find(now_stopped.begin(), now_stopped.end(), one) == now_stopped.end()) {
      no.insert(Refusal::suspensions_changed);
    }
  }
  if (no.empty() && model.doubted_) no.insert(Refusal::clock_to_be_confirmed);
}

void NaiveModel::PersonMessageDecision::check(const CorrectMeter& act) {
  check_note(act.note);
  check_amount(act.amount);
  const auto place = find_place(act.link, act.level);
  if (!place) return;
  if (is_a_grave(*place)) no.insert(Refusal::link_unknown);
  if (pool(*place).held + act.amount.units() < 0) no.insert(Refusal::below_zero);
  if (model.books_[place->link].gone) no.insert(Refusal::link_ended);
  check_room(act, {*place});
}

void NaiveModel::PersonMessageDecision::check(const TransferMeter& act) {
  check_note(act.note);
  check_amount(act.amount);
  if (act.amount.units() < 0) no.insert(Refusal::amount_out_of_range);
  const auto from = find_place(act.from, act.from_level);
  const auto to = find_place(act.to, act.to_level);
  if (from && to && from->link == to->link && from->level == to->level) {
    no.insert(Refusal::same_meter);
  }
  if (to && is_a_grave(*to)) no.insert(Refusal::link_unknown);
  if (from && pool(*from).held < act.amount.units()) no.insert(Refusal::below_zero);
  if (!from || !to || no.count(Refusal::link_unknown) != 0) return;
  check_way(from->link, to->link);
  const Exact house = model.books_[from->link].of_house(model.terms_[from->link], from->level);
  if (pool(*from).held - act.amount.units() < house) no.insert(Refusal::reseed_stays);
  check_room(act, {*from, *to});
}

void NaiveModel::PersonMessageDecision::check(const AddPerson& act) {
  const Person& added = act.person;
  if (!is_naive_name(added.badge.text()) || !is_naive_text(added.name, 64)) {
    no.insert(Refusal::name_malformed);
  }
  check_pin(added.pin);
  // Also the badge of a removed person.
  if (model.people_.count(added.badge.text()) != 0) no.insert(Refusal::person_exists);
  if (!may_go_together(added.department, added.roles)) no.insert(Refusal::roles_conflict);
}

void NaiveModel::PersonMessageDecision::check(const RemovePerson& act) {
  if (find_person(act.badge) != nullptr) check_halves(act.badge.text(), {});
}

void NaiveModel::PersonMessageDecision::check(const SetRoles& act) {
  const NaivePerson* changed = find_person(act.badge);
  if (changed == nullptr) return;
  if (!may_go_together(changed->department, act.roles)) no.insert(Refusal::roles_conflict);
  check_halves(act.badge.text(), act.roles);
}

void NaiveModel::PersonMessageDecision::check(const ResetPin& act) {
  check_pin(act.pin);
  static_cast<void>(find_person(act.badge));
}

void NaiveModel::PersonMessageDecision::check(const Enrol& act) {
  const Enrolment& asked = act.enrolment;
  bool is_table = asked.kind != EnrolmentKind::table;
  for (const NaiveTable& table : model.tables_) is_table = is_table || table.id == asked.name;
  if (!is_table) no.insert(Refusal::table_unknown);
  if (!is_naive_name(asked.name)) no.insert(Refusal::name_malformed);
  if (asked.key.size() != 40) no.insert(Refusal::key_malformed);
  if (own_key) no.insert(Refusal::key_taken);
  std::size_t nodes = 0;
  for (const auto& [name, key] : model.keys_) {
    const bool is_other = name.second != asked.name;
    nodes += name.first == EnrolmentKind::node && is_other ? 1 : 0;
  }
  if (asked.kind == EnrolmentKind::node && nodes >= 8) no.insert(Refusal::nodes_too_many);
  for (const auto& [name, key] : model.keys_) {
    if (key == asked.key) no.insert(Refusal::key_taken);
  }
}

void NaiveModel::PersonMessageDecision::check(const Revoke& act) {
  if (model.keys_.count({act.kind, act.name}) == 0) no.insert(Refusal::not_enrolled);
}

void NaiveModel::PersonMessageDecision::check(const NewRecoveryCodes& act) {
  // Three, and no two are equal.
  const bool are_codes = act.codes.size() == 3 && act.codes[0] != act.codes[1] &&
                         act.codes[0] != act.codes[2] && act.codes[1] != act.codes[2];
  if (!are_codes) no.insert(Refusal::name_malformed);
}

void NaiveModel::PersonMessageDecision::perform(const Enrol& act) {
  model.keys_[{act.enrolment.kind, act.enrolment.name}] = act.enrolment.key;
}

void NaiveModel::PersonMessageDecision::perform(const Revoke& act) {
  model.keys_.erase({act.kind, act.name});
}

void NaiveModel::PersonMessageDecision::perform(const ResumeLink& act) {
  model.books_[*find_link(act.link)].suspended.clear();
}

void NaiveModel::PersonMessageDecision::perform(const ResumeLinks& act) {
  for (const auto& one : act.links) model.books_[*find_link(one.link)].suspended.clear();
}

void NaiveModel::PersonMessageDecision::perform(const CorrectMeter& act) {
  const Place here = *find_place(act.link, act.level);
  model.books_[here.link].correct(model.terms_[here.link], here.level, act.amount.units());
  // § 553.20(h): the display has the right amount.
  if (act.reason == CorrectionReason::display_adjustment) {
    model.books_[*find_link(act.link)].notice = false;
  }
}

void NaiveModel::PersonMessageDecision::perform(const TransferMeter& act) {
  NaivePool& from = pool(*find_place(act.from, act.from_level));
  from.held -= act.amount.units();
  from.transferred -= act.amount.units();
  const Place to = *find_place(act.to, act.to_level);
  model.books_[to.link].take_over(model.terms_[to.link], to.level, act.amount.units(), 0);
}

void NaiveModel::PersonMessageDecision::perform(const AddPerson& act) {
  NaivePerson& added = model.people_[act.person.badge.text()];
  added = NaivePerson::of(act.person);
  added.pin_is_others = true;  // whatever the request says
}

void NaiveModel::PersonMessageDecision::perform(const RemovePerson& act) {
  model.people_[act.badge.text()].removed = true;
}

void NaiveModel::PersonMessageDecision::perform(const SetRoles& act) {
  model.people_[act.badge.text()].roles = act.roles;
}

void NaiveModel::PersonMessageDecision::perform(const ResetPin& act) {
  NaivePerson& person_reset = model.people_[act.badge.text()];
  person_reset.pin = act.pin;
  person_reset.pin_is_others = true;
  person_reset.failures = 0;
  person_reset.locked_until_us = 0;
}

}  // namespace linkmeter
