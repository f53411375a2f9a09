// Any amount of a random floor, at any entry, with and without ended gaming days: its explanation
// sums to the amount, begins at the last valid award, and has for each table what that table's
// wagers contribute at the rates in force.
#include "controller/accounting/explain/explanation.h"

#include <doctest/doctest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/config_history.h"
#include "meters/facts/settled.h"
#include "meters/rules/decide_day.h"
#include "proto/codec/journal_codec.h"
#include "tests/property/floors.h"
#include "tests/property/generator.h"
#include "tests/property/naive_model.h"
#include "tests/property/trial.h"
#include "tests/support/memory_journal.h"

namespace linkmeter::explanation_test {
namespace {

using Place = std::pair<LinkIndex, Pool>;

struct Brought {
  EntryNumber entry;
  TableIndex table;
  Place place;
  Amount amount;
};

// A floor in play, and everything that follows from the facts of its entries, without their
// postings.
class Played {
 public:
  // `day_every`: a gaming day ends after this many entries; 0: none ends.
  Played(std::size_t which, std::uint64_t seed, std::uint64_t day_every)
      : file_(test_floor(which)),
        rules_(file_.rules),
        floor_(file_.floor),
        model_(file_.floor, file_.text, trial_staff(), file_.catalogue_texts),
        traffic_(floor_, seed),
        day_every_(day_every) {
    take(open_floor(opened(file_), Timestamp::from_microseconds(now_us_)));
  }

