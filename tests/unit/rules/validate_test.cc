// Why an entry cannot follow a state: every sentence of validate_entry(); and that entries of
// decide() are valid.
#include <doctest/doctest.h>
#include <functional>
#include <string>

#include "tests/support/validation_house.h"

namespace linkmeter::validate_test {
namespace {

using House = ValidationHouse;

}  // namespace

TEST_CASE("numbers are consecutive, in the journal and at each table") {
  const House house;
  for (const std::uint64_t number : {0U, 3U, 5U}) {
    CHECK_EQ(house.of(house.lock(), [&](Entry& entry) { entry.number = EntryNumber(number); }),
             "its number is not the next one");
  }
  for (const std::uint64_t number : {0U, 1U, 3U}) {
    CHECK_EQ(
        house.of(house.lock(), [&](Entry& entry) { entry.origin->number = MessageNumber(number); }),
        "its message number is not the table's next one");
  }
}

TEST_CASE("the floor opens once, with entry 1") {
  const House house;
  const std::string once = "the floor opens once, with entry 1";
  CHECK_EQ(house.of(house.lock(), [&](Entry& entry) { entry.fact = house.opening.fact; }), once);
  CHECK_EQ(validate_entry(State(), house.opening), std::nullopt);
  Entry entry = house.opening;
  entry.fact = RoundClosed{};
  CHECK_EQ(validate_entry(State(), entry), once);
  entry = house.opening;
  entry.origin = Origin{};
  CHECK_EQ(validate_entry(State(), entry), "an unknown table");  // there is no table yet
  entry = house.opening;
  std::get<FloorOpened>(entry.fact).floor.links[0].levels.clear();
  CHECK_EQ(validate_entry(State(), entry), "a posting to an unknown pool");
  entry.postings.clear();
  CHECK_EQ(validate_entry(State(), entry), std::nullopt);  // a wager with fixed awards only
  std::get<FloorOpened>(entry.fact).floor.links[0].pot = PotConfig();
  CHECK_EQ(validate_entry(State(), entry), "a fund of pots without a level");
  entry = house.opening;
  std::get<FloorOpened>(entry.fact).floor.links[0].levels.resize(limits::levels_max + 1);
  CHECK_EQ(validate_entry(State(), entry), "a link with too many levels");
  entry = house.opening;
  std::get<FloorOpened>(entry.fact).floor.links[0].tables = {TableIndex(99)};
  CHECK_EQ(validate_entry(State(), entry), "a link of an unknown table");
}

TEST_CASE("a table's fact comes from a table of the floor, a person's does not") {
  House house;
  const auto no_origin = [](Entry& entry) { entry.origin.reset(); };
  const std::string sentence = "a table's fact without its message";
  CHECK_EQ(house.of(house.lock(), no_origin), sentence);
  CHECK_EQ(house.of(house.show(), no_origin), sentence);
  CHECK_EQ(house.of(house.close(), no_origin), sentence);
  CHECK_EQ(house.of(house.annul(), no_origin), sentence);
  CHECK_EQ(house.of(house.resolve(), no_origin), sentence);
  CHECK_EQ(house.of(house.pot(), no_origin), sentence);
  CHECK_EQ(house.of(house.decided("C4-01", CloseRound{RoundId("none"), Badge()}), no_origin),
           sentence);
  CHECK_EQ(house.of(house.lock(), [](Entry& entry) { entry.origin->table = TableIndex(10); }),
           "an unknown table");
  house.take("C4-01", royal_flush_of("r1", 2));
  const Entry person = house.decided("F-1", ValidateClaim{ClaimNumber(1)});
  CHECK_EQ(house.of(person, [&](Entry& entry) { entry.origin = house.close().origin; }),
           "a person's step from a table");
}

TEST_CASE("a self-check attests the entry before it and does not come from a table") {
  const House house;
  Entry entry{house.state.last_entry().next(), {}, std::nullopt, SelfChecked{}, {}};
  std::get<SelfChecked>(entry.fact).verified = house.state.last_entry();
  const auto vouch = [](std::uint64_t number) {
    return [number](SelfChecked& checked) { checked.verified = EntryNumber(number); };
  };
  const std::uint64_t last = house.state.last_entry().value();
  for (const std::uint64_t number : {last - 1, last + 1}) {
    CHECK_EQ(house.of_fact<SelfChecked>(entry, vouch(number)), "it vouches for another entry");
  }
  const auto of_a_table = [&house](Entry& one) { one.origin = house.close().origin; };
  CHECK_EQ(house.of(entry, of_a_table), "the system's own step from a table");
  entry.fact = ClockChanged{1};
  CHECK_EQ(house.of(entry, of_a_table), "the system's own step from a table");
}

TEST_CASE("rounds are opened once, and only open ones continue") {
  House house;
  CHECK_EQ(house.of_fact<RoundLocked>(house.lock(),
                                      [](RoundLocked& fact) { fact.round = RoundId("r1"); }),
           "the round is open already");
  CHECK_EQ(
      house.of_fact<HandsShown>(house.show(), [](HandsShown& fact) { fact.round = RoundId("r2"); }),
      "the round is not open");
  CHECK_EQ(house.of_fact<RoundClosed>(house.close(),
                                      [](RoundClosed& fact) { fact.round = RoundId("r2"); }),
           "the round is not open");
  CHECK_EQ(house.of(house.show(),
                    [](Entry& entry) {
                      entry.origin->table = TableIndex(2);
                      std::get<HandsShown>(entry.fact).round = RoundId("b1");
                    }),
           "the round is blocked");
  CHECK_EQ(house.of(house.resolve(),
                    [](Entry& entry) {
                      entry.origin->table = TableIndex(1);
                      std::get<CountResolved>(entry.fact).round = RoundId("r1");
                    }),
           "the round is not blocked");
  for (std::size_t round = 2; round <= limits::rounds_open_per_table_max; ++round) {
    house.take("C4-01", lock_of("s" + std::to_string(round), {}));
  }
  Entry more = house.decided("C4-02", lock_of("r9", {}));
  CHECK_EQ(house.of(more, [&](Entry& entry) { entry.origin = house.close().origin; }),
           "too many open rounds");
}

TEST_CASE("wagers are on links of their table, with valid amounts") {
  const House house;
  const auto wager = [&](const std::function<void(PlacedWager&)>& spoil) {
    return house.of_fact<RoundLocked>(house.lock(),
                                      [&](RoundLocked& fact) { spoil(fact.wagers.at(0)); });
  };
  CHECK_EQ(wager([](PlacedWager& one) { one.link = LinkIndex(11); }), "a wager on an unknown link");
  CHECK_EQ(wager([](PlacedWager& one) { one.link = LinkIndex(0); }),
           "a wager on a link of other tables");
  CHECK_EQ(wager([](PlacedWager& one) { one.amount = -one.amount; }),
           "a wager that nobody could make");
  CHECK_EQ(wager([](PlacedWager& one) { one.amount = Amount::dollars(10'001); }),
           "a wager that nobody could make");
  CHECK_EQ(house.of_fact<PotPlayed>(house.pot(), [](PotPlayed& fact) { fact.link = LinkIndex(1); }),
           "a wager on a link of other tables");
}

TEST_CASE("a void returns exactly the contributions") {
  const House house;
  const std::string sentence = "other wagers are returned than accrued";
  CHECK_EQ(house.of_fact<RoundVoided>(house.annul(),
                                      [](RoundVoided& fact) { fact.returned.pop_back(); }),
           sentence);
  CHECK_EQ(
      house.of_fact<RoundVoided>(
          house.annul(), [](RoundVoided& fact) { fact.returned[0].amount = Amount::dollars(50); }),
      sentence);
  const Entry blocked = house.decided("C4-02", VoidRound{RoundId("b1"), "misdeal", Badge()});
  CHECK_EQ(house.of_fact<RoundVoided>(blocked,
                                      [](RoundVoided& fact) {
                                        fact.returned = {{Seat(1), LinkIndex(1), {}}};
                                      }),
           sentence);
}

TEST_CASE("hits and awards are on known levels, and claims are consecutive") {
  const House house;
  const auto shown = [&](const std::function<void(HandsShown&)>& spoil) {
    return house.of_fact<HandsShown>(house.show(), spoil);
  };
  CHECK_EQ(shown([](HandsShown& fact) { fact.hits[0].level = LevelIndex(3); }),
           "a call on an unknown level");
  CHECK_EQ(shown([](HandsShown& fact) { fact.hits[0].link = LinkIndex(11); }),
           "a call on an unknown level");
  CHECK_EQ(shown([](HandsShown& fact) { fact.awards[0].link = LinkIndex(11); }),
           "an award of an unknown link");
  CHECK_EQ(shown([](HandsShown& fact) { fact.awards[0].level = LevelIndex(3); }),
           "an award of an unknown level");
  CHECK_EQ(shown([](HandsShown& fact) { fact.awards[0].claim = ClaimNumber(2); }),
           "claims are not consecutive");
}

TEST_CASE("postings name known pools, and each account its kind of pool") {
  const House house;
  const auto posted = [&](const std::function<void(Posting&)>& spoil) {
    return house.of(house.lock(), [&](Entry& entry) { spoil(entry.postings.at(1)); });
  };
  CHECK_EQ(posted([](Posting& posting) { posting.link = LinkIndex(11); }),
           "a posting to an unknown pool");
  CHECK_EQ(posted([](Posting& posting) { posting.pool = Pool::level(LevelIndex(3)); }),
           "a posting to an unknown pool");
  CHECK_EQ(posted([](Posting& posting) { posting.pool = Pool::reserve(); }),
           "a meter posting on the reserve");
  CHECK_EQ(posted([](Posting& posting) { posting.account = Account::reserve; }),
           "a reserve posting on a level");
}

TEST_CASE("claims take one step after the other") {
  House house;
  house.take("C4-01", royal_flush_of("r1", 2));
  const std::string sentence = "the claim is not in that state";
  const Entry validated = house.decided("F-1", ValidateClaim{ClaimNumber(1)});
  CHECK_EQ(house.of_fact<ClaimValidated>(validated,
                                         [](ClaimValidated& fact) { fact.claim = ClaimNumber(2); }),
           sentence);
  CHECK_EQ(house.of(validated,
                    [](Entry& entry) {
                      entry.fact = ClaimPaid{ClaimNumber(1), PaymentSource::hand_pay, Badge()};
                    }),
           sentence);
  house.state.apply(validated);
  house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  const Entry paid =
      house.decided("C-1", PayClaim{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(1)});
  CHECK_EQ(house.of(paid,
                    [](Entry& entry) {
                      entry.fact = ClaimValidated{ClaimNumber(1), Badge()};
                    }),
           sentence);
  const auto paid_as = [&](const std::function<void(ClaimPaid&)>& spoil) {
    return house.of_fact<ClaimPaid>(paid, spoil);
  };
  CHECK_EQ(paid_as([](ClaimPaid& fact) { fact.slip = SlipNumber(); }), "the slip is open");
  CHECK_EQ(paid_as([](ClaimPaid& fact) { fact.slip = SlipNumber(2); }),
           "it is not the claim's open slip");
  CHECK_EQ(paid_as([](ClaimPaid& fact) { fact.source = PaymentSource::game_account; }),
           "the slip says another source");
}

TEST_CASE("a claim from before slips existed is paid without one") {
  House house;
  house.take("C4-01", royal_flush_of("r1", 2));
  const Entry validated = house.decided("F-1", ValidateClaim{ClaimNumber(1)});
  house.state.apply(validated);
  const Entry issued = house.decided("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  CHECK_EQ(house.of(issued,
                    [](Entry& entry) {
                      entry.fact = ClaimPaid{ClaimNumber(1), PaymentSource::hand_pay, Badge("C-1")};
                    }),
           "it fits");
}

TEST_CASE("signatures and slips follow the claim's state") {
  House house;
  house.take("C4-01", royal_flush_of("r1", 2));
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  const Entry issued = house.decided("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  const auto issued_as = [&](const std::function<void(SlipIssued&)>& spoil) {
    return house.of_fact<SlipIssued>(issued, spoil);
  };
  CHECK_EQ(issued_as([](SlipIssued&) {}), "it fits");
  CHECK_EQ(issued_as([](SlipIssued& fact) { fact.slip = SlipNumber(2); }),
           "slips are not consecutive");
  CHECK_EQ(issued_as([](SlipIssued& fact) { fact.claim = ClaimNumber(2); }),
           "the claim is not in that state");
  CHECK_EQ(issued_as([](SlipIssued& fact) { fact.amount += Amount::cents(1); }),
           "the slip is not what the claim is");
  CHECK_EQ(issued_as([](SlipIssued& fact) { fact.wager = Amount(); }),
           "the slip is not what the claim is");
  CHECK_EQ(issued_as([](SlipIssued& fact) { fact.taxable = true; }), "taxable by no threshold");
  CHECK_EQ(issued_as([](SlipIssued& fact) { fact.by = Badge("X-1"); }), "nobody has that badge");
  const auto instead = [&](const Fact& fact) {
    return house.of(issued, [&fact](Entry& entry) { entry.fact = fact; });
  };
  CHECK_EQ(instead(ClaimCountersigned{ClaimNumber(1), Badge("F-1")}),
           "both signatures are one person's");
  CHECK_EQ(instead(ClaimCountersigned{ClaimNumber(1), Badge("F-2")}), "it fits");
  CHECK_EQ(instead(SlipVoided{SlipNumber(1), VoidReason::misprint, "", Badge("F-1")}),
           "the slip is not open");
  CHECK_EQ(instead(SlipStored{SlipNumber(1), {}}), "no slip waits for its copy");
  house.state.apply(issued);
  const Entry second = house.decided("F-1", VoidSlip{SlipNumber(1), VoidReason::misprint, ""});
  const auto then = [&](const Fact& fact) {
    return house.of(second, [&fact](Entry& entry) { entry.fact = fact; });
  };
  CHECK_EQ(then(ClaimRejected{ClaimNumber(1), RejectReason::hand_misread, "", false, Badge("F-1")}),
           "the slip is open");
  SlipIssued again = std::get<SlipIssued>(issued.fact);
  again.slip = SlipNumber(2);
  CHECK_EQ(then(again), "the claim has an open slip");
  CHECK_EQ(then(SlipStored{SlipNumber(1), {}}), "it fits");
  CHECK_EQ(then(NoticePosted{LinkIndex(99), true, Badge("PSS-1")}), "an unknown link");
  CHECK_EQ(then(NoticePosted{LinkIndex(1), true, Badge("PSS-1")}), "a notice on no fund of pots");
}

// Four aces on the Fortune Bonus: a line, and Envy for seat 1, both paid at once.
TEST_CASE("if a seat has no hand, all awards that were paid at once are reversed") {
  House house;
  const auto fortune = [](std::uint8_t seat) {
    return AskedWager{Seat(seat), WagerId("pai-gow-poker/fortune-bonus"), Amount::dollars(5)};
  };
  house.take("PG-01", lock_of("r1", {fortune(1), fortune(2)}));
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {{Seat(2), cards_of({"As", "Ah", "Ad", "Ac", "2c", "3d", "9h"}), false, Amount()}};
  house.take("PG-01", show);
  const Entry good = house.decided(
      "F-1",
      CorrectHand{TableId("PG-01"), RoundId("r1"), Seat(2), {}, false, HandReason::wrong_seat, ""});
  REQUIRE_EQ(std::get<HandCorrected>(good.fact).reversed.size(), 2);
  const auto corrected = [&](const std::function<void(HandCorrected&)>& spoil) {
    return house.of_fact<HandCorrected>(good, spoil);
  };
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.reversed.clear(); }),
           "an award stands for a hand that was taken back");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.reversed.pop_back(); }),
           "an award stands for a hand that was taken back");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.reversed.push_back(fact.reversed.front()); }),
           "it reverses what the hand did not bring");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.reversed.front().amount = Amount::cents(1); }),
           "it reverses what the hand did not bring");
}

