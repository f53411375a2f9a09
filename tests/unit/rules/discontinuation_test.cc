// How a progressive ends: who gets which part, and what is accepted when it is read back.
#include "meters/rules/discontinuation.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <vector>

#include "meters/balances/link_balances.h"
#include "meters/rules/laws.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "tests/support/description.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::discontinuation_test {
namespace {

const Pool first = Pool::level(LevelIndex(0));

// A link of one level; the house's part of it is 80.
struct One {
  LinkConfig terms;
  LinkBalances book;

  One(std::int64_t held, std::int64_t withheld, std::int64_t reserve, std::int64_t empty_reserve) {
    terms.id = LinkId("LINK");
    terms.levels = {{LevelId("main"), Amount::dollars(80), Amount::dollars(80), {}, {}}};
    book = LinkBalances::opened(terms);
    book.levels[0].pool.held = Amount::dollars(held);
    book.levels[0].pool.withheld = Amount::dollars(withheld);
    book.reserve.held = Amount::dollars(reserve);
    book.reserve.withheld = Amount::dollars(empty_reserve);
  }
};

struct Ended {
  Amount amount, unfunded;  // the amounts that leave
  Amount houses;            // the amount that the house gets back; negative: that it adds
};

Ended end(const One& one) {
  LinkTransaction draft(LinkIndex(0), one.terms, one.book);
  const LinkTransaction::Remainder left = draft.end(std::vector<Amount>{Amount::dollars(80)});
  CHECK(is_balanced(draft.postings()));
  for (const PoolBalances& pool : {draft.book().levels[0].pool, draft.book().reserve}) {
    CHECK_EQ(pool.held, Amount());
    CHECK_EQ(pool.withheld, Amount());
  }
  // No part of a reserve is the house's, and a report has no column for it.
  CHECK_EQ(draft.book().reserve.seeded, Amount());
  const Amount gone = -draft.book().levels[0].pool.transferred - draft.book().reserve.transferred;
  CHECK_EQ(gone, left.amount - left.unfunded);
  return {left.amount, left.unfunded, -draft.book().levels[0].pool.seeded};
}

AskedWager wager(std::uint8_t seat) {
  return {Seat(seat), WagerId("raise-it-up/progressive"), Amount::dollars(5)};
}

struct House : MixedFloor {
  Refusal says(const std::string& badge, const OperatorCommand& act) {
    const Entry entry = decided(badge, act);
    REQUIRE_EQ(validate_entry(state, entry).value_or("it fits"), "it fits");
    state.apply(entry);
    REQUIRE_EQ(law_violation(state).value_or("lawful"), "lawful");
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return no == nullptr ? Refusal::none : no->refusal;
  }
  Refusal both(const DualControlCommand& act) {
    const Refusal no = says("TGM-1", Propose{act});
    if (no != Refusal::none) return no;
    return says("FM-1", Confirm{state.last_proposal(), summary(state.proposals().back().act)});
  }
  void play(const std::string& round, std::uint8_t seats) {
    std::vector<AskedWager> wagers;
    for (std::uint8_t seat = 1; seat <= seats; ++seat) {
      wagers.push_back(wager(seat));
    }
    take("RIU-01", lock_of(round, wagers));
  }
  // Ace, king and queen of spades take the whole meter.
  ClaimNumber win(const std::string& round) {
    play(round, 1);
    ShowHands show;
    show.round = RoundId(round);
    show.hands = {{Seat(1), cards_of({"As", "Ks", "Qs"}), false, Amount()}};
    take("RIU-01", show);
    take("RIU-01", CloseRound{RoundId(round), Badge()});
    return state.claims().back().number;
  }
  [[nodiscard]] Amount part() const { return house_part(state, LinkIndex(0), LevelIndex(0)); }
  [[nodiscard]] std::string violation_of(const Entry& entry) const {
    return validate_entry(state, entry).value_or("it fits");
  }
};

const LinkId riu("RIU");
const LevelId main_level("main");
const LinkId four("FOUR");

}  // namespace

