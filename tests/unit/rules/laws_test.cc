// Each law can be broken, and the break is named. The ledgers and the property tests show that none
// is broken.
#include "meters/rules/laws.h"

#include <doctest/doctest.h>
#include <functional>
#include <string>

#include "tests/support/mixed_floor.h"

namespace linkmeter::laws_test {
namespace {

constexpr LinkIndex five_cards(1);
constexpr LevelIndex mega(0);

// A royal flush that takes the mega meter, and a three of a kind of another seat.
Entry royal_entry() {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  ShowHands show = royal_flush_of("r1", 2);
  show.hands.push_back({Seat(1), cards_of({"9c", "9d", "9h", "2c", "4d"}), false, Amount()});
  return floor.decided("C4-01", show);
}

std::string broken(const std::function<void(Entry&, HandsShown&)>& spoil) {
  Entry entry = royal_entry();
  REQUIRE_FALSE(law_violation(entry));
  spoil(entry, std::get<HandsShown>(entry.fact));
  return law_violation(entry).value_or("nothing");
}

// A state with a void in its history, an open and a paid claim, and one changed balance.
std::string broken_state(const std::function<void(LinkBalances&, std::vector<Claim>&)>& spoil) {
  MixedFloor floor;
  floor.take("C4-01", lock_of("r1", {five_card(1), five_card(2)}));
  floor.take("C4-01", royal_flush_of("r1", 2));
  floor.take("C4-02", lock_of("r1", {five_card(1)}));
  floor.take("C4-02", VoidRound{RoundId("r1"), "misdeal", Badge()});
  floor.take("C4-02", lock_of("r2", {five_card(1)}));
  floor.take("C4-02", royal_flush_of("r2", 1));
  floor.take("F-1", ValidateClaim{ClaimNumber(1)});
  floor.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  floor.take("C-1", PayClaim{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(1)});
  REQUIRE_FALSE(law_violation(floor.state));
  std::vector<LinkBalances> links;
  for (std::uint32_t index = 0; index < floor.state.floor().links.size(); ++index) {
    links.push_back(floor.state.link(LinkIndex(index)));
  }
  std::vector<TableSession> sessions;
  for (std::uint32_t index = 0; index < floor.state.floor().tables.size(); ++index) {
    sessions.push_back(floor.state.session(TableIndex(index)));
  }
  std::vector<Claim> claims = floor.state.claims();
  spoil(links[five_cards.value()], claims);
  return law_violation(State::restored(floor.state.last_entry(), floor.state.floor(), links,
                                       sessions, claims, {}, EntryNumber(1), floor.state.slips()))
      .value_or("nothing");
}

const Amount cent = Amount::cents(1);

}  // namespace

TEST_CASE("an entry whose postings do not sum to zero breaks M14") {
  CHECK_EQ(broken([](Entry& entry, HandsShown&) { entry.postings.pop_back(); }),
           "M14: the postings do not sum to zero");
  CHECK_EQ(
      broken([](Entry& entry, HandsShown&) { entry.postings[0].amount += Amount::from_units(1); }),
      "M14: the postings do not sum to zero");
}

TEST_CASE("postings sum to zero over any amounts without overflow") {
  std::vector<Posting> postings(4);
  const Amount most = Amount::from_units(INT64_MAX);
  for (std::size_t index = 0; index < postings.size(); ++index) {
    postings[index].amount = index < 2 ? most : -most;
  }
  CHECK(is_balanced(postings));
  postings.pop_back();
  CHECK_FALSE(is_balanced(postings));
  CHECK(is_balanced({}));
}

TEST_CASE("an award that is not whole cents, or below zero, breaks M2") {
  CHECK_EQ(
      broken([](Entry&, HandsShown& shown) { shown.awards[0].amount += Amount::from_units(1); }),
      "M2: an award is not whole cents");
  CHECK_EQ(broken([](Entry&, HandsShown& shown) { shown.awards.back().amount = -cent; }),
           "M2: an award is not whole cents");
}

TEST_CASE("awards that do not sum to what the line called break M7") {
  const std::string sentence = "M7: the awards do not sum to what the line called";
  CHECK_EQ(broken([](Entry&, HandsShown& shown) { shown.awards[0].amount += cent; }), sentence);
  CHECK_EQ(broken([](Entry&, HandsShown& shown) { shown.hits[0].amount += cent; }), sentence);
  CHECK_EQ(broken([](Entry&, HandsShown& shown) { shown.hits.clear(); }), sentence);
  CHECK_EQ(broken([](Entry&, HandsShown& shown) { shown.awards[0].level = LevelIndex(1); }),
           sentence);
}

TEST_CASE("an award off a meter without a claim is named") {
  CHECK_EQ(broken([](Entry&, HandsShown& shown) { shown.awards[0].claim.reset(); }),
           "an award off a meter has no claim");
}

TEST_CASE("a fixed award that touches a meter breaks M13") {
  // The three of a kind, 10 for 1, taken off the mega meter.
  CHECK_EQ(broken([](Entry& entry, HandsShown&) {
             entry.postings.push_back(
                 Posting{Account::meter, five_cards, Pool::level(mega), -Amount::dollars(50)});
             entry.postings.push_back(
                 Posting{Account::pending, five_cards, Pool::level(mega), Amount::dollars(50)});
           }),
           "M13: the postings are not what the lines called");
}

TEST_CASE("an award off the reserve is named") {
  CHECK_EQ(
      broken([](Entry& entry, HandsShown&) {
        entry.postings.push_back(Posting{Account::reserve, five_cards, Pool::reserve(), -cent});
        entry.postings.push_back(Posting{Account::pending, five_cards, Pool::reserve(), cent});
      }),
      "M14: an award off the reserve");
}

TEST_CASE("a hit of zero needs no posting") {
  MixedFloor floor;
  const auto bad_beat = [](const std::string& round) {
    return PlayPot{RoundId(round),
                   Amount::dollars(10),
                   cards_of({"7c", "7d", "7h", "9s", "2d"}),
                   true,
                   {{Seat(1), cards_of({"7s", "Kc"}), false, Amount()},
                    {Seat(2), cards_of({"9c", "9h"}), false, Amount()}},
                   Badge()};
  };
  floor.take("P-01", bad_beat("h1"));
  const Entry empty_meter = floor.decided("P-01", bad_beat("h2"));
  CHECK(empty_meter.postings.empty());
  CHECK_EQ(std::get<PotPlayed>(empty_meter.fact).hits.size(), 1);
  CHECK_FALSE(law_violation(empty_meter));
}

TEST_CASE("a state whose contributions are not handle x rate breaks M1") {
  CHECK_EQ(
      broken_state([](LinkBalances& book, std::vector<Claim>&) { book.tables[0].handle += cent; }),
      "C4 mega: M1: contributed is not handle x rate");
  // Balanced, but on the wrong level.
  CHECK_EQ(broken_state([](LinkBalances& book, std::vector<Claim>&) {
             book.levels[2].pool.contributed += cent;
             book.levels[2].pool.held += cent;
           }),
           "C4 minor: M1: contributed is not handle x rate");
  CHECK_EQ(broken_state(
               [](LinkBalances& book, std::vector<Claim>&) { book.reserve.contributed += cent; }),
           "C4 reserve: M1: contributed is not handle x rate");
}

TEST_CASE("a link whose accounts do not balance breaks M14, to the smallest unit") {
  const Amount unit = Amount::from_units(1);
  const std::string sentence = "C4: M14: the link does not balance";
  using Spoil = std::function<void(PoolBalances&)>;
  for (const Spoil& spoil : {Spoil([&](PoolBalances& pool) { pool.held += unit; }),
                             Spoil([&](PoolBalances& pool) { pool.withheld += unit; }),
                             Spoil([&](PoolBalances& pool) { pool.pending += unit; }),
                             Spoil([&](PoolBalances& pool) { pool.paid += unit; }),
                             Spoil([&](PoolBalances& pool) { pool.seeded += unit; }),
                             Spoil([&](PoolBalances& pool) { pool.corrected += unit; }),
                             Spoil([&](PoolBalances& pool) { pool.transferred += unit; })}) {
    CHECK_EQ(
        broken_state([&](LinkBalances& book, std::vector<Claim>&) { spoil(book.levels[1].pool); }),
        sentence);
  }
  CHECK_EQ(
      broken_state([&](LinkBalances& book, std::vector<Claim>&) { book.reserve.held += unit; }),
      sentence);
}

TEST_CASE("overflow leaves a level for the reserve, all of it, and never the other way (M9)") {
  const Amount unit = Amount::from_units(1);
  // Balanced as a whole: the seeds make up for what one side lacks.
  const auto with = [&](Amount of_level, Amount of_reserve) {
    return broken_state([&](LinkBalances& book, std::vector<Claim>&) {
      book.levels[1].pool.overflowed += of_level;
      book.reserve.overflowed += of_reserve;
      book.levels[1].pool.seeded += of_level + of_reserve;
    });
  };
  CHECK_EQ(with(unit, -unit), "nothing");
  CHECK_EQ(with(unit, Amount()), "C4: M9: overflow is lost between the pools");
  CHECK_EQ(with(unit, unit), "C4: M9: overflow is lost between the pools");
  CHECK_EQ(with(-unit, unit), "C4: M9: a level has taken overflow in");
}

TEST_CASE("no balance may be below zero, even if the link balances") {
  // Takes a million out of one balance and adds it to the seeds.
  const Amount much = Amount::dollars(1'000'000);
  const auto with = [&](Amount PoolBalances::*balance, int sign) {
    return broken_state([&](LinkBalances& book, std::vector<Claim>&) {
      PoolBalances& pool = book.levels[0].pool;
      pool.*balance -= much;
      pool.seeded -= much.times(sign);
    });
  };
  CHECK_EQ(with(&PoolBalances::held, 1), "C4 mega: negative amount");
  CHECK_EQ(with(&PoolBalances::withheld, -1), "C4 mega: negative withheld");
  CHECK_EQ(with(&PoolBalances::pending, 1), "C4 mega: negative pending");
  CHECK_EQ(with(&PoolBalances::paid, 1), "C4 mega: negative paid");
}

TEST_CASE("pending amounts equal the open claims") {
  const std::string sentence = "C4: pending is not what open claims say";
  CHECK_EQ(broken_state([](LinkBalances&, std::vector<Claim>& claims) {
             claims[1].state = ClaimState::paid;
           }),
           sentence);
  CHECK_EQ(
      broken_state([](LinkBalances&, std::vector<Claim>& claims) { claims[1].amount += cent; }),
      sentence);
  CHECK_EQ(broken_state(
               [](LinkBalances&, std::vector<Claim>& claims) { claims[1].level = LevelIndex(1); }),
           sentence);
}

TEST_CASE("slips agree with their claims") {
  const auto with = [](const std::function<void(Claim&)>& spoil) {
    return broken_state([&](LinkBalances&, std::vector<Claim>& claims) { spoil(claims[0]); });
  };
  CHECK_EQ(with([](Claim&) {}), "nothing");
  CHECK_EQ(with([](Claim& claim) { claim.slips.clear(); }), "there are slips of no claim");
  CHECK_EQ(with([](Claim& claim) { claim.slips.push_back(SlipNumber(1)); }),
           "there are slips of no claim");
  CHECK_EQ(with([](Claim& claim) { claim.slips = {SlipNumber(2)}; }), "slip 2 is not its claim's");
  CHECK_EQ(with([](Claim& claim) { claim.amount += cent; }), "slip 1 is not its claim's amount");
  CHECK_EQ(with([](Claim& claim) { claim.state = ClaimState::rejected; }),
           "slip 1 does not stand as its claim does");
}

TEST_CASE("a limit that cut an award left something on the meter") {
  for (const Amount more : {Amount(), -cent}) {
    CHECK_EQ(broken([more](Entry&, HandsShown& shown) {
               shown.awards.front().uncut = shown.awards.front().amount + more;
             }),
             "a limit that cut nothing off");
  }
}

TEST_CASE("handle is whole cents and never falls") {
  const std::string nobodys = "C4: M1: handle that no wagers made";
  CHECK_EQ(broken_state([](LinkBalances& book, std::vector<Claim>&) {
             book.tables[0].handle += Amount::from_units(1);
           }),
           nobodys);
  CHECK_EQ(broken_state([](LinkBalances& book, std::vector<Claim>&) {
             book.handle_before = book.handle() + cent;
           }),
           nobodys);
}

TEST_CASE("a discontinued link has no meter, reserve or pending amount") {
  const std::string holds = "C4: it has ended, and holds money";
  const auto ended_with = [](const std::function<void(LinkBalances&)>& left) {
    return broken_state([&left](LinkBalances& book, std::vector<Claim>&) {
      book.ending.ended = EntryNumber(3);
      for (LevelBalances& level : book.levels) {
        level.pool.held = level.pool.withheld = level.pool.pending = Amount();
      }
      book.reserve.held = book.reserve.withheld = book.reserve.pending = Amount();
      left(book);
    });
  };
  CHECK_NE(ended_with([](LinkBalances&) {}), holds);
  CHECK_EQ(ended_with([](LinkBalances& book) { book.levels[0].pool.held = cent; }), holds);
  CHECK_EQ(ended_with([](LinkBalances& book) { book.levels[2].pool.withheld = cent; }), holds);
  CHECK_EQ(ended_with([](LinkBalances& book) { book.levels[1].pool.pending = cent; }), holds);
  CHECK_EQ(ended_with([](LinkBalances& book) { book.reserve.held = cent; }), holds);
}

TEST_CASE("a slip belongs to its claim, and only a claim's last slip is not void") {
  CHECK_EQ(broken_state([](LinkBalances&, std::vector<Claim>& claims) {
             claims[1].slips = claims[0].slips;
             claims[0].slips.clear();
           }),
           "slip 1 is not its claim's");
  CHECK_EQ(broken_state([](LinkBalances&, std::vector<Claim>& claims) {
             claims[0].slips.push_back(SlipNumber(2));
           }),
           "slip 1 is not the claim's only one");
}

}  // namespace linkmeter::laws_test
