// YearHouse: a whole house over many gaming days, without network and clock: the real core and a
// real journal, tables that deal from a seed, and people who settle, count, explain and sign.
//
// It computes the contents of tables and boxes from the commands, never from the state.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/accounting/day/day_report.h"
#include "controller/store/journal.h"
#include "controller/time/calendar.h"
#include "meters/facts/table_command.h"
#include "meters/rules/decide.h"
#include "meters/state/state.h"
#include "table-agent/simulator/deal_driver.h"

namespace linkmeter {

// The people of the house; each has a PIN of his own.
std::vector<Person> year_staff();

class YearHouse {
 public:
  // Opens the floor in an empty journal, which must outlive this object, at the beginning of
  // `first`.
  YearHouse(Journal& journal, FloorFile floor, GamingDay first, std::uint64_t seed);
  // Continues in a journal that contains only entry 1.
  struct Opened {};
  YearHouse(Journal& journal, FloorFile floor, GamingDay first, std::uint64_t seed, Opened);

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Floor& floor() const { return state_.floor(); }
  [[nodiscard]] const Calendar& calendar() const { return calendar_; }
  [[nodiscard]] GamingDay today() const { return today_; }
  [[nodiscard]] Timestamp now() const { return now_; }
  void set_now(Timestamp now) { now_ = now; }

  // The whole next round of a table; its claims are settled at once unless they must wait.
  // `sent_at`: the agent's clock; nullopt: the controller's clock.
  void deal(TableIndex table, std::optional<Timestamp> sent_at = {}, bool claims_wait = false);
  // The links of the last round's wagers.
  [[nodiscard]] const std::set<LinkIndex>& last_links() const { return last_links_; }
  // Raised claims that wait.
  [[nodiscard]] std::vector<ClaimNumber> open_claims() const;
  void settle(ClaimNumber claim);
  void reject(ClaimNumber claim);
  // Two managers correct a meter, or transfer between two meters.
  void dual(const DualControlCommand& act);
  void act(const std::string& badge, OperatorCommand act, const DayFinding* finding = nullptr);
  // A fact without a decision, recorded by the system itself.
  void note(Fact fact);
  // Restores a backup of this very moment; two managers accept it.
  void restore_backup();
  // From now on the link takes no contributions.
  void stop_collecting(LinkIndex link);
  void suspend_by_itself(LinkIndex link, const std::string& why);

  // Ends the day. `shown` is what the signs showed; nullopt: the truth.
  void end_day(std::optional<ShownAmounts> shown = {});
  [[nodiscard]] ShownAmounts true_signs() const;
  // Reports the table's counts; a lost wager stays lost.
  void tell_counters(TableIndex table);
  void lose_a_wager(TableIndex table, LinkIndex link);
  // The contributions of the poker table since the last count.
  [[nodiscard]] Amount take_box(TableIndex table);

  // Writes everything that is not on disk yet.
  void commit();
  [[nodiscard]] Journal& journal() { return journal_; }

 private:
  struct Dealing {
    std::optional<DealDriver> play;
    std::uint64_t round = 0;
    std::map<LinkIndex, LinkCount> counts;
    Amount box;
  };

  void say(TableIndex table, TableCommand command, Timestamp sent_at);
  void count(TableIndex table, const TableCommand& command);
  void count_wagers(TableIndex table, const std::vector<AskedWager>& wagers, bool back);
  void enter(const Entry& entry);

  Journal& journal_;
  FloorFile file_;
  Calendar calendar_;
  State state_;
  std::vector<Dealing> tables_;
  GamingDay today_;
  Timestamp now_;
  std::set<LinkIndex> last_links_, stopped_;
  std::map<RoundId, std::vector<AskedWager>> locked_;  // of the round that is being dealt
  std::vector<std::string> entries_;                   // to be committed
};

}  // namespace linkmeter