TEST_CASE("a correction needs the shown hand and does not reverse awards that wait for a claim") {
  House house;
  // Seat 2's royal flush is a claim, and seat 1 is owed Envy; the claim is rejected.
  house.take("C4-01", royal_flush_of("r1", 2));
  house.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, ""});
  const Entry good = house.decided("F-1", CorrectHand{TableId("C4-01"), RoundId("r1"), Seat(2),
                                                      cards_of({"As", "Ks", "Qs", "Js", "9s"}),
                                                      false, HandReason::misread_card, ""});
  REQUIRE(std::get<HandCorrected>(good.fact).reversed.empty());
  const auto corrected = [&](const std::function<void(HandCorrected&)>& spoil) {
    return house.of_fact<HandCorrected>(good, spoil);
  };
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.by = Badge("X-1"); }), "nobody has that badge");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.table = TableIndex(99); }), "an unknown table");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.round = RoundId("r9"); }),
           "the round is not open");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.seat = Seat(1); }), "the seat was not shown");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.corrects = EntryNumber(2); }),
           "it corrects another entry than the hand's");
  const std::string another = "it corrects another hand than was shown";
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.old_folded = true; }), another);
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.old_cards.pop_back(); }), another);
  const Award claimed =
      house.state.session(TableIndex(1)).find_round(RoundId("r1"))->shown.front().awards.front();
  REQUIRE(claimed.claim);
  CHECK_EQ(corrected([&](HandCorrected& fact) { fact.reversed.push_back(claimed); }),
           "it reverses what has a claim");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.cards.clear(); }),
           "a seat without a hand wins");
  CHECK_EQ(corrected([](HandCorrected& fact) { fact.awards[0].claim = ClaimNumber(9); }),
           "claims are not consecutive");
  house.state.apply(good);
  const Entry validated = house.decided("F-2", ValidateClaim{ClaimNumber(2)});
  CHECK_EQ(house.of_fact<ClaimValidated>(validated,
                                         [](ClaimValidated& fact) { fact.by = Badge("F-1"); }),
           "who corrected the hand validates its claim");
  house.take("F-2", ValidateClaim{ClaimNumber(2)});
  Entry signature = validated;
  signature.number = house.state.last_entry().next();
  signature.fact = ClaimCountersigned{ClaimNumber(2), Badge("F-1")};
  CHECK_EQ(validate_entry(house.state, signature), "who corrected the hand signs its claim");

  // The claim was not rejected first.
  House standing;
  standing.take("C4-01", royal_flush_of("r1", 2));
  Entry early = good;
  early.number = standing.state.last_entry().next();
  CHECK_EQ(validate_entry(standing.state, early), "a claim stands for a hand that was taken back");

  // A forged journal: the same ace twice, of which one deck has one.
  House forged;
  Entry twice = forged.show();
  std::vector<Card>& cards = std::get<HandsShown>(twice.fact).hands.front().cards;
  cards[1] = cards[0];
  forged.state.apply(twice);
  forged.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, ""});
  const Entry corrects = forged.decided("F-1", CorrectHand{TableId("C4-01"), RoundId("r1"), Seat(2),
                                                           cards_of({"As", "Ks", "Qs", "Js", "9s"}),
                                                           false, HandReason::misread_card, ""});
  CHECK_EQ(validate_entry(forged.state, corrects), "the old hand has cards that were never seen");
}

}  // namespace linkmeter::validate_test
