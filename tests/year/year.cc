#include "tests/year/year.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "meters/check.h"
#include "meters/ending.h"
#include "meters/fund_decision.h"
#include "tests/property/dice.h"

namespace linkmeter {
namespace {

constexpr std::int64_t second_us = 1'000'000;

// Every kind of fault, and what of a day's report it must show in.
enum class YearFault : std::uint8_t {
  lost_wager,        // items: counters/TABLE/LINK
  counters_missing,  // counters_missing/TABLE
  late_round,        // late/LINK/TABLE
  wrong_box,         // box/LINK/TABLE
  box_missing,       // box_missing/LINK/TABLE
  wrong_fund,        // fund/LINK
  claim_waits,       // claim/N
  sign_lies,         // sign/LINK/LEVEL
  sign_seen,         // sign/LINK/LEVEL/ENTRY
  self_suspension,   // suspended/LINK/ENTRY
  clock_set,         // clock/ENTRY
  correction,        // events: correction
  transfer,          // events: transfer
  rejected_claim,    // events: rejected
};
constexpr std::array fault_names{"lost_wager",  "counters_missing", "late_round",  "wrong_box",
                                 "box_missing", "wrong_fund",       "claim_waits", "sign_lies",
                                 "sign_seen",   "self_suspension",  "clock_set",   "correction",
                                 "transfer",    "rejected_claim"};

class Day {
 public:
  Day(YearHouse& house, const YearPlan& plan, Dice& dice, std::set<YearFault> faults,
      YearTold& told)
      : house_(house), plan_(plan), dice_(dice), faults_(std::move(faults)), told_(told) {}

  void live() {
    day_ = house_.today();
    begin_ = house_.calendar().begin(day_);
    length_us_ = house_.calendar().end(day_).microseconds() - begin_.microseconds();
    for (const ClaimNumber claim : house_.open_claims()) house_.settle(claim);  // of yesterday
    if (has(YearFault::late_round)) deal_late();
    // Claims that are to wait or to be rejected come from poker's tables or any other's: whichever
    // raises one first.
    const auto tables = static_cast<std::uint32_t>(house_.floor().tables.size());
    for (int round = 0; round < plan_.rounds_per_table; ++round) {
      move_to(round, plan_.rounds_per_table);
      for (std::uint32_t table = 0; table < tables; ++table) deal(TablePlace(table));
    }
    deal_with_people();
    end();
    close();
  }

 private:
  [[nodiscard]] bool has(YearFault fault) const { return faults_.contains(fault); }
  void move_to(int step, int of) {
    house_.set_now(begin_.after(length_us_ / (of + 2) * (step + 1)));
  }
  void expect_item(YearFault fault, std::string item) { items_.emplace(std::move(item), fault); }
  [[nodiscard]] std::string link(LinkPlace place) const {
    return house_.floor().link(place).id.text();
  }
  [[nodiscard]] std::string table(TablePlace place) const {
    return house_.floor().table(place).id.text();
  }
  [[nodiscard]] std::string entry() const {
    return std::to_string(house_.state().last_entry().value());
  }
  // A level of any link.
  std::pair<LinkPlace, LevelPlace> any_level() {
    while (true) {
      const LinkPlace place(static_cast<std::uint32_t>(dice_.below(house_.floor().links.size())));
      const std::size_t levels = house_.floor().link(place).levels.size();
      if (levels > 0) return {place, LevelPlace(static_cast<std::uint8_t>(dice_.below(levels)))};
    }
  }
  // Between two meters of a kind, of the one that has it beside the house's part.
  void transfer(Amount amount) {
    const Floor& floor = house_.floor();
    while (true) {
      const auto [from, from_level] = any_level();
      const auto [to, to_level] = any_level();
      const LinkTerms& one = floor.link(from);
      const LinkTerms& other = floor.link(to);
      if (from == to || one.pot || other.pot) continue;
      const Amount held = house_.state().link(from).levels[from_level.value()].pool.held;
      if (held - house_part(house_.state(), from, from_level) < amount) continue;
      house_.dual(TransferMeter{one.id, one.levels[from_level.value()].id, other.id,
                                other.levels[to_level.value()].id, amount, TransferReason::merged,
                                "two become one"});
      return;
    }
  }
  TablePlace any_table(bool of_pots) {
    while (true) {
      const TablePlace place(static_cast<std::uint32_t>(dice_.below(house_.floor().tables.size())));
      const bool has_pots =
          house_.floor().link(house_.floor().links_of(place).front()).pot.has_value();
      if (has_pots == of_pots) return place;
    }
  }

  void deal_late() {
    house_.set_now(begin_.after(second_us));
    const TablePlace late = any_table(false);
    // A misdeal brings nothing that is late.
    do {
      const auto rejected_before = house_.state().claims().size();
      house_.deal(late, begin_.after(-300 * second_us));
      static_cast<void>(rejected_before);
    } while (house_.last_links().empty());
    ++told_.rounds;
    for (const LinkPlace place : house_.last_links()) {
      expect_item(YearFault::late_round, "late/" + link(place) + "/" + table(late));
    }
  }

