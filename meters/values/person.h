// Person: who may do what. A person has one department and one or more roles; a right that none of
// the roles has is not had.
//
// Laws: a person's roles are all of his department, so nobody can be both halves of dual control;
// the right to reset a meter (to validate a claim) and the right to alter are never one person's
// (L11); a second signature resets nothing and pays nothing, for it stands only on what somebody
// else has validated: so a manager may have it; who is locked (lock_out.h) or removed may do
// nothing. A PIN that
// somebody else has made is known to two: until its person has changed it he may do nothing else.
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

// Numbers are in the journal: for ever.
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
  resolve_counts,      // after a wrong chip count
  suspend_links,       // the safe direction: one person is enough
  alter,               // one half of: corrections, transfers, resuming a link, people
  enrol_tables,        // one half of: enrolling and revoking a table; a manager confirms
  confirm_enrolments,  // the other half
  countersign_claims,  // the second signature, where the ladder names the role
  issue_slips,         // issue and void them
  post_notices,        // "pending adjustment" (§ 553.20(h))
  correct_hands,       // of an open round; this may reset a meter
  take_readings,       // of every meter, at any moment
  reconcile,           // explain a day's differences, and sign its report first
  close_days,          // the second signature
  count_money,         // boxes, chips, the fund that is kept
  witness_counts,      // see others count
  count_boxes,         // of a closed poker table (§ 553.20(d)(1))
  carry_funds,         // boxes and containers to the cage (§ 553.20(d))
  witness_funds,       // a floorperson or above, where § 553.20 asks for one
  adjust_displays,     // for finance (§ 553.20(h))
  freeze_tables,       // the safe direction: one person is enough
};

struct Person {
  Badge badge;
  std::string name;
  Department department = Department::table_games;
  std::set<Role> roles;
  std::string pin;              // what the edge made of it (salt and scrypt hash); never the PIN
  std::uint32_t failures = 0;   // failed sign-ins since the last good one
  Timestamp locked_until = {};  // 1970: not locked; until_new_pin: until a new PIN is set
  bool removed = false;
  bool pin_is_given = false;  // by others, and not changed since
  // Who may have signed in as this person: who gave him his PIN, and who might have been that one.
  // A PIN of his own does not clear it, for somebody of these may have made it.
  std::set<Badge> known_to = {};
  std::string pin_before = {};  // the seal of the PIN before this one; "": there was none
  friend bool operator==(const Person&, const Person&) = default;

  // Does a role of this person have the right? Nobody who is removed has one.
  [[nodiscard]] bool has(Right right) const;
  [[nodiscard]] bool is_locked(Timestamp now) const { return now < locked_until; }
  [[nodiscard]] bool may(Right right, Timestamp now) const { return has(right) && !is_locked(now); }
};

// Later than any moment: the lock does not end by itself.
inline constexpr Timestamp until_new_pin =
    Timestamp::from_microseconds(std::numeric_limits<std::int64_t>::max());

Department department_of(Role role);
bool has(Role role, Right right);
// Could one person stand behind both? Then they are not the two that dual control asks for.
bool may_be_one_hand(const Person& one, const Person& other);
// May one person of the department have these roles? All are of the department, and no two of them
// bring together the rights that L11 keeps apart.
bool may_be_one_persons(Department department, const std::set<Role>& roles);

std::string_view name(Department department);
std::string_view name(Role role);
std::optional<Department> parse_department(std::string_view text);
std::optional<Role> parse_role(std::string_view text);

}  // namespace linkmeter
