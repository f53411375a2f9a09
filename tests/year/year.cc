#include "tests/year/year.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "meters/rules/discontinuation.h"
#include "meters/values/invariant.h"
#include "tests/property/dice.h"
#include "tests/year/year_fault.h"
#include "tests/year/year_fund.h"

namespace linkmeter {
namespace {

constexpr std::int64_t second_us = 1'000'000;

class Day {
 public:
  // Events that happen once in the year, near its end.
  enum class Part : std::uint8_t { ordinary, fund_ends, link_ends };

  Day(YearHouse& house, const YearPlan& plan, Dice& dice, std::set<YearFault> faults, Part part,
      YearTold& told)
      : house_(house),
        plan_(plan),
        dice_(dice),
        faults_(std::move(faults)),
        part_(part),
        fund_(house, dice, faults_),
        told_(told) {}

  void live() {
    day_ = house_.today();
    begin_ = house_.calendar().begin(day_);
    length_us_ = house_.calendar().end(day_).microseconds() - begin_.microseconds();
    for (const ClaimNumber claim : house_.open_claims()) house_.settle(claim);  // of yesterday
    if (has(YearFault::late_round)) deal_late();
    // The claims to wait or to be rejected come from poker tables or any other tables: whichever
    // raises one first.
    const auto tables = static_cast<std::uint32_t>(house_.floor().tables.size());
    for (int round = 0; round < plan_.rounds_per_table; ++round) {
      move_to(round, plan_.rounds_per_table);
      for (std::uint32_t table = 0; table < tables; ++table) deal(TableIndex(table));
    }
    deal_with_people();
    if (part_ == Part::fund_ends) stop_funds();
    if (part_ == Part::link_ends) end_a_link();
    end();
    close();
  }

 private:
  [[nodiscard]] bool has(YearFault fault) const { return faults_.contains(fault); }
  void move_to(int step, int of) {
    house_.set_now(begin_.after(length_us_ / (of + 2) * (step + 1)));
  }
  void expect_item(YearFault fault, std::string item) { items_.emplace(std::move(item), fault); }
  [[nodiscard]] std::string link(LinkIndex place) const {
    return house_.floor().link(place).id.text();
  }
  [[nodiscard]] std::string table(TableIndex place) const {
    return house_.floor().table(place).id.text();
  }
  [[nodiscard]] std::string entry() const {
    return std::to_string(house_.state().last_entry().value());
  }
  // A level of any link.
  std::pair<LinkIndex, LevelIndex> any_level() {
    while (true) {
      const LinkIndex place(static_cast<std::uint32_t>(dice_.below(house_.floor().links.size())));
      const std::size_t levels = house_.floor().link(place).levels.size();
      if (levels > 0) return {place, LevelIndex(static_cast<std::uint8_t>(dice_.below(levels)))};
    }
  }
  // A transfer between two meters of one kind, from one that has the amount beside the house's
  // part.
  void transfer(Amount amount) {
    const Floor& floor = house_.floor();
    while (true) {
      const auto [from, from_level] = any_level();
      const auto [to, to_level] = any_level();
      const LinkConfig& one = floor.link(from);
      const LinkConfig& other = floor.link(to);
      if (from == to || one.pot || other.pot) continue;
      const Amount held = house_.state().link(from).levels[from_level.value()].pool.held;
      if (held - house_part(house_.state(), from, from_level) < amount) continue;
      house_.dual(TransferMeter{one.id, one.levels[from_level.value()].id, other.id,
                                other.levels[to_level.value()].id, amount, TransferReason::merged,
                                "two become one"});
      return;
    }
  }
  // A table whose last wagers were on a link.
  TableIndex any_table() {
    while (true) {
      const TableIndex place(static_cast<std::uint32_t>(dice_.below(house_.floor().tables.size())));
      if (!house_.floor().link(house_.floor().links_of(place).front()).pot) return place;
    }
  }

  void deal_late() {
    house_.set_now(begin_.after(second_us));
    const TableIndex late = any_table();
    // A misdeal causes no late round, so deal again.
    do {
      house_.deal(late, begin_.after(-300 * second_us));
    } while (house_.last_links().empty());
    ++told_.rounds;
    for (const LinkIndex place : house_.last_links()) {
      expect_item(YearFault::late_round, "late/" + link(place) + "/" + table(late));
    }
  }

