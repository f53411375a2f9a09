// OneTableHouse: one table on one link, and a sequence of entries that could have happened there.
// For tests of code that stores or sends entries (journal, audit, feed), not of the rules that make
// them.
#pragma once

#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/hash_chain.h"
#include "controller/store/journal.h"
#include "meters/balances/link_balances.h"
#include "meters/rules/decide.h"
#include "meters/rules/decide_day.h"
#include "meters/rules/laws.h"
#include "meters/state/state.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"

namespace linkmeter {

inline FloorOpened one_table_floor() {
  LevelConfig level;
  level.id = LevelId("main");
  level.seed = Amount::dollars(100);
  level.reseed = Amount::dollars(100);
  level.rate = Rate::from_ppm(100'000);
  LinkConfig link;
  link.id = LinkId("LINK");
  link.wager = WagerId("game/wager");
  link.unit = Amount::dollars(5);
  link.levels = {level};
  link.reserve_rate = Rate::from_ppm(50'000);
  link.tables = {TableIndex(0)};
  TableConfig table;
  table.id = TableId("T-01");
  table.game = GameId("game");
  table.seats = 6;
  FloorOpened opened;
  opened.floor.house = "Small House";
  opened.floor.tables = {table};
  opened.floor.links = {link};
  opened.floor_text = "floor";
  opened.catalogue_texts = {"chapter"};
  return opened;
}

class OneTableHouse {
 public:
  // Opens the floor with entry 1. `journal` must outlive this object.
  explicit OneTableHouse(Journal& journal, FloorOpened opened = one_table_floor())
      : journal_(journal) {
    commit(open_floor(std::move(opened), time()));
  }

  [[nodiscard]] const State& state() const { return state_; }

  // A round of one $5 wager: $0.50 to the meter, $0.25 to the reserve.
  void lock(const std::string& round) {
    const LinkIndex link(0);
    Entry entry = from_table(
        RoundLocked{RoundId(round), {{Seat(2), link, Amount::dollars(5)}}, 1, Badge("dealer")});
    LinkTransaction draft(link, state_.floor().link(link), state_.link(link));
    draft.accrue(Amount::dollars(5));
    entry.postings = draft.postings();
    commit(entry);
  }
  // Seat 2 wins the whole meter. Returns the claim's number.
  ClaimNumber win(const std::string& round) {
    const LinkIndex link(0);
    const LevelIndex level(0);
    const ClaimNumber claim(state_.claims().size() + 1);
    LinkTransaction draft(link, state_.floor().link(link), state_.link(link));
    const Amount amount = draft.pay_full_and_reseed(level);
    HandsShown shown;
    shown.round = RoundId(round);
    shown.hands = {ShownHand{Seat(2), {}, false, Amount()}};
    shown.hits = {{link, level, true, amount}};
    Award award;
    award.link = link;
    award.seat = Seat(2);
    award.line = LineId("royal_flush");
    award.level = level;
    award.whole_meter = true;
    award.amount = amount;
    award.claim = claim;
    shown.awards = {award};
    Entry entry = from_table(shown);
    entry.postings = draft.postings();
    commit(entry);
    return claim;
  }
  // Paid by hand, without a slip. REQUIRES: the claim is validated.
  void pay(ClaimNumber claim) {
    const LinkIndex link(0);
    LinkTransaction draft(link, state_.floor().link(link), state_.link(link));
    draft.pay(LevelIndex(0), state_.find_claim(claim)->amount);
    Entry entry;
    entry.number = state_.last_entry().next();
    entry.recorded_at = time();
    entry.fact = ClaimPaid{claim, PaymentSource::hand_pay, Badge("C-1")};
    entry.postings = draft.postings();
    commit(entry);
  }
  void close(const std::string& round) {
    commit(from_table(RoundClosed{RoundId(round), Badge("dealer")}));
  }
  void suspend(const std::string& why) {
    Entry entry;
    entry.number = state_.last_entry().next();
    entry.recorded_at = time();
    entry.fact = LinkSuspended{LinkIndex(0), why, Badge()};
    commit(entry);
  }
  // A fact without a table.
  void say(Fact fact) {
    Entry entry;
    entry.number = state_.last_entry().next();
    entry.recorded_at = time();
    entry.fact = std::move(fact);
    commit(entry);
  }
  void end_day(GamingDay day) { say(DayEnded{day, time(), reading_of(state_, {})}); }
  // Signed by two of the standard staff.
  void close_day(GamingDay day, const Digest& report) {
    say(DaySigned{day, report, Badge("C-1")});
    say(DayClosed{day, report, Badge("FM-1")});
  }
  void refuse() { commit(from_table(MessageRefused{Refusal::seat_unknown})); }

 private:
  [[nodiscard]] Timestamp time() const {
    return Timestamp::from_microseconds(
        static_cast<std::int64_t>(1'000'000 * (1 + state_.last_entry().value())));
  }
  [[nodiscard]] Entry from_table(Fact fact) const {
    Entry entry;
    entry.number = state_.last_entry().next();
    entry.recorded_at = time();
    const MessageNumber number = state_.session(TableIndex(0)).last_number().next();
    entry.origin = Origin{TableIndex(0), number, sha256(std::to_string(number.value())), time()};
    entry.fact = std::move(fact);
    return entry;
  }
  void commit(const Entry& entry) {
    CHECK_FALSE(law_violation(entry));
    CHECK_FALSE(validate_entry(state_, entry));
    state_.apply(entry);
    CHECK_FALSE(law_violation(state_));
    journal_.commit({encode(entry)}, rows_for(state_, state_.take_changes()));
  }

  Journal& journal_;
  State state_;
};

}  // namespace linkmeter