TEST_CASE("a transfer takes the displayed withheld amount along, and the house bears the rest") {
  // 50 is shown above the house's 80; of it 20 are unfunded, and move too.
  Ended ended = end(One(130, 20, 0, 0));
  CHECK_EQ(ended.amount, Amount::dollars(50));
  CHECK_EQ(ended.unfunded, Amount::dollars(20));
  CHECK_EQ(ended.houses, Amount::dollars(80));
  // Only 5 of the 20 unfunded dollars are shown above the house's part: the house bears 15.
  ended = end(One(85, 20, 0, 0));
  CHECK_EQ(ended.amount, Amount::dollars(5));
  CHECK_EQ(ended.unfunded, Amount::dollars(5));
  CHECK_EQ(ended.houses, Amount::dollars(65));
  // The pool has less than the players are due, because it was paid to somebody: the house adds it.
  ended = end(One(3, 10, 0, 0));
  CHECK_EQ(ended.amount, Amount());
  CHECK_EQ(ended.houses, Amount::dollars(-7));
  // A reserve is not shown: only 18 of its 30 are funded, and they move.
  ended = end(One(80, 0, 30, 12));
  CHECK_EQ(ended.amount, Amount::dollars(18));
  CHECK_EQ(ended.unfunded, Amount());
  CHECK_EQ(ended.houses, Amount::dollars(80));
  // A reserve that lacks 4 is not filled from the players' 20 on the level.
  ended = end(One(100, 0, 1, 5));
  CHECK_EQ(ended.amount, Amount::dollars(20));
  CHECK_EQ(ended.houses, Amount::dollars(76));
}

TEST_CASE("a received amount stops at the limit, and its unfunded part is withheld") {
  One one(95, 0, 1, 2);
  one.terms.levels[0].limit = Amount::dollars(100);
  LinkTransaction draft(LinkIndex(0), one.terms, one.book);
  draft.receive(first, Amount::dollars(12), Amount::dollars(3));
  CHECK(is_balanced(draft.postings()));
  const PoolBalances& main = draft.book().levels[0].pool;
  CHECK_EQ(main.held, Amount::dollars(100));
  CHECK_EQ(main.withheld, Amount::dollars(3));
  CHECK_EQ(main.transferred, Amount::dollars(9));
  CHECK_EQ(main.overflowed, Amount::dollars(7));
  CHECK_EQ(draft.book().reserve.held,
           Amount::dollars(6));  // 2 of the 7 repay the withheld amount there
  CHECK_EQ(draft.book().reserve.withheld, Amount());
}