  void play(std::size_t messages) {
    for (std::size_t count = 0; count < messages; ++count) {
      TimedInput heard = traffic_.next(model_);
      // The test decides when days end here.
      if (std::holds_alternative<DayEnd>(heard.said)) continue;
      heard.now = Timestamp::from_microseconds(now_us_ += 1'000'000);
      prepare(heard);
      std::visit([&](const auto& said) { on_reply(said, heard); }, heard.said);
      const Decision said = core_decides(state_, rules_, heard);
      const auto* entry = std::get_if<Entry>(&said);
      if (entry == nullptr) continue;
      take(*entry);
      if (changes_parameters(*entry)) rules_ = std::move(*heard.proposed);
      for (std::size_t at = 0; at < floor_.links.size(); ++at) {
        floor_.links[at] = state_.floor().links[at];
      }
      if (day_every_ != 0 && state_.last_entry().value() % day_every_ == 0) end_day();
    }
  }

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Journal& journal() const { return journal_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  [[nodiscard]] Amount held(EntryNumber entry, const Place& place) const {
    return held_[entry.value() - 1].at(place);
  }
  [[nodiscard]] EntryNumber since(EntryNumber entry, const Place& place) const {
    return since_[entry.value() - 1].at(place);
  }
  [[nodiscard]] std::map<TableIndex, Amount> brought(EntryNumber after, EntryNumber up_to,
                                                     const Place& place) const {
    std::map<TableIndex, Amount> sums;
    for (const Brought& one : brought_) {
      if (one.place == place && after < one.entry && one.entry <= up_to) {
        sums[one.table] += one.amount;
      }
    }
    return sums;
  }
  // Where the window of the claim's award begins: the last valid award before its own hit.
  [[nodiscard]] EntryNumber since(ClaimNumber claim) const { return since_of_.at(claim); }
  std::size_t restored = 0, whole_awards = 0;

 private:
  void prepare(TimedInput& heard) {
    auto* asked = std::get_if<PersonMessage>(&heard.said);
    if (asked == nullptr) return;
    if (auto* propose = std::get_if<Propose>(&asked->act)) {
      // The ends of days are entries that the model does not know.
      auto* change = std::get_if<ChangeParameters>(&propose->act);
      if (change != nullptr) change->since = {};
    }
    if (auto found = resolve_parameters(asked->act, state_))
      heard.proposed = std::move(found->rules);
  }
  void on_reply(const TableMessage& message, const TimedInput& heard) {
    model_.on_reply(message, heard.now);
  }
  void on_reply(const PersonMessage& message, const TimedInput& heard) {
    model_.on_reply(message, heard.now, heard.proposed.has_value());
  }
  void on_reply(const SignIn& sign_in, const TimedInput& heard) {
    model_.on_reply(sign_in, heard.now);
  }
  template <class OfDay>
  void on_reply(const OfDay&, const TimedInput&) {}

  void end_day() {
    const auto& days = state_.days();
    const GamingDay day = days.empty() ? GamingDay::from_number(20'000) : days.back().day.next();
    Entry entry;
    entry.number = state_.last_entry().next();
    entry.recorded_at = Timestamp::from_microseconds(now_us_ += 1'000'000);
    entry.fact = DayEnded{day, entry.recorded_at, reading_of(state_, {})};
    take(entry);
  }

  void take(const Entry& entry) {
    if (state_.is_open()) note(entry);
    state_.apply(entry);
    if (places_.empty()) open_places();
    journal_.commit({encode(entry)}, {});
    std::map<Place, Amount> held;
    for (const Place& place : places_) {
      held[place] = state_.link(place.first).pool(place.second).held;
    }
    held_.push_back(std::move(held));
    std::map<Place, EntryNumber> since;
    for (const Place& place : places_) since[place] = start_of(place);
    since_.push_back(std::move(since));
  }
  void open_places() {
    for (std::uint32_t link = 0; link < state_.floor().links.size(); ++link) {
      const std::size_t levels = state_.floor().links[link].levels.size();
      for (std::size_t level = 0; level < levels; ++level) {
        places_.emplace_back(LinkIndex(link),
                             Pool::level(LevelIndex(static_cast<std::uint8_t>(level))));
      }
      if (levels > 0) places_.emplace_back(LinkIndex(link), Pool::reserve());
    }
  }
  // The last valid 100% award of the level, or of any level of the reserve's link.
  [[nodiscard]] EntryNumber start_of(const Place& place) const {
    EntryNumber start(1);
    for (const auto& [level, hits] : hits_) {
      if (level.first != place.first) continue;
      if (!place.second.is_reserve() && level.second != place.second) continue;
      for (const auto& [entry, whole] : hits) {
        if (whole) start = std::max(start, entry);
      }
    }
    return start;
  }

  // Only the last hit of a level can be undone as if it had not happened.
  void undo(const HitReversal& reversal) {
    for (const ClaimNumber hit : reversal.undone) {
      const Claim& claim = *state_.find_claim(hit);
      hits_[{claim.link, Pool::level(*claim.level)}].pop_back();
      ++restored;
    }
  }
  // Pending claims are rejected before anything is settled again.
  void note_rejected(const Entry& entry) {
    if (const auto* one = std::get_if<ClaimRejected>(&entry.fact)) undo(one->hits);
    if (const auto* one = std::get_if<RoundVoided>(&entry.fact)) undo(one->rejected.hits);
    if (const auto* one = std::get_if<HandVoided>(&entry.fact)) undo(one->rejected.hits);
    if (const auto* one = std::get_if<HandCorrected>(&entry.fact)) undo(one->rejected.hits);
    if (const auto* one = std::get_if<DealerCorrected>(&entry.fact)) undo(one->rejected.hits);
    if (const auto* one = std::get_if<PotCorrected>(&entry.fact)) undo(one->rejected.hits);
  }

  void note(const Entry& entry) {
    note_rejected(entry);
    std::uint32_t number = 0;
    for (const JackpotHit& hit : *settled(entry).hits) {
      ++number;
      for (const Award& award : *settled(entry).awards) {
        const bool is_of_hit = award.level && award.link == hit.link && award.hit == number;
        if (is_of_hit && award.claim) {
          since_of_[*award.claim] = start_of({hit.link, Pool::level(hit.level)});
        }
      }
      hits_[{hit.link, Pool::level(hit.level)}].emplace_back(entry.number, hit.whole);
      whole_awards += hit.whole ? 1 : 0;
    }
    if (const auto* locked = std::get_if<RoundLocked>(&entry.fact)) bring(entry, locked->wagers, 1);
    if (const auto* counted = std::get_if<CountResolved>(&entry.fact)) {
      bring(entry, counted->wagers, 1);
    }
    if (const auto* voided = std::get_if<RoundVoided>(&entry.fact)) {
      bring(entry, voided->returned, -1);
    }
    if (const auto* voided = std::get_if<HandVoided>(&entry.fact)) {
      bring(entry, voided->returned, -1);
    }
    if (const auto* pot = std::get_if<PotPlayed>(&entry.fact)) {
      bring(entry, {{Seat(), pot->link, pot->contribution}}, 1);
    }
  }
  void bring(const Entry& entry, const std::vector<PlacedWager>& wagers, std::int64_t times) {
    for (const PlacedWager& wager : wagers) {
      const LinkConfig& terms = state_.floor().link(wager.link);
      for (std::size_t level = 0; level <= terms.levels.size(); ++level) {
        const bool is_reserve = level == terms.levels.size();
        const Rate rate = is_reserve ? terms.reserve_rate : terms.levels[level].rate;
        const Pool pool = is_reserve ? Pool::reserve()
                                     : Pool::level(LevelIndex(static_cast<std::uint8_t>(level)));
        // M1: cents times parts per million.
        brought_.push_back({entry.number,
                            entry.origin->table,
                            {wager.link, pool},
                            Amount::from_units(wager.amount.in_cents() * rate.ppm() * times)});
      }
    }
  }

  FloorFile file_;
  FloorRules rules_;
  Floor floor_;
  NaiveModel model_;
  FloorTraffic traffic_;
  std::uint64_t day_every_;
  std::int64_t now_us_ = 1'700'000'000'000'000;
  State state_;
  MemoryJournal journal_;
  std::vector<Place> places_;
  std::vector<std::map<Place, Amount>> held_;
  std::vector<std::map<Place, EntryNumber>> since_;
  // Of levels, those that are valid now.
  std::map<Place, std::vector<std::pair<EntryNumber, bool>>> hits_;
  std::vector<Brought> brought_;
  std::map<ClaimNumber, EntryNumber> since_of_;
};

void check_tables(const Explanation& said, std::map<TableIndex, Amount> expected, bool rounds) {
  std::map<TableIndex, Amount> told;
  PoolMovements days;
  for (const DayShare& day : said.days) {
    days.add(day.flow);
    for (const TableShare& table : day.tables) {
      told[table.table] += table.contributed;
      Amount of_rounds;
      for (const RoundShare& round : table.rounds) of_rounds += round.contributed;
      CHECK_EQ(of_rounds.units(), rounds ? table.contributed.units() : 0);
    }
  }
  CHECK(days == said.flow);
  std::erase_if(expected, [](const auto& one) { return one.second == Amount(); });
  std::erase_if(told, [](const auto& one) { return one.second == Amount(); });
  CHECK(told == expected);
}

// The explanation of an amount without its cost. A table whose wagers of a day were all voided is a
// line of zeros when entries are read, and no line when readings are used.
Json tree_of(const Explanation& said, const Played& played) {
  Json tree = explanation_json(said, played.state().floor(), false);
  tree.erase("cost");
  for (Json& day : tree["days"]) {
    day.erase("by");
    Json tables = Json::array();
    for (const Json& table : day["tables"]) {
      if (table["contributed"] != "0.00000000") tables.push_back(table);
    }
    day["tables"] = std::move(tables);
  }
  return tree;
}

Explanation check_at(const Played& played, EntryNumber entry, const Place& place, bool rounds) {
  CAPTURE(entry.value());
  CAPTURE(place.first.value());
  const Explanation said = explain(played.journal(), played.state(),
                                   ExplainRequest{place.first, place.second, entry, rounds});
  CHECK_EQ(said.sum().units(), played.held(entry, place).units());
  CHECK_EQ(said.balance.units(), played.held(entry, place).units());
  CHECK_EQ(said.since.value(), played.since(entry, place).value());
  check_tables(said, played.brought(said.since, entry, place), rounds);
  return said;
}

// A payout is explained from readings where they suffice. The result equals that of reading every
// entry of its window, and what follows from wagers and rates.
std::uint64_t check_claim(const Played& played, const Claim& claim) {
  CAPTURE(claim.number.value());
  ExplainRequest asked{{}, {}, {}, false, claim.number};
  const Explanation quick = explain(played.journal(), played.state(), asked);
  asked.with_rounds = true;
  const Explanation walked = explain(played.journal(), played.state(), asked);
  CHECK_EQ(walked.days_by_readings, 0);
  CHECK_EQ(quick.sum().units(), claim.meter_before.units());
  CHECK_EQ(quick.since.value(), played.since(claim.number).value());
  const Place place(claim.link, Pool::level(*claim.level));
  const std::map<TableIndex, Amount> brought =
      played.brought(played.since(claim.number), claim.entry, place);
  check_tables(quick, brought, false);
  check_tables(walked, brought, true);
  CHECK(tree_of(quick, played) == tree_of(walked, played));
  return quick.days_by_readings;
}

TEST_CASE("at every entry, each explanation sums to its meter or reserve") {
  std::size_t restored = 0, whole_awards = 0, by_readings = 0, of_claims_by_readings = 0;
  for (std::size_t which = 0; which < test_floor_count; ++which) {
    Played played(which, 40 + which, which % 3 == 0 ? 0 : 17);
    played.play(600);
    const std::vector<Place>& places = played.places();
    const std::uint64_t head = played.state().last_entry().value();
    for (std::uint64_t entry = 1; entry <= head && !places.empty(); ++entry) {
      by_readings += check_at(played, EntryNumber(entry), places[entry % places.size()], false)
                         .days_by_readings;
    }
    for (const Place& place : places) {
      check_at(played, EntryNumber(head), place, true);
      by_readings += check_at(played, EntryNumber(head), place, false).days_by_readings;
    }
    for (const Claim& claim : played.state().claims()) {
      if (claim.level) of_claims_by_readings += check_claim(played, claim);
    }
    restored += played.restored;
    whole_awards += played.whole_awards;
  }
  // A case that never occurred was not tested.
  CHECK(restored > 5);
  CHECK(whole_awards > 50);
  CHECK(by_readings > 1'000);
  CHECK(of_claims_by_readings > 100);
  MESSAGE(restored << " awards as if never called, " << whole_awards << " awards, " << by_readings
                   << " days by their readings, " << of_claims_by_readings << " of them of claims");
}

}  // namespace
}  // namespace linkmeter::explanation_test
