#include "tests/property/people_traffic.h"

#include <algorithm>
#include <vector>

#include "tests/support/keys.h"
#include "tests/support/staff.h"

namespace linkmeter {

namespace {

constexpr std::int64_t two_minutes_us = 120'000'000;

const NaiveTerms* terms_of(const NaiveModel& model, const LinkId& link) {
  for (const NaiveTerms& terms : model.terms()) {
    if (terms.id == link.text()) return &terms;
  }
  return nullptr;
}

Exact held(const NaiveModel& model, const LinkId& link, const LevelId& level) {
  for (std::size_t place = 0; place < model.terms().size(); ++place) {
    if (model.terms()[place].id != link.text()) continue;
    const int at = model.terms()[place].level(level.text());
    const NaiveBook& book = model.books()[place];
    return at < 0 ? book.reserve.held : book.levels[static_cast<std::size_t>(at)].held;
  }
  return 0;
}

}  // namespace

Badge PeopleTraffic::anybody(const NaiveModel& model) {
  const std::vector<std::string> strangers{"", "not a badge", "X-1", "f-1"};
  if (dice_.one_in(12) || model.people().empty()) return Badge(dice_.pick(strangers));
  auto one = model.people().begin();
  std::advance(one, static_cast<std::ptrdiff_t>(dice_.below(model.people().size())));
  return Badge(one->first);
}

Badge PeopleTraffic::one_with(const NaiveModel& model, Role role) {
  std::vector<std::string> able;
  for (const auto& [badge, person] : model.people()) {
    if (person.is(role) && (!person.removed || dice_.one_in(20))) able.push_back(badge);
  }
  if (able.empty() || dice_.one_in(8)) return anybody(model);
  return Badge(dice_.pick(able));
}

Badge PeopleTraffic::manager(const NaiveModel& model) {
  return one_with(model, dice_.percent(50) ? Role::table_games_manager : Role::finance_manager);
}

// One of the latest claims, preferably from a meter, because these are rare.
ClaimNumber PeopleTraffic::claim(const NaiveModel& model) {
  const std::size_t count = model.claims().size();
  if (count == 0 || dice_.one_in(15)) return ClaimNumber(dice_.below(count + 2));
  const std::size_t back = dice_.percent(85) ? std::min<std::size_t>(count, 30) : count;
  std::vector<std::uint64_t> likely;
  const bool of_meter = dice_.percent(70);
  for (std::size_t place = count - back; place < count; ++place) {
    const NaiveClaim& one = model.claims()[place];
    const bool open =
        one.step == NaiveClaim::Step::raised || one.step == NaiveClaim::Step::validated;
    if (open && (one.award.level >= 0) == of_meter) likely.push_back(place + 1);
  }
  if (!likely.empty() && dice_.percent(80)) return ClaimNumber(dice_.pick(likely));
  return ClaimNumber(count - dice_.below(back));
}

PersonMessage PeopleTraffic::claim_step(const NaiveModel& model) {
  const ClaimNumber number = claim(model);
  const bool known = number.value() >= 1 && number.value() <= model.claims().size();
  const bool poker = known && model.terms()[model.claims()[number.value() - 1].link].of_pots;
  const Role judge = poker ? Role::poker_shift_supervisor : Role::floorperson;
  const std::size_t choice = dice_.below(100);
  if (choice < 25) {
    const bool notifies = dice_.one_in(3);
    return {one_with(model, judge), ValidateClaim{number, notifies ? anybody(model) : Badge()}};
  }
  if (choice < 50) {
    const auto reason = static_cast<RejectReason>(1 + dice_.below(6));
    return {one_with(model, judge), RejectClaim{number, reason, note()}};
  }
  return slip_step(model, number);
}

// Mostly the step that the claim waits for.
PersonMessage PeopleTraffic::slip_step(const NaiveModel& model, ClaimNumber number) {
  const std::vector<PaymentSource> sources{PaymentSource::table_inventory,
                                           PaymentSource::game_account, PaymentSource::hand_pay};
  PaymentSource source = dice_.pick(sources);
  const bool known = number.value() >= 1 && number.value() <= model.claims().size();
  const SlipNumber last = slip(model, number);
  const NaiveSlip* open = nullptr;
  if (last.value() >= 1 && last.value() <= model.slips().size()) {
    open = &model.slips()[last.value() - 1];
    if (open->step != NaiveSlip::Step::open) open = nullptr;
  }
  if (open != nullptr && dice_.percent(85)) source = open->source;
  std::size_t choice = dice_.below(4);
  if (known && dice_.percent(75)) {
    const NaiveClaim& claim = model.claims()[number.value() - 1];
    const bool needs = model.house().step(claim.award.amount) != nullptr;
    choice = open != nullptr                           ? (dice_.percent(60) ? 3U : 2U)
             : needs && claim.countersigned_by.empty() ? 0U
                                                       : 1U;
  }
  const std::vector<Role> signers{Role::floorperson, Role::table_games_manager};
  const std::vector<Role> issuers{Role::floorperson, Role::poker_shift_supervisor, Role::cashier};
  switch (choice) {
    case 0: return {one_with(model, dice_.pick(signers)), CountersignClaim{number}};
    case 1: return {one_with(model, dice_.pick(issuers)), IssueSlip{number, source}};
    case 2: {
      const auto reason = static_cast<VoidReason>(1 + dice_.below(4));
      return {one_with(model, dice_.pick(issuers)), VoidSlip{last, reason, note()}};
    }
    default: {
      const bool is_another = dice_.one_in(8);
      const SlipNumber on = is_another ? SlipNumber(dice_.below(model.slips().size() + 2)) : last;
      return {one_with(model, Role::cashier), PayClaim{number, source, on}};
    }
  }
}

// Mostly the claim's last one.
SlipNumber PeopleTraffic::slip(const NaiveModel& model, ClaimNumber of) {
  if (dice_.one_in(12)) return SlipNumber(dice_.below(model.slips().size() + 2));
  if (of.value() < 1 || of.value() > model.claims().size()) return {};
  const std::vector<std::uint64_t>& slips = model.claims()[of.value() - 1].slips;
  return slips.empty() ? SlipNumber() : SlipNumber(slips.back());
}

std::string PeopleTraffic::note() {
  const std::vector<std::string> bad{"tab\there", std::string(201, 'n'), std::string(200, 'n'),
                                     "\x7f"};
  if (dice_.one_in(20)) return dice_.pick(bad);
  return dice_.percent(40) ? "" : "case " + std::to_string(dice_.below(1'000));
}

LinkId PeopleTraffic::link(const NaiveModel& model) {
  if (dice_.one_in(25)) return LinkId(dice_.one_in(2) ? "NOWHERE" : "");
  std::vector<std::string> metered;
  for (const NaiveTerms& terms : model.terms()) {
    if (!terms.seeds.empty() || dice_.one_in(4)) metered.push_back(terms.id);
  }
  return LinkId(metered.empty() ? "NOWHERE" : dice_.pick(metered));
}

LevelId PeopleTraffic::level(const NaiveModel& model, const LinkId& link) {
  std::vector<std::string> names{"reserve"};
  if (dice_.one_in(20)) names = {"none", "", "Reserve"};
  if (const NaiveTerms* terms = terms_of(model, link)) {
    for (const NaiveLevel& one : terms->rules.levels) {
      names.push_back(one.level);
      names.push_back(one.level);
    }
  }
  return LevelId(dice_.pick(names));
}

Amount PeopleTraffic::amount(const NaiveModel& model, const LinkId& link, const LevelId& level) {
  const auto all = static_cast<std::int64_t>(held(model, link, level));
  if (dice_.one_in(60)) {
    const std::vector<std::int64_t> odd{0, 100'000'000'000'000'000, 100'000'000'000'000'001,
                                        -100'000'000'000'000'001};
    return Amount::from_units(dice_.pick(odd));
  }
  const std::vector<std::int64_t> likely{1'250'000'000,
                                         1,
                                         all,
                                         all + 1,
                                         all / 2,
                                         100'000'000'000,
                                         static_cast<std::int64_t>(dice_.below(1'000'000'000'000))};
  const std::int64_t units = dice_.pick(likely);
  return Amount::from_units(dice_.percent(50) ? units : -units);
}

std::set<Role> PeopleTraffic::roles(Department department) {
  std::set<Role> some;
  const std::size_t count = dice_.one_in(15) ? 0 : 1 + dice_.below(2);
  for (std::size_t one = 0; one < count; ++one) {
    if (dice_.one_in(10)) {
      some.insert(static_cast<Role>(1 + dice_.below(10)));
    } else if (department == Department::table_games) {
      some.insert(static_cast<Role>(1 + dice_.below(4)));
    } else if (department == Department::finance) {
      some.insert(static_cast<Role>(5 + dice_.below(3)));
    } else {
      some.insert(static_cast<Role>(5 + static_cast<std::size_t>(department)));
    }
  }
  return some;
}

Person PeopleTraffic::new_person() {
  const auto department =
      static_cast<Department>(dice_.percent(75) ? 1 + dice_.below(2) : 1 + dice_.below(5));
  const std::size_t number = dice_.one_in(6) ? dice_.below(added_ + 1) : ++added_;
  const std::vector<std::string> bad{"", "two words", std::string(65, 'b'), "F-1"};
  const std::string badge = dice_.one_in(15) ? dice_.pick(bad) : "N-" + std::to_string(number);
  Person person = person_of(badge, department, roles(department));
  if (dice_.one_in(30)) person.pin = std::string(dice_.one_in(2) ? 0 : 257, 'p');
  person.pin_set_by_other = dice_.one_in(2);  // whatever the request says
  if (dice_.one_in(30)) person.name = dice_.one_in(2) ? "" : "bell\a";
  return person;
}

EnrolmentKind PeopleTraffic::some_kind() {
  if (dice_.one_in(3)) return EnrolmentKind::viewer;
  return dice_.one_in(4) ? EnrolmentKind::node : EnrolmentKind::table;
}

std::string PeopleTraffic::some_name(const NaiveModel& model, EnrolmentKind kind) {
  if (dice_.one_in(15)) return dice_.one_in(2) ? "nobody" : "two words";
  if (kind == EnrolmentKind::viewer) return "SIGN-" + std::to_string(dice_.below(3));
  if (kind == EnrolmentKind::node) return "NODE-" + std::to_string(dice_.below(12));
  return dice_.pick(model.tables()).id;
}

DualControlCommand PeopleTraffic::reopening(const NaiveModel& model, const LinkId& where) {
  if (dice_.one_in(3)) {
    return UnfreezeTable{dice_.one_in(3) ? table(model) : a_frozen_table(model)};
  }
  if (dice_.one_in(3)) return resume_links(model);
  return ResumeLink{where};
}

DualControlCommand PeopleTraffic::resume_links(const NaiveModel& model) {
  if (dice_.percent(30)) return ResumeLinks{.cause = dice_.pick(model.books()).suspended};
  return ResumeLinks{.cause = dice_.percent(70) ? "" : note()};
}

TableId PeopleTraffic::table(const NaiveModel& model) {
  if (dice_.one_in(20)) return TableId(dice_.one_in(2) ? "NOWHERE" : "");
  return TableId(dice_.pick(model.tables()).id);
}

// A floor of frozen tables plays nothing: the more there are, the fewer are frozen.
PersonMessage PeopleTraffic::freeze(const NaiveModel& model) {
  const std::vector<Role> able{Role::engineer, Role::floorperson, Role::table_games_manager,
                               Role::finance_manager};
  const Badge by = dice_.one_in(6) ? anybody(model) : one_with(model, dice_.pick(able));
  const bool is_any = std::any_of(model.tables().begin(), model.tables().end(),
                                  [](const NaiveTable& one) { return !one.frozen.empty(); });
  const TableId where = is_any ? a_frozen_table(model) : table(model);
  return {by, FreezeTable{where, note()}};
}

TableId PeopleTraffic::a_frozen_table(const NaiveModel& model) {
  for (const NaiveTable& one : model.tables()) {
    if (!one.frozen.empty()) return TableId(one.id);
  }
  return table(model);
}

DualControlCommand PeopleTraffic::enrol(const NaiveModel& model) {
  const EnrolmentKind kind = some_kind();
  std::string key = key_of("K" + std::to_string(++keys_));
  // Possibly enrolled.
  if (dice_.one_in(10)) key = key_of("K" + std::to_string(dice_.below(keys_)));
  if (dice_.one_in(20)) key.pop_back();
  return Enrol{{kind, some_name(model, kind), key}};
}

std::optional<DualControlCommand> PeopleTraffic::repair(const NaiveModel& model) {
  for (const NaiveTable& one : model.tables()) {
    if (!one.frozen.empty()) return UnfreezeTable{TableId(one.id)};
  }
  for (std::size_t place = 0; place < model.books().size(); ++place) {
    if (!model.books()[place].suspended.empty()) return ResumeLink{LinkId(model.terms()[place].id)};
  }
  for (const auto& [badge, person] : model.people()) {
    if (person.was_locked() && !person.removed) return ResetPin{Badge(badge), "another"};
  }
  return std::nullopt;
}

DualControlCommand PeopleTraffic::dual_act(const NaiveModel& model) {
  const LinkId where = link(model);
  const LevelId what = level(model, where);
  // Beside one that waits: the later one is outdated when it is confirmed.
  const auto& open = model.proposals();
  const bool is_change_open = std::any_of(open.begin(), open.end(), [](const auto& proposal) {
    return std::holds_alternative<ChangeParameters>(proposal.second.act);
  });
  if (is_change_open && dice_.percent(25)) return parameters(model);
  if (auto end = ending(model)) return std::move(*end);
  switch (dice_.below(15)) {
    case 0:
    case 1:
    case 2: {
      const auto reason = static_cast<CorrectionReason>(1 + dice_.below(5));
      return CorrectMeter{where, what, amount(model, where, what), reason, note()};
    }
    case 3:
    case 4: {
      const bool to_itself = dice_.one_in(12);
      const LinkId to = to_itself ? where : link(model);
      const Amount moved =
          dice_.percent(50) ? amount(model, where, what) : movable(model, where, what);
      const auto reason = static_cast<TransferReason>(1 + dice_.below(3));
      return TransferMeter{where,
                           what,
                           to,
                           to_itself ? what : level(model, to),
                           dice_.one_in(10) || moved > Amount() ? moved : -moved,
                           reason,
                           note()};
    }
    case 5: return reopening(model, where);
    case 6: return AddPerson{new_person()};
    case 7: return RemovePerson{anybody(model)};
    case 8: {
      const Badge badge = anybody(model);
      const auto found = model.people().find(badge.text());
      const Department department =
          found == model.people().end() ? Department::finance : found->second.department;
      return SetRoles{badge, roles(department)};
    }
    case 9: {
      const std::string pin = "pin " + std::to_string(dice_.below(1'000));
      return ResetPin{anybody(model), dice_.one_in(20) ? std::string(257, 'p') : pin};
    }
    case 10: return enrol(model);
    case 11: {
      const EnrolmentKind kind = some_kind();
      return Revoke{kind, some_name(model, kind)};
    }
    case 12:
    case 13: return parameters(model);
    default: break;
  }
  if (dice_.percent(50)) return parameters(model);
  return repair(model).value_or(ResumeLink{where});
}

TimedInput PeopleTraffic::confirm(const NaiveModel& model, Timestamp now) {
  const auto& open = model.proposals();
  ProposalNumber number(dice_.below(model.last_proposal() + 2));
  if (!open.empty() && dice_.percent(90)) {
    auto one = open.end();
    std::advance(one, -1 - static_cast<std::ptrdiff_t>(dice_.below(
                               std::min<std::size_t>(open.size(), dice_.percent(80) ? 2 : 8))));
    number = ProposalNumber(one->first);
  }
  const auto found = open.find(number.value());
  TimedInput heard{now, PersonMessage{manager(model), Confirm{number, ""}}};
  if (found == open.end()) return heard;
  auto& message = std::get<PersonMessage>(heard.said);
  std::string text = naive_summary(found->second.act);
  if (dice_.one_in(25)) text += dice_.one_in(2) ? " " : "0";
  const Department first = model.people().at(found->second.by).department;
  message.by = one_with(
      model, first == Department::finance ? Role::table_games_manager : Role::finance_manager);
  if (is_enrolment(found->second.act) && dice_.one_in(3)) {
    message.by = one_with(model, Role::engineer);
  }
  if (dice_.one_in(8)) message.by = dice_.one_in(2) ? Badge(found->second.by) : manager(model);
  message.act = Confirm{number, text};
  const std::int64_t last = found->second.at.microseconds() + two_minutes_us;
  if (dice_.one_in(8) && last > now.microseconds()) {
    heard.now = Timestamp::from_microseconds(last + static_cast<std::int64_t>(dice_.below(2)));
  }
  return heard;
}

// Managers are rarely locked out: without them nothing is confirmed for a while.
SignIn PeopleTraffic::sign_in(const NaiveModel& model) {
  SignIn tried{anybody(model), dice_.percent(45), dice_.percent(30)};
  // A person with failures fails more often again, because five in a row are rare.
  for (const auto& [badge, person] : model.people()) {
    if (person.failures >= 2 && dice_.percent(30)) tried.badge = Badge(badge);
  }
  const auto found = model.people().find(tried.badge.text());
  if (found != model.people().end() && found->second.is_manager() && found->second.failures >= 3 &&
      !dice_.one_in(4)) {
    tried.is_good = true;
  }
  return tried;
}

std::optional<PersonMessage> PeopleTraffic::first_pin(const NaiveModel& model) {
  for (const auto& [badge, person] : model.people()) {
    if (!person.pin_is_others || person.removed || person.was_locked() || dice_.one_in(3)) continue;
    const std::string own = "own " + std::to_string(++pins_);
    return PersonMessage{Badge(badge), ChangePin{dice_.one_in(8) ? person.pin : own}};
  }
  return std::nullopt;
}

// Mostly one at a time, now and then more in a row than are allowed.
PersonMessage PeopleTraffic::proposal(const NaiveModel& model) {
  if (busy_left_ == 0 && dice_.one_in(25)) {
    busy_ = manager(model);
    busy_left_ = 10;
  }
  if (busy_left_ > 0) {
    --busy_left_;
    return {busy_, Propose{CorrectMeter{link(model), LevelId("main"), Amount::cents(1),
                                        CorrectionReason::count_variance, ""}}};
  }
  DualControlCommand act = dual_act(model);
  // A frozen table plays nothing, so it does not stay frozen for long.
  const bool is_frozen = std::any_of(model.tables().begin(), model.tables().end(),
                                     [](const NaiveTable& one) { return !one.frozen.empty(); });
  if (is_frozen && dice_.percent(25)) act = UnfreezeTable{a_frozen_table(model)};
  const bool is_engineers = is_enrolment(act) && dice_.percent(70);
  const Badge by = is_engineers ? one_with(model, Role::engineer) : manager(model);
  const bool is_own_key = std::holds_alternative<Enrol>(act) && dice_.one_in(12);
  return {by, Propose{std::move(act)}, is_own_key};
}

TimedInput PeopleTraffic::next(const NaiveModel& model, Timestamp now) {
  if (busy_left_ > 0 && dice_.percent(80)) return {now, proposal(model)};
  if (dice_.percent(25)) {
    if (auto change = first_pin(model)) return {now, std::move(*change)};
  }
  const std::size_t choice = dice_.below(100);
  if (choice < 42) return {now, claim_step(model)};
  if (choice < 44) return {now, PersonMessage{manager(model), SuspendLink{link(model), note()}}};
  if (choice < 45) return {now, freeze(model)};
  if (choice < 47) {
    return {now, PersonMessage{one_with(model, Role::poker_shift_supervisor),
                               PostNotice{link(model), dice_.one_in(2)}}};
  }
  if (choice < 51) return {now, correction(model)};
  if (choice < 67) return {now, proposal(model)};
  if (choice < 88) return confirm(model, now);
  if (choice < 90) {
    const std::size_t size = dice_.one_in(10) ? 257 : 1 + dice_.below(256);
    return {now, PersonMessage{anybody(model), ChangePin{std::string(size, 'q')}}};
  }
  TimedInput heard{now, sign_in(model)};
  // A temporary lock: at its last moment, or a moment later.
  const auto found = model.people().find(std::get<SignIn>(heard.said).badge.text());
  if (found != model.people().end() && found->second.is_manager() && found->second.is_locked(now) &&
      dice_.percent(70)) {
    heard.now = Timestamp::from_microseconds(found->second.locked_until_us -
                                             static_cast<std::int64_t>(dice_.below(2)));
  }
  return heard;
}

}  // namespace linkmeter