  void deal(TablePlace table) {
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
      const LinkPlace place = any_level().first;
      house_.suspend_by_itself(place, "memory and disk do not agree");
      expect_item(YearFault::self_suspension, "suspended/" + link(place) + "/" + entry());
      house_.dual(ResumeLink{house_.floor().link(place).id});
    }
    if (has(YearFault::clock_set)) {
      house_.note(ClockChanged{-3 * second_us});
      expect_item(YearFault::clock_set, "clock/" + entry());
    }
    const auto [place, level] = any_level();
    const LinkTerms& terms = house_.floor().link(place);
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
      // The last moment's truth is not yet known: the sign says more than any could.
      Amount& told = *shown[place.value()][level.value()];
      told = told + Amount::cents(1);
      expect_item(
          YearFault::sign_lies,
          "sign/" + link(place) + "/" + house_.floor().link(place).levels[level.value()].id.text());
    }
    std::optional<TablePlace> lossy, silent;
    if (has(YearFault::lost_wager)) {
      lossy = any_table(false);
      const LinkPlace place = house_.floor().links_of(*lossy).front();
      house_.lose_a_wager(*lossy, place);
      expect_item(YearFault::lost_wager, "counters/" + table(*lossy) + "/" + link(place));
    }
    if (has(YearFault::counters_missing)) {
      do {
        silent = any_table(false);
      } while (silent == lossy);
      expect_item(YearFault::counters_missing, "counters_missing/" + table(*silent));
    }
    adjust_displays();
    house_.end_day(std::move(shown));
    house_.set_now(house_.calendar().end(day_).after(second_us / 2));
    for (std::uint32_t at = 0; at < house_.floor().tables.size(); ++at) {
      if (TablePlace(at) != silent) house_.tell_counters(TablePlace(at));
    }
    count_boxes();
  }

  // § 553.20(h): each day, to what finance keeps.
  void adjust_displays() {
    for (std::uint32_t at = 0; at < house_.floor().links.size(); ++at) {
      const LinkTerms& terms = house_.floor().link(LinkPlace(at));
      if (!terms.pot) continue;
      const Amount truth = shown_now(house_.state(), LinkPlace(at));
      house_.act("FM-1", AdjustDisplay{terms.id, truth, truth, "", Badge("F-1")});
    }
  }

  // § 553.20(d), (e): what was counted comes to the cage, all of a fund in one container.
  void carry_boxes(const std::map<LinkPlace, MoveFund>& containers) {
    for (const auto& [link, container] : containers) house_.act("C-1", container);
  }

  void count_boxes() {
    std::map<LinkPlace, MoveFund> containers;
    const TablePlace none(static_cast<std::uint32_t>(house_.floor().tables.size()));
    TablePlace wrong = none, missing = none;
    if (has(YearFault::wrong_box)) wrong = any_table(true);
    if (has(YearFault::box_missing)) {
      do missing = any_table(true);
      while (missing == wrong);
    }
    for (std::uint32_t at = 0; at < house_.floor().tables.size(); ++at) {
      const TablePlace place(at);
      const LinkPlace on = house_.floor().links_of(place).front();
      if (!house_.floor().link(on).pot) continue;
      Amount amount = house_.take_box(place);
      if (place == missing) {
        if (amount > Amount()) {
          expect_item(YearFault::box_missing, "box_missing/" + link(on) + "/" + table(place));
        }
        continue;
      }
      if (place == wrong) {
        amount = amount + Amount::dollars(2);
        expect_item(YearFault::wrong_box, "box/" + link(on) + "/" + table(place));
      }
      house_.act("C-1", RecordCount{day_, CountKind::poker_box, house_.floor().table(place).id,
                                    house_.floor().link(on).id, amount, "", Badge("SEC-1")});
      const MoveFund empty{
          day_, house_.floor().link(on).id, {}, Amount(), "", Badge("SEC-1"), Badge("F-1")};
      MoveFund& container = containers.try_emplace(on, empty).first->second;
      container.tables.push_back(house_.floor().table(place).id);
      *container.verified += amount;
    }
    carry_boxes(containers);
    if (!has(YearFault::wrong_fund)) return;
    for (std::uint32_t at = 0; at < house_.floor().links.size(); ++at) {
      if (!house_.floor().link(LinkPlace(at)).pot) continue;
      house_.act("C-1",
                 RecordCount{day_, CountKind::fund_kept, TableId(),
                             house_.floor().link(LinkPlace(at)).id, Amount(), "", Badge("SEC-1")});
      expect_item(YearFault::wrong_fund, "fund/" + link(LinkPlace(at)));
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
  // One fault a day at most of those that could hide each other; the first days are quiet.
  std::map<int, std::set<YearFault>> planted;
  for (std::size_t kind = 0; kind < fault_names.size(); ++kind) {
    for (int count = 0; count < plan.faults_of_a_kind && plan.days > 2; ++count) {
      const auto day = 1 + static_cast<int>(dice.below(static_cast<std::uint64_t>(plan.days) - 1));
      planted[day].insert(static_cast<YearFault>(kind));
    }
  }
  for (int day = 0; day < plan.days; ++day) {
    Day(house, plan, dice, planted[day], all).live();
    told(day + 1);
  }
  house.commit();
  return all;
}

}  // namespace linkmeter