  void deal(TableIndex table) {
    const std::size_t before = house_.state().claims().size();
    const bool is_judged = (has(YearFault::claim_waits) && waiting_ == 0) ||
                           (has(YearFault::rejected_claim) && !is_rejected_);
    house_.deal(table, {}, is_judged);
    ++told_.rounds;
    told_.claims += house_.state().claims().size() - before;
    if (!is_judged) return;
    for (const ClaimNumber claim : house_.open_claims()) {
      const Claim& raised = *house_.state().find_claim(claim);
      if (raised.number.value() == waiting_) continue;
      if (has(YearFault::rejected_claim) && !is_rejected_) {
        house_.reject(claim);
        is_rejected_ = true;
      } else if (has(YearFault::claim_waits) && waiting_ == 0) {
        waiting_ = claim.value();
        expect_item(YearFault::claim_waits, "claim/" + std::to_string(waiting_));
      } else {
        house_.settle(claim);
      }
    }
  }

  void deal_with_people() {
    move_to(plan_.rounds_per_table, plan_.rounds_per_table);
    if (has(YearFault::self_suspension)) {
      const LinkIndex place = any_level().first;
      house_.suspend_by_itself(place, "memory and disk do not agree");
      expect_item(YearFault::self_suspension, "suspended/" + link(place) + "/" + entry());
      house_.dual(ResumeLink{house_.floor().link(place).id});
    }
    if (has(YearFault::clock_set)) {
      house_.note(ClockChanged{-3 * second_us});
      expect_item(YearFault::clock_set, "clock/" + entry());
    }
    if (has(YearFault::backup_restored)) {
      house_.restore_backup();
      expect_item(YearFault::backup_restored,
                  "restored/" + std::to_string(house_.state().restorations().back().entry.value()));
    }
    const auto [place, level] = any_level();
    const LinkConfig& terms = house_.floor().link(place);
    if (has(YearFault::correction)) {
      house_.dual(CorrectMeter{terms.id, terms.levels[level.value()].id, Amount::cents(1'234),
                               CorrectionReason::equipment_fault, "a sensor said too little"});
      events_.insert("correction");
    }
    if (has(YearFault::transfer)) {
      transfer(Amount::cents(77));
      events_.insert("transfer");
    }
    if (has(YearFault::sign_seen)) {
      const Amount truth = house_.state().link(place).levels[level.value()].pool.held.whole_cents();
      house_.act(
          "A-1",
          TakeReading{{{terms.id, terms.levels[level.value()].id, truth + Amount::dollars(1)}},
                      "a walk along the signs"});
      expect_item(YearFault::sign_seen, "sign/" + link(place) + "/" +
                                            terms.levels[level.value()].id.text() + "/" + entry());
    }
    if (is_rejected_) events_.insert("claim_rejected");
  }

  void end() {
    ShownAmounts shown = house_.true_signs();
    if (has(YearFault::sign_lies)) {
      const auto [place, level] = any_level();
      // The truth of the last moment is not yet known, so the sign shows more than any possible
      // amount.
      Amount& told = *shown[place.value()][level.value()];
      told = told + Amount::cents(1);
      expect_item(
          YearFault::sign_lies,
          "sign/" + link(place) + "/" + house_.floor().link(place).levels[level.value()].id.text());
    }
    std::optional<TableIndex> lossy, silent;
    if (has(YearFault::lost_wager)) {
      lossy = any_table();
      const LinkIndex place = house_.floor().links_of(*lossy).front();
      house_.lose_a_wager(*lossy, place);
      expect_item(YearFault::lost_wager, "counters/" + table(*lossy) + "/" + link(place));
    }
    if (has(YearFault::counters_missing)) {
      do {
        silent = any_table();
      } while (silent == lossy);
      expect_item(YearFault::counters_missing, "counters_missing/" + table(*silent));
    }
    fund_.adjust_displays();
    house_.end_day(std::move(shown));
    house_.set_now(house_.calendar().end(day_).after(second_us / 2));
    for (std::uint32_t at = 0; at < house_.floor().tables.size(); ++at) {
      if (TableIndex(at) != silent) house_.tell_counters(TableIndex(at));
    }
    fund_.count_boxes(day_);
    for (const auto& [item, fault] : fund_.expected()) expect_item(fault, item);
  }

  // Their tables play on; they contribute nothing but may still win.
  void stop_funds() {
    for (const LinkIndex fund : fund_.funds()) house_.stop_collecting(fund);
    events_.insert("collecting_ended");
  }

  // Ends a progressive without claims and moves all of it to another one.
  void end_a_link() {
    std::set<LinkIndex> claimed;
    for (const ClaimNumber claim : house_.open_claims()) {
      claimed.insert(house_.state().find_claim(claim)->link);
    }
    while (true) {
      const LinkIndex from = any_level().first;
      const auto [to, level] = any_level();
      const LinkConfig& one = house_.floor().link(from);
      const LinkConfig& other = house_.floor().link(to);
      if (from == to || claimed.contains(from) || one.pot || other.pot) continue;
      house_.stop_collecting(from);
      house_.dual(Discontinue{one.id, other.id, other.levels[level.value()].id, "an order"});
      events_.insert({"collecting_ended", "discontinued"});
      return;
    }
  }

  [[nodiscard]] DayReport report() {
    house_.commit();
    const auto began = std::chrono::steady_clock::now();
    DayReport made =
        day_report(house_.journal(), house_.state().days(), day_, house_.state().last_entry());
    told_.report_took.push_back(std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - began));
    return made;
  }

