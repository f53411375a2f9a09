#include "tests/simulation/simulated_people.h"

#include <variant>

#include "tests/support/keys.h"

namespace linkmeter {

namespace {

bool is_of_staff(const DualControlCommand& act) {
  return std::holds_alternative<AddPerson>(act) || std::holds_alternative<RemovePerson>(act) ||
         std::holds_alternative<SetRoles>(act) || std::holds_alternative<ResetPin>(act);
}

// Acts that a run without this kind of fault leaves out.
bool is_left_out(const OperatorCommand& act, const Faults& faults) {
  const auto* propose = std::get_if<Propose>(&act);
  if (propose == nullptr) return false;
  if (std::holds_alternative<ChangeParameters>(propose->act)) return true;
  if (is_of_staff(propose->act)) return !faults.staff_changes;
  return is_enrolment(propose->act) && !faults.revoked_keys;
}

// Managers are not locked out: without them nothing could be confirmed any more.
bool may_mistype(const NaiveModel& model, const Badge& badge) {
  const auto found = model.people().find(badge.text());
  return found == model.people().end() || !found->second.is_manager() || found->second.failures < 2;
}

}  // namespace

// An engineer revokes a table's key or gives it another one; a manager may confirm it.
PersonRequest SimulatedPeople::about_keys(const NaiveModel& model) {
  const std::string& table = dice_.pick(model.tables()).id;
  PersonRequest asked;
  asked.badge = Badge("E-1");
  asked.source = RequestSource::control;
  if (dice_.one_in(2)) {
    asked.act = Propose{Revoke{EnrolmentKind::table, table}};
  } else {
    const std::string key = key_of("S" + std::to_string(count_));
    asked.act = Propose{Enrol{{EnrolmentKind::table, table, key}}};
  }
  return asked;
}

std::optional<PersonRequest> SimulatedPeople::think(const Faults& faults, const NaiveModel& model,
                                                    Timestamp now) {
  if (faults.revoked_keys && dice_.one_in(12)) return about_keys(model);
  TimedInput heard = dice_.one_in(5) ? days_.next(model, now) : people_.next(model, now);
  PersonRequest asked;
  if (const auto* sign_in = std::get_if<SignIn>(&heard.said)) {
    asked.badge = sign_in->badge;
    asked.is_good = sign_in->is_good || !faults.wrong_pins || !may_mistype(model, asked.badge);
  } else if (auto* message = std::get_if<PersonMessage>(&heard.said)) {
    if (is_left_out(message->act, faults)) return std::nullopt;
    asked.badge = message->by;
    asked.act = std::move(message->act);
    asked.is_witnessed = message->is_witnessed;
    if (heard.finding) asked.finding = keep(std::move(*heard.finding));
    asked.shown = std::move(heard.shown);
    if (faults.wrong_pins && dice_.one_in(12)) asked.is_good = !may_mistype(model, asked.badge);
  } else {
    return std::nullopt;  // a message that no person sends
  }
  const std::vector<RequestSource> sources{RequestSource::control, RequestSource::web,
                                           RequestSource::table};
  asked.source = dice_.pick(sources);
  return asked;
}

void SimulatedPeople::send(PersonRequest asked, std::int64_t at_us) {
  asked.peer = new_peer();
  on_the_way_.emplace(std::pair(at_us, count_), std::move(asked));
}

void SimulatedPeople::step(const Faults& faults, const NaiveModel& model, Timestamp now,
                           std::int64_t steady_us) {
  if (!faults.people || !dice_.percent(20)) return;
  const std::size_t count = dice_.one_in(4) ? 3 : 1;
  for (std::size_t one = 0; one < count; ++one) {
    auto asked = think(faults, model, now);
    if (asked) send(std::move(*asked), steady_us + dice_.between(0, 200'000));
  }
}

std::vector<PersonRequest> SimulatedPeople::arrive(std::int64_t steady_us) {
  std::vector<PersonRequest> arrived;
  while (!on_the_way_.empty() && on_the_way_.begin()->first.first <= steady_us) {
    arrived.push_back(std::move(on_the_way_.begin()->second));
    on_the_way_.erase(on_the_way_.begin());
  }
  return arrived;
}

void SimulatedPeople::unanswered(const std::vector<PersonRequest>& asked, std::int64_t steady_us) {
  for (const PersonRequest& one : asked) {
    if (one.is_good && !are_home_ && dice_.percent(60))
      send(one, steady_us + dice_.between(0, 900'000));
  }
}

}  // namespace linkmeter
