#include <algorithm>
#include <iomanip>
#include <iostream>

#include "controller/cli/commands.h"
#include "controller/cli/or_null.h"
#include "meters/person.h"

namespace linkmeter::cli {

namespace {

std::string_view standing(const Person& person) {
  if (person.removed) return "removed";
  return person.is_locked() ? "locked" : "active";
}

Json person_json(const Person& person) {
  Json roles = Json::array();
  for (const Role role : person.roles) roles.push_back(name(role));
  return Json{{"badge", person.badge.text()},
              {"name", person.name},
              {"department", name(person.department)},
              {"roles", std::move(roles)},
              {"state", standing(person)},
              {"failures", person.failures},
              {"pin_is_given", person.pin_is_given}};
}

// What people are told; programs have pin_is_given beside the state.
std::string_view shown_standing(const Person& person) {
  const bool is_waiting = person.pin_is_given && !person.removed && !person.is_locked();
  return is_waiting ? "PIN given" : standing(person);
}

void print_people(const State& state) {
  std::size_t widest = 4;
  for (const auto& [badge, person] : state.people()) {
    widest = std::max(widest, person.name.size());
  }
  const int name_width = static_cast<int>(widest) + 2;
  std::cout << std::left << std::setw(10) << "badge" << std::setw(name_width) << "name"
            << std::setw(13) << "department" << std::setw(11) << "state"
            << "roles\n";
  for (const auto& [badge, person] : state.people()) {
    std::cout << std::left << std::setw(10) << badge.text() << std::setw(name_width) << person.name
              << std::setw(13) << name(person.department) << std::setw(11)
              << shown_standing(person);
    const char* before = "";
    for (const Role role : person.roles) {
      std::cout << before << name(role);
      before = " ";
    }
    std::cout << '\n';
  }
}

}  // namespace

int people(const std::filesystem::path& data, bool as_json) {
  const State state = current_state(*open_data(data));
  if (!as_json) {
    print_people(state);
    return 0;
  }
  Json all = Json::array();
  for (const auto& [badge, person] : state.people()) all.push_back(person_json(person));
  std::cout << all.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
