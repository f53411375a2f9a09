// Year house: a whole house over many gaming days, without network and clock: the real core and a
// real journal, tables that deal from a seed, and people who settle, count, explain and sign.
//
// What tables and boxes hold is counted here by itself, from what was said; never read from the
// state.
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

// The people of the house, all of whom have PINs of their own.
std::vector<Person> year_staff();

class YearHouse {
 public:
  // Opens the floor in an empty journal, which must outlive this, at the begin of `first`.
  YearHouse(Journal& journal, FloorFile floor, GamingDay first, std::uint64_t seed);
  // Goes on in one that holds entry 1 alone.
  struct Opened {};
  YearHouse(Journal& journal, FloorFile floor, GamingDay first, std::uint64_t seed, Opened);

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Floor& floor() const { return state_.floor(); }
  [[nodiscard]] const Calendar& calendar() const { return calendar_; }
  [[nodiscard]] GamingDay today() const { return today_; }
  [[nodiscard]] Timestamp now() const { return now_; }
  void set_now(Timestamp now) { now_ = now; }

  // The next round of a table, whole; its claims are settled at once, unless they are to wait.
  // `sent_at`: the agent's clock; nothing: as the controller's.
  void deal(TableIndex table, std::optional<Timestamp> sent_at = {}, bool claims_wait = false);
  // Links that the last round's wagers lay on.
  [[nodiscard]] const std::set<LinkIndex>& last_links() const { return last_links_; }
  // Raised, and waiting.
  [[nodiscard]] std::vector<ClaimNumber> open_claims() const;
  void settle(ClaimNumber claim);
  void reject(ClaimNumber claim);
  // Two managers correct a meter, or move from one to another.
  void dual(const DualControlCommand& act);
  void act(const std::string& badge, OperatorCommand act, const DayFinding* finding = nullptr);
  // Without a decision: what the system notes of itself.
  void note(Fact fact);
  // A backup of this very moment is restored: two managers accept it.
  void restore_backup();
  // Nothing is taken for it from here on.
  void stop_collecting(LinkIndex link);
  void suspend_by_itself(LinkIndex link, const std::string& why);

  // The day ends; `shown` is what the signs told, nothing: the truth.
  void end_day(std::optional<ShownAmounts> shown = {});
  [[nodiscard]] ShownAmounts true_signs() const;
  // What the table has counted; a lost wager stays lost.
  void tell_counters(TableIndex table);
  void lose_a_wager(TableIndex table, LinkIndex link);
  // The contributions of the poker table since they were last counted.
  [[nodiscard]] Amount take_box(TableIndex table);

  // What is not on disk yet, is.
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
