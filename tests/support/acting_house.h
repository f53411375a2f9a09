// ActingHouse: the mixed floor with accounting staff, opened on a calendar date, and its gaming
// days, which begin at 06:00 in New York.
//
// In addition to the standard staff: accountants, FM-2 a finance manager who is also an
// accountant, SO-1 a security officer, AUD-1 an auditor.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "meters/rules/decide_day.h"
#include "meters/rules/laws.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter {

// In UTC.
inline Timestamp moment(int year, unsigned month, unsigned day, int hour, int minute = 0) {
  using namespace std::chrono;
  const sys_days date =
      year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day));
  const auto moment = date + hours(hour) + minutes(minute);
  return Timestamp::from_microseconds(
      duration_cast<microseconds>(moment.time_since_epoch()).count());
}

inline GamingDay day_named(const std::string& name) { return parse_gaming_day(name).value(); }

inline std::vector<Person> acting_staff() {
  std::vector<Person> staff = standard_staff();
  staff.push_back(person_of("A-1", Department::finance, {Role::accountant}));
  staff.push_back(person_of("A-2", Department::finance, {Role::accountant}));
  staff.push_back(person_of("AUD-1", Department::oversight, {Role::auditor}));
  staff.push_back(
      person_of("FM-2", Department::finance, {Role::accountant, Role::finance_manager}));
  staff.push_back(person_of("SO-1", Department::security, {Role::security_officer}));
  return staff;
}

struct ActingHouse : MixedFloor {
  explicit ActingHouse(Timestamp opened = moment(2026, 11, 20, 15)) : now(opened) {
    opening = open_floor(FloorOpened{file.floor, file.text, file.catalogue_texts, acting_staff(),
                                     keys_of(file.floor)},
                         opened);
    state = State();
    state.apply(opening);
  }
  // The entry that the core makes of a person's act, with this report and these signs.
  [[nodiscard]] Entry asked(const std::string& badge, OperatorCommand act,
                            const DayFinding* finding = nullptr,
                            const ShownAmounts* shown = nullptr) const {
    PersonMessage message{Badge(badge), std::move(act)};
    message.finding = finding;
    message.shown = shown;
    message.is_witnessed = is_witnessed;
    return std::get<Entry>(decide(state, file.rules, message, now));
  }
  // The day ends at `ends_at`; the time is then a moment later.
  Entry end_day(const std::string& day, Timestamp ends_at) {
    now = ends_at.after(1'000);
    Entry entry =
        std::get<Entry>(decide(state, FloorRules(), DayEnd{day_named(day), ends_at, {}}, now));
    state.apply(entry);
    return entry;
  }

  Timestamp now;
  bool is_witnessed = true;  // a second person gave a right PIN, where the act needs one
};

}  // namespace linkmeter
