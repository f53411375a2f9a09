#include "meters/values/person.h"

#include <algorithm>
#include <array>

#include "meters/values/enum_names.h"

namespace linkmeter {

namespace {

struct RoleRule {
  Role role;
  Department department;
  std::string_view name;
  std::initializer_list<Right> rights;
};

constexpr std::initializer_list<Right> dealer_rights{Right::run_rounds, Right::count_boxes};
constexpr std::initializer_list<Right> floorperson_rights{
    Right::validate_claims, Right::resolve_counts, Right::countersign_claims, Right::issue_slips,
    Right::correct_hands,   Right::witness_counts, Right::witness_funds,      Right::freeze_tables};
constexpr std::initializer_list<Right> supervisor_rights{
    Right::verify_bad_beats, Right::issue_slips, Right::post_notices, Right::witness_funds};
constexpr std::initializer_list<Right> table_games_manager_rights{
    Right::suspend_links,      Right::alter,         Right::confirm_enrolments,
    Right::countersign_claims, Right::witness_funds, Right::freeze_tables};
constexpr std::initializer_list<Right> cashier_rights{Right::pay_claims, Right::issue_slips,
                                                      Right::count_money};
constexpr std::initializer_list<Right> accountant_rights{Right::take_readings, Right::reconcile};
constexpr std::initializer_list<Right> security_officer_rights{Right::witness_counts,
                                                               Right::carry_funds};
constexpr std::initializer_list<Right> finance_manager_rights{
    Right::suspend_links, Right::alter,           Right::confirm_enrolments, Right::take_readings,
    Right::close_days,    Right::adjust_displays, Right::freeze_tables};
constexpr std::initializer_list<Right> engineer_rights{Right::enrol_tables, Right::freeze_tables};
constexpr std::initializer_list<Right> no_rights{};

constexpr std::array role_rules{
    RoleRule{Role::dealer, Department::table_games, "dealer", dealer_rights},
    RoleRule{Role::floorperson, Department::table_games, "floorperson", floorperson_rights},
    RoleRule{Role::poker_shift_supervisor, Department::table_games, "poker_shift_supervisor",
             supervisor_rights},
    RoleRule{Role::table_games_manager, Department::table_games, "table_games_manager",
             table_games_manager_rights},
    RoleRule{Role::cashier, Department::finance, "cashier", cashier_rights},
    RoleRule{Role::accountant, Department::finance, "accountant", accountant_rights},
    RoleRule{Role::finance_manager, Department::finance, "finance_manager", finance_manager_rights},
    RoleRule{Role::security_officer, Department::security, "security_officer",
             security_officer_rights},
    RoleRule{Role::engineer, Department::systems, "engineer", engineer_rights},
    RoleRule{Role::auditor, Department::oversight, "auditor", no_rights},
};

constexpr EnumNames<Department::table_games, Department::oversight> department_names{
    "table_games", "finance", "security", "systems", "oversight"};

const RoleRule& rule_of(Role role) { return role_rules[static_cast<std::size_t>(role) - 1]; }

}  // namespace

Department department_of(Role role) { return rule_of(role).department; }

bool has(Role role, Right right) {
  const auto& rights = rule_of(role).rights;
  return std::find(rights.begin(), rights.end(), right) != rights.end();
}

bool may_be_same_person(const Person& one, const Person& other) {
  const auto knows = [](const Person& person, const Badge& badge) {
    return person.badge == badge || person.known_to.contains(badge);
  };
  return knows(one, other.badge) ||
         std::any_of(other.known_to.begin(), other.known_to.end(),
                     [&](const Badge& badge) { return knows(one, badge); });
}

bool may_combine_roles(Department department, const std::set<Role>& roles) {
  const auto any_has = [&roles](Right right) {
    return std::any_of(roles.begin(), roles.end(), [right](Role role) { return has(role, right); });
  };
  const bool is_of_department = std::all_of(
      roles.begin(), roles.end(), [&](Role role) { return department_of(role) == department; });
  const bool resets = any_has(Right::validate_claims) || any_has(Right::verify_bad_beats) ||
                      any_has(Right::pay_claims) || any_has(Right::issue_slips) ||
                      any_has(Right::correct_hands);
  return !roles.empty() && is_of_department && !(resets && any_has(Right::alter));
}

bool Person::has(Right right) const {
  return !removed && std::any_of(roles.begin(), roles.end(),
                                 [right](Role role) { return linkmeter::has(role, right); });
}

std::string_view name(Department department) { return department_names.of(department); }

std::string_view name(Role role) { return rule_of(role).name; }

std::optional<Department> parse_department(std::string_view text) {
  return department_names.parse(text);
}

std::optional<Role> parse_role(std::string_view text) {
  for (const RoleRule& rule : role_rules) {
    if (rule.name == text) return rule.role;
  }
  return std::nullopt;
}

}  // namespace linkmeter
