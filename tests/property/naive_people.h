// Naive people: who may do what, written a second time from the table of people (L11) and not from
// the core's: a right here is a plain question about roles.
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
  std::int64_t locked_until_us = 0;  // by wrong PINs; the largest: until he gets a new one
  bool removed = false;
  bool pin_is_others = false;  // others chose his PIN, and he has not made one of his own since
  // Everybody who could sit behind his badge: each a name on the way by which his PIN came.
  std::set<std::string> behind;

  static NaivePerson of(const Person& person);
  [[nodiscard]] bool is(Role role) const { return roles.count(role) != 0; }
  // Half of dual control; suspends a link alone.
  [[nodiscard]] bool is_manager() const {
    return is(Role::table_games_manager) || is(Role::finance_manager);
  }
  // Enrols tables with a manager.
  [[nodiscard]] bool is_engineer() const { return is(Role::engineer); }
  [[nodiscard]] bool is_locked(Timestamp now) const { return now.microseconds() < locked_until_us; }
  // Since the last right PIN, whether or not it has ended.
  [[nodiscard]] bool was_locked() const { return locked_until_us != 0; }
};

// One department's, and nobody who looks after claims alters anything (L11).
bool may_go_together(Department department, const std::set<Role>& roles);

// Half of this very act.
bool may_be_half(const NaivePerson& person, const DualControlCommand& act);

// What both persons read.
std::string naive_summary(const DualControlCommand& act);
// "reject_claim": what a refused act is called.
std::string naive_act_name(const OperatorCommand& act);

}  // namespace linkmeter
