// House: after the faults. People repair what needs people, everything is delivered, the running
// day ends, and every day's report is explained, signed and closed.

#include <algorithm>
#include <set>

#include "controller/accounting/day/reports.h"
#include "tests/simulation/house.h"
#include "tests/support/keys.h"

namespace linkmeter {

namespace {

constexpr std::uint64_t steps_to_recover = 4'000;
constexpr std::uint64_t steps_at_once = 10;

// Items that the journal itself must keep at zero, whatever people and networks do.
bool is_of_journal(const std::string& item) {
  const std::set<std::string> kinds{"balance", "count", "rate", "paid", "control"};
  return kinds.contains(item.substr(0, item.find('/')));
}

}  // namespace

std::vector<Badge> House::able(Role role) const {
  std::vector<Badge> all;
  for (const auto& [badge, person] : judge_.model().people()) {
    if (person.is(role) && !person.removed && !person.was_locked()) all.emplace_back(badge);
  }
  return all;
}

Finding House::wait(std::uint64_t steps) {
  for (std::uint64_t step = 0; step < steps; ++step) {
    if (Finding no = go_on()) return no;
  }
  return std::nullopt;
}

// Waits until the person can be served; if another person made his PIN, he changes it.
Finding House::be_served(const Badge& by) {
  while (!controller_ || now_us_ < busy_until_us_) {
    if (Finding no = go_on()) return no;
  }
  now_us_ += 1'000;
  const auto person = judge_.model().people().find(by.text());
  if (person == judge_.model().people().end() || !person->second.pin_is_others) return std::nullopt;
  const OperatorCommand change = ChangePin{"new pin " + std::to_string(++pins_)};
  return turn({}, {PersonRequest{people_.new_peer(), by, true, change}});
}

// Submits an act and waits for the answer.
Finding House::act(const Badge& by, const OperatorCommand& act, const DayFinding* finding) {
  if (Finding no = be_served(by)) return no;
  PersonRequest asked;
  asked.peer = people_.new_peer();
  asked.badge = by;
  asked.act = act;
  if (finding != nullptr) asked.finding = people_.keep(*finding);
  asked.shown = signs_.shown();
  reply_ = {};
  return turn({}, {asked});
}

// By any two people of the two departments who may do it.
Finding House::dual(const DualControlCommand& act) {
  const bool is_keys = is_enrolment(act);
  const std::vector<Badge> first = able(is_keys ? Role::engineer : Role::finance_manager);
  std::vector<Badge> second = able(Role::table_games_manager);
  if (is_keys) {
    for (const Badge& one : able(Role::finance_manager)) second.push_back(one);
  }
  for (const Badge& one : first) {
    for (const Badge& other : second) {
      if (Finding no = this->act(one, Propose{act})) return no;
      if (reply_.refusal != Refusal::none) continue;
      const Confirm confirm{reply_.proposal, reply_.summary};
      if (Finding no = this->act(other, confirm)) return no;
      if (reply_.refusal == Refusal::none) return std::nullopt;
    }
  }
  return std::nullopt;
}

// Keys for tables that have none; tables that are frozen; links that are suspended.
Finding House::put_right() {
  for (const TableConfig& table : file_.floor.tables) {
    if (judge_.key_of_table(table.id.text()) != nullptr) continue;
    const auto& own = tables_[file_.floor.find_table(table.id)->value()]->key();
    if (Finding no = dual(Enrol{{EnrolmentKind::table, table.id.text(), own}})) return no;
    if (judge_.key_of_table(table.id.text()) != nullptr) continue;
    const std::string another = key_of("N" + std::to_string(++pins_));
    if (Finding no = dual(Enrol{{EnrolmentKind::table, table.id.text(), another}})) return no;
  }
  // Old frames that arrive late look like a second agent.
  for (std::uint32_t place = 0; place < file_.floor.tables.size(); ++place) {
    if (judge_.replayed().session(TableIndex(place)).frozen().empty()) continue;
    if (Finding no = dual(UnfreezeTable{file_.floor.tables[place].id})) return no;
  }
  for (std::size_t link = 0; link < judge_.model().books().size(); ++link) {
    if (judge_.model().books()[link].suspended.empty()) continue;
    if (Finding no = dual(ResumeLink{LinkId(judge_.model().terms()[link].id)})) return no;
    if (!judge_.model().books()[link].suspended.empty()) ++report_.unresumed;
  }
  return std::nullopt;
}

// A person sets the clock right, or two managers confirm it. Time passes meanwhile.
Finding House::put_clock_right() {
  if (judge_.clock().is_doubted() && dice_.one_in(2)) {
    ahead_us_ = judge_.clock().trusted_us();
    now_us_ += 6'000'000;
    if (Finding no = wait(steps_at_once)) return no;
  }
  for (int tries = 0; judge_.replayed().clock().doubt && tries < 3; ++tries) {
    const ClockDoubt doubt = *judge_.replayed().clock().doubt;
    if (Finding no = dual(ConfirmClock{doubt.entry, doubt.fact.by_us})) return no;
    now_us_ += 61'000'000;  // a changed doubt is not entered at once
    if (Finding no = wait(steps_at_once)) return no;
  }
  return std::nullopt;
}

Finding House::recover() {
  const bool was_torn = faults_.torn_rows;
  const bool is_copied = faults_.old_copy;
  faults_ = Faults::none();
  is_healed_ = true;
  network_.heal();
  people_.go_home();
  asked_.clear();
  fails_until_us_ = 0;
  disk_.set_failing(false);
  // A start checks every row; a running controller checks only those of links.
  if (was_torn) stop_controller();
  if (Finding no = wait(20)) return no;
  if (Finding no = put_clock_right()) return no;
  if (judge_.replayed().clock().doubt) {  // nobody is left who may confirm it
    ++report_.unresumed;
    return std::nullopt;
  }
  if (Finding no = put_right()) return no;
  const bool has_all_keys = std::all_of(
      file_.floor.tables.begin(), file_.floor.tables.end(),
      [this](const auto& table) { return judge_.key_of_table(table.id.text()) != nullptr; });
  if (!has_all_keys) {  // the people who could enrol are gone, or count as one hand
    ++report_.unenrolled;
    return std::nullopt;
  }
  for (std::uint64_t step = 0; !all_done(); step += steps_at_once) {
    if (step > steps_to_recover) return undone_text();
    if (Finding no = wait(steps_at_once)) return no;
  }
  // A doubt may have been entered since then: no day ends before it is settled.
  if (Finding no = put_clock_right()) return no;
  if (judge_.replayed().clock().doubt) {
    ++report_.unresumed;
    return std::nullopt;
  }
  if (Finding no = end_last_day()) return no;
  if (Finding no = close_days()) return no;
  if (Finding no = wait(40)) return no;  // more than the second after which signs are updated again
  if (!signs_.all_fresh(now_us_)) return "end: a sign is not fresh";
  if (Finding no = judge_.finish(disk_)) return no;
  return is_copied ? put_back_old_copy() : std::nullopt;
}

// The tables report their counts, and the day is over.
Finding House::end_last_day() {
  const std::size_t ended = judge_.replayed().days().size();
  const Calendar calendar(file_.timezone, file_.gaming_day_start);
  const Timestamp end = controller_->day_ends_at(calendar);
  now_us_ += std::max<std::int64_t>(end.microseconds() - now().microseconds(), 0);
  for (std::uint64_t step = 0; step < steps_to_recover; step += steps_at_once) {
    if (Finding no = wait(steps_at_once)) return no;
    const bool has_ended = judge_.replayed().days().size() > ended;
    if (has_ended && all_done() && step > 30) return std::nullopt;
  }
  if (judge_.replayed().days().size() <= ended) {
    return "end: the day does not end" +
           std::string(judge_.replayed().clock().doubt ? ": the clock is in doubt" : "");
  }
  return "after the end of the day: " + undone_text();
}

Finding House::close_days() {
  for (std::size_t at = 0; at < judge_.replayed().days().size(); ++at) {
    const DayRecord record = judge_.replayed().days()[at];
    if (record.is_closed()) continue;
    if (Finding no = close_day(record)) return no;
    if (!judge_.replayed().days()[at].is_closed()) {
      ++report_.unclosed;  // nobody is left who may, or those who may count as one hand
      return std::nullopt;
    }
    ++report_.closed;
  }
  return std::nullopt;
}

// All open items, in one turn: one person would explain them one after the other.
Finding House::explain_all(const Badge& by, GamingDay day, const DayFinding& read,
                           bool& explained) {
  std::vector<PersonRequest> all;
  const DayFinding* const finding = people_.keep(read);
  for (const auto& [name, item] : read.items) {
    if (!item.is_open) continue;
    PersonRequest asked{people_.new_peer(), by, true,
                        ExplainVariance{day, name, item.difference, "it was trouble", {}}};
    asked.finding = finding;
    all.push_back(std::move(asked));
  }
  explained = explained || !all.empty();
  if (all.empty()) return std::nullopt;
  if (Finding no = be_served(by)) return no;
  return turn({}, all);
}

Finding House::close_day(const DayRecord& record) {
  const std::vector<Badge> accountants = able(Role::accountant);
  const std::vector<Badge> managers = able(Role::finance_manager);
  const auto report = [this, &record] {
    const std::vector<DayRecord>& days = judge_.replayed().days();
    const auto now = std::find_if(days.begin(), days.end(), [&record](const DayRecord& one) {
      return one.day == record.day;
    });
    return day_report(disk_, days, record.day, report_as_of(*now));
  };
  DayReport made = report();
  for (const auto& [name, item] : made.finding.items) {
    if (is_of_journal(name)) {
      return "day: the report of " + text(record.day) + " has " + name + " " + item.difference;
    }
  }
  bool is_explained = false;
  for (const Badge& first : accountants) {
    if (Finding no = explain_all(first, record.day, made.finding, is_explained)) return no;
    if (is_explained) made = report();
    if (Finding no = act(first, SignDay{record.day, made.digest}, &made.finding)) return no;
    for (const Badge& second : managers) {
      if (Finding no = act(second, CloseDay{record.day, made.digest}, &made.finding)) return no;
      if (reply_.refusal == Refusal::none) return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace linkmeter