TEST_CASE("the house's part is its last seed, at most the reseed and the meter") {
  House house;
  CHECK_EQ(house.part(), Amount::dollars(5'000));
  house.play("r1", 2);
  house.take("RIU-01", CloseRound{RoundId("r1"), Badge()});
  CHECK_EQ(house.part(), Amount::dollars(5'000));
  const ClaimNumber claim = house.win("r2");
  CHECK_EQ(house.part(), Amount::dollars(5'000));
  // As if the hit had not happened: the first seed is unchanged.
  REQUIRE_EQ(name(house.says("F-1", RejectClaim{claim, RejectReason::hand_misread, ""})), "none");
  CHECK_EQ(house.part(), Amount::dollars(5'000));
  // An amount that a correction has removed is gone.
  const Amount held = house.state.link(LinkIndex(0)).pool(first).held;
  REQUIRE_EQ(name(house.both(CorrectMeter{riu, main_level, Amount::dollars(4'000) - held,
                                          CorrectionReason::mispaid_award, ""})),
             "none");
  CHECK_EQ(house.part(), Amount::dollars(4'000));
  // If a fund reseeds with nothing, no part of it is the house's, not even its first seed.
  CHECK_EQ(house_part(house.state, *house.state.floor().find_link(LinkId("POKER")), LevelIndex(0)),
           Amount());
}

TEST_CASE("entries that a discontinuation forbids are invalid") {
  House house;
  house.play("r1", 2);
  house.take("RIU-01", CloseRound{RoundId("r1"), Badge()});
  const Entry early = house.decided("RIU-01", lock_of("r2", {wager(1)}));
  REQUIRE_EQ(name(house.says("TGM-1", Propose{StopCollecting{riu, "the table goes"}})), "none");
  const StopCollecting stop{riu, "the table goes"};
  Entry stopped = house.decided("FM-1", Confirm{house.state.last_proposal(), summary(stop)});
  Entry paying = stopped;
  paying.postings = {Posting{Account::meter, LinkIndex(0), first, -Amount::dollars(1)},
                     Posting{Account::seed_funding, LinkIndex(0), first, Amount::dollars(1)}};
  CHECK_EQ(house.violation_of(paying), "money moves where only collecting ends");
  house.state.apply(stopped);

  Entry late = early;
  late.number = house.state.last_entry().next();
  CHECK_EQ(house.violation_of(late), "a wager on a link that collects no more");

  const Discontinue ends{riu, four, main_level, ""};
  REQUIRE_EQ(name(house.says("TGM-1", Propose{ends})), "none");
  const Entry ended = house.decided("FM-1", Confirm{house.state.last_proposal(), summary(ends)});
  CHECK_EQ(house.violation_of(ended), "it fits");
  // Players' money that would go to the house: 1.40 and 0.20 are theirs.
  Entry robbing = ended;
  for (Posting& posting : robbing.postings) {
    if (posting.account == Account::seed_funding) posting.amount += Amount::cents(140);
    if (posting.account == Account::transfers && posting.link == LinkIndex(0) &&
        posting.pool == first) {
      posting.amount -= Amount::cents(140);
    }
  }
  CHECK(is_balanced(robbing.postings));
  CHECK_EQ(house.violation_of(robbing), "it is not what the ending moves");
  house.state.apply(ended);
  CHECK_EQ(house.state.link(LinkIndex(0)).ending.went_to->link,
           *house.state.floor().find_link(four));

  // The rows restore the discontinuation.
  const std::vector<Row> rows = rows_of(house.state);
  const StateRead read = read_state(house.state.last_entry(), rows);
  REQUIRE(read.state.has_value());
  CHECK(*read.state == house.state);
}

TEST_CASE("an entry that the rules of a discontinuation refuse is invalid") {
  House house;
  const auto violation_of = [&house](const DualControlCommand& act) {
    Entry entry = house.decided("TGM-1", SuspendLink{riu, "again"});
    entry.fact = ActProposed{house.state.last_proposal().next(), act, Badge("TGM-1")};
    return house.violation_of(entry);
  };
  const Discontinue ends{riu, four, main_level, ""};
  CHECK_EQ(violation_of(ends), sentence(Refusal::still_collecting));
  CHECK_EQ(violation_of(StopCollecting{LinkId("NONE"), ""}), sentence(Refusal::link_unknown));
  REQUIRE_EQ(name(house.both(StopCollecting{riu, ""})), "none");
  CHECK_EQ(violation_of(StopCollecting{riu, ""}), sentence(Refusal::collecting_ended));
  REQUIRE_EQ(name(house.says("TGM-1", Propose{ends})), "none");
  const ProposalNumber proposed = house.state.last_proposal();
  // It could be proposed, but then its target stopped collecting.
  REQUIRE_EQ(name(house.both(StopCollecting{four, ""})), "none");
  Entry entry = house.decided("TGM-1", SuspendLink{riu, "again"});
  entry.fact = ActConfirmed{proposed, ends, Badge("TGM-1"), Badge("FM-1")};
  CHECK_EQ(house.violation_of(entry), sentence(Refusal::collecting_ended));
}

TEST_CASE("a blocked round that was locked before its link stopped may still be counted") {
  House house;
  LockRound counted = lock_of("b1", {wager(1), wager(2)});
  counted.chips = 1;
  house.take("RIU-01", counted);
  REQUIRE_EQ(name(house.both(StopCollecting{riu, ""})), "none");
  const Entry resolved =
      house.decided("RIU-01", ResolveCount{RoundId("b1"), {wager(1), wager(2)}, Badge("F-1")});
  REQUIRE(std::holds_alternative<CountResolved>(resolved.fact));
  CHECK_EQ(house.violation_of(resolved), "it fits");
  // If nobody had bet on it, the resolve is refused.
  House other;
  counted.wagers.clear();
  counted.chips = 1;
  other.take("RIU-01", counted);
  REQUIRE_EQ(name(other.both(StopCollecting{riu, ""})), "none");
  Entry late = other.decided("RIU-01", ResolveCount{RoundId("b1"), {wager(1)}, Badge("F-1")});
  CHECK_EQ(name(answer_of(late).refusal), "collecting_ended");
  late.fact = CountResolved{RoundId("b1"), {{Seat(1), LinkIndex(0), Amount::dollars(5)}}, Badge()};
  CHECK_EQ(other.violation_of(late), "a wager on a link that collects no more");
}

TEST_CASE("a stopped fund takes no contribution, and a discontinued one no pot") {
  const PlayPot pot{RoundId("h1"), Amount::dollars(30), {}, false, {}, Badge()};
  const LinkIndex fund(3);
  const auto with = [&](LinkLifecycle ending, Amount contribution) {
    House house;
    const Entry played = house.decided("P-01", pot);
    // As its row would have it: in this house the fund has no approved procedure.
    const State& changed = house.state;
    std::vector<LinkBalances> links;
    for (std::uint32_t at = 0; at < changed.floor().links.size(); ++at) {
      links.push_back(changed.link(LinkIndex(at)));
    }
    links[fund.value()].ending = ending;
    std::vector<TableSession> sessions(changed.floor().tables.size());
    const State stopped = State::restored(changed.last_entry(), changed.floor(), links, sessions,
                                          {}, {}, EntryNumber(1));
    Entry entry = played;
    std::get<PotPlayed>(entry.fact).contribution = contribution;
    return validate_entry(stopped, entry).value_or("it fits");
  };
  LinkLifecycle stopped;
  stopped.stopped = EntryNumber(1);
  CHECK_EQ(with({}, Amount::dollars(1)), "it fits");
  CHECK_EQ(with(stopped, Amount()), "it fits");
  CHECK_EQ(with(stopped, Amount::dollars(1)), "a contribution to a fund that collects no more");
  stopped.ended = EntryNumber(1);
  CHECK_EQ(with(stopped, Amount()), "a pot for a fund that has ended");
}

TEST_CASE("a transfer entry has only the postings of a transfer") {
  House house;
  house.play("r1", 2);
  const TransferMeter transfer{
      riu, main_level, four, main_level, Amount::cents(100), TransferReason::merged, ""};
  REQUIRE_EQ(name(house.says("TGM-1", Propose{transfer})), "none");
  Entry moved = house.decided("FM-1", Confirm{house.state.last_proposal(), summary(transfer)});
  CHECK_EQ(house.violation_of(moved), "it fits");
  // An amount that is owed may move too.
  Entry owed = moved;
  owed.postings = {Posting{Account::withheld, LinkIndex(0), first, -Amount::cents(1)},
                   Posting{Account::transfers, LinkIndex(0), first, Amount::cents(1)}};
  CHECK_EQ(house.violation_of(owed), "it fits");
  // Players' money that would go to the house.
  const Amount dollar = Amount::dollars(1);
  moved.postings = {Posting{Account::meter, LinkIndex(0), first, -dollar},
                    Posting{Account::seed_funding, LinkIndex(0), first, dollar}};
  CHECK(is_balanced(moved.postings));
  CHECK_EQ(house.violation_of(moved), "it books more than a transfer moves");
}

TEST_CASE("changed parameters do not restart a discontinued link") {
  House house;
  REQUIRE_EQ(name(house.both(StopCollecting{riu, ""})), "none");
  REQUIRE_EQ(name(house.both(Discontinue{riu, {}, {}, ""})), "none");
  CHECK_NE(description(house.state).find("RIU discontinued\n"), std::string::npos);
  REQUIRE_EQ(name(house.says("TGM-1", SuspendLink{riu, "for other terms"})), "none");
  Entry changed = house.decided("TGM-1", SuspendLink{riu, "again"});
  Floor floor = house.state.floor();
  floor.links[0].levels[0].rate = Rate::from_ppm(200'000);
  ChangeParameters change;
  change.floor = floor;
  change.since = house.state.configuration();
  changed.fact = ActProposed{house.state.last_proposal().next(), change, Badge("TGM-1")};
  REQUIRE_EQ(house.violation_of(changed), "it fits");
  house.state.apply(changed);
  changed.number = changed.number.next();
  changed.fact = ActConfirmed{house.state.last_proposal(), change, Badge("TGM-1"), Badge("FM-1")};
  REQUIRE_EQ(house.violation_of(changed), "it fits");
  house.state.apply(changed);
  REQUIRE_EQ(name(house.both(ResumeLink{riu})), "none");
  CHECK_EQ(name(house.refusal("RIU-01", lock_of("r1", {wager(1)}))), "collecting_ended");
}

}  // namespace linkmeter::discontinuation_test
