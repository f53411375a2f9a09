// The standard staff of every test's house.
#pragma once

#include <string>
#include <vector>

#include "meters/values/person.h"

namespace linkmeter {

// Replaces the hash that the edge makes of a PIN; the core never interprets it.
inline std::string pin_of(const std::string& badge) { return "pin of " + badge; }

inline Person person_of(const std::string& badge, Department department, std::set<Role> roles) {
  Person person;
  person.badge = Badge(badge);
  person.name = "Person " + badge;
  person.department = department;
  person.roles = std::move(roles);
  person.pin = pin_of(badge);
  return person;
}

inline std::vector<Person> standard_staff() {
  return {person_of("C-1", Department::finance, {Role::cashier}),
          person_of("D-1", Department::table_games, {Role::dealer}),
          person_of("E-1", Department::systems, {Role::engineer}),
          person_of("F-1", Department::table_games, {Role::floorperson}),
          person_of("F-2", Department::table_games, {Role::floorperson}),
          person_of("FM-1", Department::finance, {Role::finance_manager}),
          person_of("PSS-1", Department::table_games, {Role::poker_shift_supervisor}),
          person_of("PSS-2", Department::table_games, {Role::poker_shift_supervisor}),
          person_of("TGM-1", Department::table_games, {Role::table_games_manager})};
}

}  // namespace linkmeter
