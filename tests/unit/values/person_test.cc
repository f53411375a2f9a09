#include "meters/values/person.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/support/staff.h"

namespace linkmeter::person_test {
namespace {

constexpr int role_last = static_cast<int>(Role::auditor);
constexpr int right_last = static_cast<int>(Right::freeze_tables);

std::vector<Role> all_roles() {
  std::vector<Role> roles;
  for (int number = 1; number <= role_last; ++number) roles.push_back(static_cast<Role>(number));
  return roles;
}

bool resets(Role role) {
  return has(role, Right::validate_claims) || has(role, Right::verify_bad_beats) ||
         has(role, Right::pay_claims) || has(role, Right::correct_hands);
}

using Roles = std::vector<Role>;

Roles who(Right right) {
  Roles able;
  for (const Role role : all_roles()) {
    if (has(role, right)) able.push_back(role);
  }
  return able;
}

}  // namespace

TEST_CASE("roles and departments have stable names, which are parsed back") {
  for (const Role role : all_roles()) CHECK_EQ(parse_role(name(role)), role);
  CHECK_FALSE(parse_role("pit_boss").has_value());
  for (int number = 1; number <= 5; ++number) {
    const auto department = static_cast<Department>(number);
    CHECK_EQ(parse_department(name(department)), department);
  }
  CHECK_FALSE(parse_department("").has_value());
}

TEST_CASE(
    "nobody may both reset PINs and change parameters (L11) or have roles of two departments") {
  for (const Role role : all_roles()) {
    CHECK_FALSE((resets(role) && has(role, Right::alter)));
    CHECK(may_combine_roles(department_of(role), {role}));
    for (const Role other : all_roles()) {
      const bool one_department = department_of(role) == department_of(other);
      const bool apart =
          (resets(role) && has(other, Right::alter)) || (resets(other) && has(role, Right::alter));
      CHECK_EQ(may_combine_roles(department_of(role), {role, other}), one_department && !apart);
    }
  }
}

TEST_CASE("the roles that countersign, issue slips, post notices and correct hands") {
  CHECK_EQ(who(Right::countersign_claims), Roles{Role::floorperson, Role::table_games_manager});
  CHECK_EQ(who(Right::issue_slips),
           Roles{Role::floorperson, Role::poker_shift_supervisor, Role::cashier});
  CHECK_EQ(who(Right::post_notices), Roles{Role::poker_shift_supervisor});
  CHECK_EQ(who(Right::correct_hands), Roles{Role::floorperson});
}

TEST_CASE("the roles that count boxes, carry them, supervise tables and adjust displays") {
  CHECK_EQ(who(Right::count_boxes), Roles{Role::dealer});
  CHECK_EQ(who(Right::carry_funds), Roles{Role::security_officer});
  CHECK_EQ(who(Right::witness_funds),
           Roles{Role::floorperson, Role::poker_shift_supervisor, Role::table_games_manager});
  CHECK_EQ(who(Right::adjust_displays), Roles{Role::finance_manager});
  CHECK_EQ(who(Right::freeze_tables), Roles{Role::floorperson, Role::table_games_manager,
                                            Role::finance_manager, Role::engineer});
}

TEST_CASE("each dual-control act has proposers and confirmers in two departments") {
  for (const Role role : all_roles()) {
    const bool is_manager = role == Role::table_games_manager || role == Role::finance_manager;
    CHECK_EQ(has(role, Right::alter), is_manager);
  }
  CHECK_NE(department_of(Role::table_games_manager), department_of(Role::finance_manager));
}

TEST_CASE("an auditor reads, and has no right to change anything") {
  for (int right = 0; right <= right_last; ++right) {
    CHECK_FALSE(has(Role::auditor, static_cast<Right>(right)));
  }
}

TEST_CASE("a locked or removed person may do nothing until the lock ends") {
  Person person = person_of("F-1", Department::table_games, {Role::floorperson});
  CHECK(person.has(Right::validate_claims));
  CHECK_FALSE(person.has(Right::pay_claims));
  const auto at = [](std::int64_t us) { return Timestamp::from_microseconds(us); };
  person.locked_until = at(5);
  CHECK(person.is_locked(at(4)));
  CHECK_FALSE(person.may(Right::validate_claims, at(4)));
  CHECK(person.may(Right::validate_claims, at(5)));
  CHECK_FALSE(person.may(Right::pay_claims, at(5)));
  person.removed = true;
  CHECK_FALSE(person.has(Right::validate_claims));
}

}  // namespace linkmeter::person_test
