// Naive people: who may do what, written a second time from the table of people (L11) and not from
// the core's code: a right here is a simple test of roles.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "meters/facts/operator_command.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct NaivePerson {
  std::string name;
  Department department = Department::table_games;
  std::set<Role> roles;
  std::string pin;
  std::uint64_t failures = 0;
  std::int64_t locked_until_us = 0;  // by wrong PINs; the largest value: until he gets a new PIN
  bool removed = false;
  bool pin_is_others = false;  // others chose his PIN, and he has not changed it since
  // Everybody who could use his badge: each person through whom his PIN came.
  std::set<std::string> behind;

  static NaivePerson of(const Person& person);
  [[nodiscard]] bool is(Role role) const { return roles.count(role) != 0; }
  // One of two persons of dual control; suspends a link alone.
  [[nodiscard]] bool is_manager() const {
    return is(Role::table_games_manager) || is(Role::finance_manager);
  }
  // Enrols tables with a manager.
  [[nodiscard]] bool is_engineer() const { return is(Role::engineer); }
  [[nodiscard]] bool is_locked(Timestamp now) const { return now.microseconds() < locked_until_us; }
  // Since the last right PIN, whether or not the lock has ended.
  [[nodiscard]] bool was_locked() const { return locked_until_us != 0; }
};

// Of one department; and a person who works on claims may not change anything else (L11).
bool may_go_together(Department department, const std::set<Role>& roles);

// Whether he may be one of the two persons for this act.
bool may_be_half(const NaivePerson& person, const DualControlCommand& act);

// The text that both persons read.
std::string naive_summary(const DualControlCommand& act);
// "reject_claim": the name of a refused act.
std::string naive_act_name(const OperatorCommand& act);

}  // namespace linkmeter