  void wrong(const std::string& what) { told_.wrong.push_back(text(day_) + ": " + what); }

  void close() {
    DayReport made = report();
    const nlohmann::json json = nlohmann::json::parse(made.json);
    for (const auto& [item, difference] : made.finding.items) {
      if (!items_.contains(item)) wrong("nobody planted " + item + ": " + difference.difference);
    }
    for (const auto& [item, fault] : items_) {
      if (!made.finding.items.contains(item)) {
        wrong("not found: " + item);
      } else {
        ++told_.planted[fault_names[static_cast<std::size_t>(fault)]];
      }
    }
    std::set<std::string> kinds;
    for (const auto& event : json.at("events")) kinds.insert(event.at("kind"));
    for (const std::string& kind : events_) {
      if (kinds.contains(kind)) {
        ++told_.planted[kind];
      } else {
        wrong("no event " + kind);
      }
    }
    for (const auto& [item, difference] : made.finding.items) {
      house_.act("A-1", ExplainVariance{day_, item, difference.difference, "planted", {}},
                 &made.finding);
    }
    if (!made.finding.items.empty()) made = report();
    house_.act("A-1", SignDay{day_, made.digest}, &made.finding);
    house_.act("FM-1", CloseDay{day_, made.digest});
  }

  YearHouse& house_;
  const YearPlan& plan_;
  Dice& dice_;
  std::set<YearFault> faults_;
  Part part_;
  YearFund fund_;
  YearTold& told_;
  GamingDay day_;
  Timestamp begin_;
  std::int64_t length_us_ = 0;
  std::map<std::string, YearFault> items_;  // expected
  std::set<std::string> events_;
  std::uint64_t waiting_ = 0;
  bool is_rejected_ = false;
};

}  // namespace

YearTold live_a_year(YearHouse& house, const YearPlan& plan,
                     const std::function<void(int day)>& told) {
  YearTold all;
  Dice dice(plan.seed);
  // At most one fault a day of those that could hide each other; the first days have none.
  std::map<int, std::set<YearFault>> planted;
  for (std::size_t kind = 0; kind < fault_names.size(); ++kind) {
    for (int count = 0; count < plan.faults_of_a_kind && plan.days > 2; ++count) {
      const auto day = 1 + static_cast<int>(dice.below(static_cast<std::uint64_t>(plan.days) - 1));
      planted[day].insert(static_cast<YearFault>(kind));
    }
  }
  for (int day = 0; day < plan.days; ++day) {
    // The last five days of the year are for a fund that collects no more.
    const Day::Part part = day == plan.days - 6   ? Day::Part::fund_ends
                           : day == plan.days - 1 ? Day::Part::link_ends
                                                  : Day::Part::ordinary;
    Day(house, plan, dice, planted[day], part, all).live();
    told(day + 1);
  }
  house.commit();
  return all;
}

}  // namespace linkmeter
