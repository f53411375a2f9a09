// Person: an employee and the rights that the employee's roles give. A person has one department
// and one or more roles, and has a right only if one of the roles has it.
//
// Laws: all roles of a person belong to the person's department, so nobody can be both halves of
// dual control. No person has both the right to reset a meter (to validate a claim) and the right
// to alter (L11). A second signature resets nothing and pays nothing, because it only follows
// another person's validation; so a manager may have that right. A person who is locked
// (account_lock.h) or removed may do nothing. A PIN that somebody else made is known to two
// persons: until its owner has changed it, the owner may do nothing else.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The numbers are stored in the journal and never change.
enum class Department : std::uint8_t {
  table_games = 1,
  finance = 2,
  security = 3,
  systems = 4,
  oversight = 5,  // compliance, surveillance, laboratory
};

enum class Role : std::uint8_t {
  dealer = 1,
  floorperson = 2,
  poker_shift_supervisor = 3,
  table_games_manager = 4,
  cashier = 5,
  accountant = 6,
  finance_manager = 7,
  security_officer = 8,
  engineer = 9,
  auditor = 10,
};

enum class Right : std::uint8_t {
  run_rounds,          // lock, count, show, void with reason
  validate_claims,     // validate or reject a claim; this resets a meter
  verify_bad_beats,    // the same for a Bad Beat of Poker (§ 553.20(f))
  pay_claims,          // pay a validated claim
  resolve_counts,      // resolve a wrong chip count
  suspend_links,       // the safe direction: one person is enough
  alter,               // one half of: corrections, transfers, resuming a link, people
  enrol_tables,        // one half of: enrolling and revoking a table; a manager confirms
  confirm_enrolments,  // the other half
  countersign_claims,  // the second signature, if the ladder names the role
  issue_slips,         // issue and void slips
  post_notices,        // "pending adjustment" (§ 553.20(h))
  correct_hands,       // hands of an open round; this may reset a meter
  take_readings,       // readings of every meter, at any moment
  reconcile,           // explain a day's differences; the first signature of its report
  close_days,          // the second signature of a day's report
  count_money,         // boxes, chips, the fund that is kept
  witness_counts,      // witness the counts of others
  count_boxes,         // boxes of a closed poker table (§ 553.20(d)(1))
  carry_funds,         // carry boxes and containers to the cage (§ 553.20(d))
  witness_funds,       // witness where § 553.20 requires a floorperson or above
  adjust_displays,     // for finance (§ 553.20(h))
  freeze_tables,       // the safe direction: one person is enough
};

struct Person {
  Badge badge;
  std::string name;
  Department department = Department::table_games;
  std::set<Role> roles;
  std::string pin;  // salt and scrypt hash of the PIN, made outside the core; never the PIN
  std::uint32_t failures = 0;   // failed sign-ins since the last successful one
  Timestamp locked_until = {};  // 1970: not locked; until_new_pin: until a new PIN is set
  bool removed = false;
  // Somebody else made the PIN, and the person has not changed it yet.
  bool pin_set_by_other = false;
  // The persons who may have signed in as this person: those who issued a PIN to this person, and
  // those who may in turn have signed in as them. A PIN that the person chooses does not clear the
  // set, because one of them may have chosen it.
  std::set<Badge> known_to = {};
  std::string pin_before = {};  // the hash of the previous PIN; "": there was none
  friend bool operator==(const Person&, const Person&) = default;

  // Whether a role of this person has the right. A removed person has no right.
  [[nodiscard]] bool has(Right right) const;
  [[nodiscard]] bool is_locked(Timestamp now) const { return now < locked_until; }
  [[nodiscard]] bool may(Right right, Timestamp now) const { return has(right) && !is_locked(now); }
};

// Later than any moment: the lock does not end by itself.
inline constexpr Timestamp until_new_pin =
    Timestamp::from_microseconds(std::numeric_limits<std::int64_t>::max());

Department department_of(Role role);
bool has(Role role, Right right);
// Whether one person may have signed in as both. If so, they are not two persons for dual control.
bool may_be_same_person(const Person& one, const Person& other);
// Whether one person of the department may have these roles: all belong to the department, and
// together they do not combine rights that L11 separates.
bool may_combine_roles(Department department, const std::set<Role>& roles);

std::string_view name(Department department);
std::string_view name(Role role);
std::optional<Department> parse_department(std::string_view text);
std::optional<Role> parse_role(std::string_view text);

}  // namespace linkmeter
