#include <iostream>
#include <string>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/or_null.h"
#include "controller/cli/shell/text_table.h"
#include "controller/time/clock.h"
#include "controller/time/time_text.h"
#include "meters/values/person.h"

namespace linkmeter::cli {

namespace {

std::string_view standing(const Person& person, Timestamp now) {
  if (person.removed) return "removed";
  return person.is_locked(now) ? "locked" : "active";
}

bool ends_by_itself(const Person& person, Timestamp now) {
  return !person.removed && person.is_locked(now) && person.locked_until != until_new_pin;
}

Json person_json(const Person& person, Timestamp now) {
  Json roles = Json::array();
  for (const Role role : person.roles) roles.push_back(name(role));
  return Json{{"badge", person.badge.text()},
              {"name", person.name},
              {"department", name(person.department)},
              {"roles", std::move(roles)},
              {"state", standing(person, now)},
              {"locked_until",
               ends_by_itself(person, now) ? Json(text(person.locked_until)) : Json(nullptr)},
              {"failures", person.failures},
              {"pin_is_given", person.pin_is_given}};
}

// What people are told; programs have pin_is_given beside the state.
std::string shown_standing(const Person& person, Timestamp now) {
  if (ends_by_itself(person, now)) {
    return "locked to " + text(person.locked_until).substr(11, 5) + "Z";
  }
  const bool is_waiting = person.pin_is_given && !person.removed && !person.is_locked(now);
  return is_waiting ? "PIN given" : std::string(standing(person, now));
}

void print_people(const State& state, Timestamp now) {
  Column badge{"badge", true}, called{"name", true}, department{"department", true},
      stands{"state", true}, roles{"roles", true};
  for (const auto& [id, person] : state.people()) {
    std::string all_roles;
    for (const Role role : person.roles) {
      all_roles += (all_roles.empty() ? "" : " ") + std::string(name(role));
    }
    badge.cells.push_back(id.text());
    called.cells.push_back(person.name);
    department.cells.emplace_back(name(person.department));
    stands.cells.push_back(shown_standing(person, now));
    roles.cells.push_back(all_roles);
  }
  for (const std::string& line : table_lines({badge, called, department, stands, roles})) {
    std::cout << line << '\n';
  }
}

}  // namespace

int people(const Source& from, bool as_json) {
  const State state = current_state(*open_data(from));
  const Timestamp now = Clock().now();
  if (!as_json) {
    print_people(state, now);
    return 0;
  }
  Json all = Json::array();
  for (const auto& [badge, person] : state.people()) all.push_back(person_json(person, now));
  std::cout << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
