// Why persons' acts cannot follow a state, and what no Amount can hold: the sentences of
// validate_entry() that validate_test.cc does not cover.
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <vector>

#include "meters/values/limits.h"
#include "tests/support/validation_house.h"

namespace linkmeter::validate_people_test {
namespace {

const std::string from_table = "a person's step from a table";
const std::string nobody = "nobody has that badge";
const std::string wrong_state = "the claim is not in that state";

// Claim 1 is seat 2's royal flush on C4.
struct House : ValidationHouse {
  House() { take("C4-01", royal_flush_of("r1", 2)); }

  // A person's valid entry, with another fact.
  [[nodiscard]] std::string says(const Fact& fact) const {
    return instead(decided("F-1", SuspendLink{LinkId("RIU"), "a new reading"}), fact);
  }
  // The same, as if it came with a table's message.
  [[nodiscard]] std::string says_of_table(const Fact& fact) const {
    return of(decided("F-1", SuspendLink{LinkId("RIU"), "a new reading"}), [&](Entry& entry) {
      entry.fact = fact;
      entry.origin = close().origin;
    });
  }
  // Applies an entry without a table, without asking whether it is valid.
  void force(const Fact& fact) {
    state.apply(Entry{state.last_entry().next(), {}, std::nullopt, fact, {}});
  }
};

}  // namespace

TEST_CASE("a payment needs the open slip of a validated claim") {
  House house;
  const Fact paid = ClaimPaid{ClaimNumber(1), PaymentSource::hand_pay, Badge("C-1"), SlipNumber(1)};
  CHECK_EQ(house.says(paid), wrong_state);
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  CHECK_EQ(house.says(paid), "it is not the claim's open slip");
  house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  CHECK_EQ(house.says(paid), "it fits");
  CHECK_EQ(house.says_of_table(paid), from_table);
}

TEST_CASE("a second signature needs another person and a validated claim, once") {
  House house;
  const auto signed_by = [](const char* badge) {
    return ClaimCountersigned{ClaimNumber(1), Badge(badge)};
  };
  CHECK_EQ(house.says(signed_by("TGM-1")), wrong_state);
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  CHECK_EQ(house.says(signed_by("X-1")), nobody);
  CHECK_EQ(house.says_of_table(signed_by("TGM-1")), from_table);
  CHECK_EQ(house.says(signed_by("TGM-1")), "it fits");
  house.force(signed_by("TGM-1"));
  CHECK_EQ(house.says(signed_by("FM-1")), "the claim is countersigned already");
}

TEST_CASE("a slip is voided once, by a person, and has one copy") {
  House house;
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  const auto voided_by = [](const char* badge) {
    return SlipVoided{SlipNumber(1), VoidReason::misprint, "", Badge(badge)};
  };
  CHECK_EQ(house.says(voided_by("X-1")), nobody);
  CHECK_EQ(house.says(voided_by("F-1")), "it fits");
  house.take("F-1", VoidSlip{SlipNumber(1), VoidReason::misprint, ""});
  CHECK_EQ(house.says(voided_by("F-1")), "the slip is not open");
  const Fact stored = SlipStored{SlipNumber(1), {}};
  CHECK_EQ(house.says_of_table(stored), "the system's own step from a table");
  CHECK_EQ(house.says(stored), "it fits");
  house.force(stored);
  CHECK_EQ(house.says(stored), "no slip waits for its copy");
}

TEST_CASE("a rejection needs a waiting claim and returns what was not won since") {
  House house;
  const auto rejected = [](std::uint64_t claim, const char* badge, bool restored) {
    return ClaimRejected{ClaimNumber(claim), RejectReason::hand_misread, "", restored,
                         Badge(badge)};
  };
  CHECK_EQ(house.says(rejected(1, "F-1", true)), "it fits");
  CHECK_EQ(house.says(rejected(1, "X-1", true)), nobody);
  CHECK_EQ(house.says(rejected(2, "F-1", true)), wrong_state);
  CHECK_EQ(house.says_of_table(rejected(1, "F-1", true)), from_table);
  house.take("C4-01", lock_of("r2", {five_card(3)}));
  house.take("C4-01", royal_flush_of("r2", 3));
  CHECK_EQ(house.says(rejected(1, "F-1", true)), "a later claim has won the level");
  CHECK_EQ(house.says(rejected(1, "F-1", false)), "it fits");
  CHECK_EQ(house.says(rejected(2, "F-1", true)), "it fits");
  house.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, ""});
  CHECK_EQ(house.says(rejected(1, "F-1", false)), wrong_state);
  house.take("F-1", ValidateClaim{ClaimNumber(2)});
  CHECK_EQ(house.says(rejected(2, "F-1", true)), "it fits");
}

// M11: an entry that is read back names the hits that it undoes; no reader may fail on it.
TEST_CASE("a rejection undoes the last hits if none stands, and defers its own otherwise") {
  House house;
  house.take("C4-01", lock_of("r2", {five_card(3)}));
  house.take("C4-01", royal_flush_of("r2", 3));
  using Calls = std::vector<ClaimNumber>;
  const ClaimNumber first(1), second(2), unknown(9);
  const auto rejected = [](ClaimNumber claim, bool restored, const Calls& undone,
                           const Calls& deferred) {
    return ClaimRejected{claim,        RejectReason::hand_misread,   "", restored,
                         Badge("F-1"), HitReversal{undone, deferred}};
  };
  const std::string not_last = "it undoes a call that is not the last one of its level";
  const std::string stands = "it undoes a call that stands";
  const std::string unsaid = "it does not say whether the claim's own call is undone";
  const std::string not_its = "it defers a call that it does not reject";
  CHECK_EQ(house.says(rejected(first, false, {}, {first})), "it fits");
  CHECK_EQ(house.says(rejected(first, true, {first}, {})), not_last);
  CHECK_EQ(house.says(rejected(first, false, {second}, {})), stands);
  CHECK_EQ(house.says(rejected(first, false, {}, {second})), not_its);
  CHECK_EQ(house.says(rejected(first, false, {}, {unknown})), not_its);
  CHECK_EQ(house.says(rejected(second, true, {second}, {})), "it fits");
  CHECK_EQ(house.says(rejected(second, true, {second, first}, {})), stands);
  CHECK_EQ(house.says(rejected(second, true, {second, second}, {})), not_last);
  CHECK_EQ(house.says(rejected(second, false, {second}, {})), unsaid);
  CHECK_EQ(house.says(rejected(second, true, {unknown}, {})), unsaid);
  CHECK_EQ(house.says(rejected(second, false, {unknown}, {})), not_last);
  house.take("F-1", RejectClaim{first, RejectReason::hand_misread, ""});
  CHECK_EQ(house.says(rejected(second, true, {second, first}, {})), "it fits");
  CHECK_EQ(house.says(rejected(second, true, {first, second}, {})), not_last);
  CHECK_EQ(house.says(rejected(second, true, {second}, {first})), not_its);
}

TEST_CASE("a rejected fixed award moves no meter") {
  House house;
  house.take("C4-01", lock_of("r2", {five_card(3)}));
  Entry fixed = house.decided("C4-01", royal_flush_of("r2", 3));
  HandsShown& shown = std::get<HandsShown>(fixed.fact);
  shown.hits.clear();
  shown.awards.resize(1);
  shown.awards[0].level.reset();
  shown.awards[0].hit = 0;
  fixed.postings.clear();
  house.state.apply(fixed);
  const auto rejected = [](bool restored) {
    return ClaimRejected{ClaimNumber(2), RejectReason::hand_misread, "", restored, Badge("F-1")};
  };
  CHECK_EQ(house.says(rejected(true)), "a fixed award restores no meter");
  CHECK_EQ(house.says(rejected(false)), "it fits");
}

TEST_CASE("a link is suspended with a reason, by a person or by the system") {
  const House house;
  CHECK_EQ(house.says(LinkSuspended{LinkIndex(1), "a fault", Badge()}), "it fits");
  CHECK_EQ(house.says(LinkSuspended{LinkIndex(1), "a fault", Badge("X-1")}), nobody);
  CHECK_EQ(house.says(LinkSuspended{LinkIndex(11), "a fault", Badge()}), "an unknown link");
  CHECK_EQ(house.says(LinkSuspended{LinkIndex(1), "", Badge()}),
           "a link suspended without a reason");
  CHECK_EQ(house.says_of_table(LinkSuspended{LinkIndex(1), "a fault", Badge()}), from_table);
  CHECK_EQ(house.says(NoticePosted{LinkIndex(3), true, Badge("X-1")}), nobody);
  CHECK_EQ(house.says_of_table(NoticePosted{LinkIndex(3), true, Badge("PSS-1")}), from_table);
}

TEST_CASE("a table is frozen with a reason, by a person or by the system") {
  const House house;
  const auto by = [](const char* badge) {
    return TableFrozen{TableIndex(1), "the seal is broken", Badge(badge)};
  };
  CHECK_EQ(house.says(by("")), "it fits");
  CHECK_EQ(house.says(by("X-1")), nobody);
  CHECK_EQ(house.says(TableFrozen{TableIndex(99), "a fault", Badge()}), "an unknown table");
  CHECK_EQ(house.says(TableFrozen{TableIndex(1), "", Badge()}), "a table frozen without a reason");
  CHECK_EQ(house.says_of_table(by("F-1")), from_table);
  const auto says = [&house](const DualControlCommand& act) {
    return house.says(ActProposed{ProposalNumber(1), act, Badge("TGM-1")});
  };
  CHECK_EQ(says(UnfreezeTable{TableId("C4-01")}), "it fits");
  CHECK_EQ(says(UnfreezeTable{TableId("NONE")}), "an unknown table");
  CHECK_EQ(says(ResumeLinks{{{LinkId("C4"), "a clock"}, {LinkId("RIU"), "a clock"}}}), "it fits");
  CHECK_EQ(says(ResumeLinks{{{LinkId("C4"), "a clock"}, {LinkId("NONE"), "a clock"}}}),
           "an unknown link");
}

TEST_CASE("sign-ins, PINs and refusals name a person") {
  const House house;
  for (const Fact& fact :
       std::vector<Fact>{PinChanged{Badge("X-1"), "pin"}, SignedIn{Badge("X-1")},
                         SignInFailed{Badge("X-1"), std::nullopt},
                         CommandRejected{"pay", Refusal::right_missing, Badge("X-1")}}) {
    CHECK_EQ(house.says(fact), nobody);
  }
  CHECK_EQ(house.says_of_table(HistoryRestored{}), "the system's own step from a table");
  CHECK_EQ(house.says(SignedIn{Badge("F-1")}), "it fits");
  CHECK_EQ(house.says_of_table(SignedIn{Badge("F-1")}), from_table);
}

TEST_CASE("a proposal has the next number, a person and existing objects") {
  const House house;
  const auto says = [&house](const DualControlCommand& act) {
    return house.says(ActProposed{ProposalNumber(1), act, Badge("TGM-1")});
  };
  const DualControlCommand resume = ResumeLink{LinkId("C4")};
  CHECK_EQ(says(resume), "it fits");
  CHECK_EQ(house.says(ActProposed{ProposalNumber(2), resume, Badge("TGM-1")}),
           "its proposal number is not the next one");
  CHECK_EQ(house.says(ActProposed{ProposalNumber(1), resume, Badge("X-1")}), nobody);
  CHECK_EQ(says(ResumeLink{LinkId("NONE")}), "an unknown link");
  CHECK_EQ(says(CorrectMeter{LinkId("NONE"), LevelId("mega"), Amount::cents(1),
                             CorrectionReason::count_variance, ""}),
           "an unknown link");
  const Person known = *house.state.find_person(Badge("F-1"));
  CHECK_EQ(says(AddPerson{known}), "the badge is somebody's");
  CHECK_EQ(says(RemovePerson{Badge("X-1")}), nobody);
  CHECK_EQ(says(SetRoles{Badge("X-1"), {Role::dealer}}), nobody);
  CHECK_EQ(says(ResetPin{Badge("X-1"), "pin"}), nobody);
  const Enrolment enrolled = *house.state.enrolments().find(EnrolmentKind::table, "C4-01");
  CHECK_EQ(says(Enrol{enrolled}), "the key is somebody's");
  CHECK_EQ(says(Revoke{EnrolmentKind::table, "C4-01"}), "it fits");
  CHECK_EQ(says(Revoke{EnrolmentKind::viewer, "C4-01"}), "nobody of that name is enrolled");
  CHECK_EQ(says(ChangeParameters()), "parameters that change no known configuration");
  ChangeParameters change;
  change.since = EntryNumber(2);
  change.floor = house.state.floor();
  CHECK_NE(says(change), "it fits");  // decide_parameters_test.cc tests its sentences
}

TEST_CASE("a confirmation repeats the proposal, by a person of another department") {
  House house;
  house.take("FM-1", SuspendLink{LinkId("C4"), "a new reading"});
  house.take("TGM-1", Propose{ResumeLink{LinkId("C4")}});
  const DualControlCommand act = house.state.proposals().back().act;
  const auto says = [&house](const DualControlCommand& what, std::uint64_t number,
                             const char* first, const char* second) {
    return house.says(ActConfirmed{ProposalNumber(number), what, Badge(first), Badge(second)});
  };
  CHECK_EQ(says(act, 1, "TGM-1", "FM-1"), "it fits");
  const std::string unproposed = "it confirms what nobody proposed";
  CHECK_EQ(says(act, 2, "TGM-1", "FM-1"), unproposed);
  CHECK_EQ(says(ResumeLink{LinkId("RIU")}, 1, "TGM-1", "FM-1"), unproposed);
  CHECK_EQ(says(act, 1, "FM-1", "FM-1"), unproposed);
  CHECK_EQ(says(act, 1, "TGM-1", "X-1"), nobody);
  CHECK_EQ(says(act, 1, "TGM-1", "F-1"), "both halves are of one department");
  CHECK_EQ(says(act, 1, "TGM-1", "TGM-1"), "both halves are of one department");
}

TEST_CASE("an award is on the table's links, is pending or paid, and within the payout limit") {
  House house;
  house.take("C4-01", lock_of("r2", {five_card(3)}));
  const Entry good = house.decided("C4-01", royal_flush_of("r2", 3));
  const auto shown = [&](const std::function<void(HandsShown&)>& spoil) {
    return house.of_fact<HandsShown>(good, spoil);
  };
  CHECK_EQ(shown([](HandsShown& fact) { fact.awards[0].link = LinkIndex(0); }),
           "an award of a link of other tables");
  CHECK_EQ(shown([](HandsShown& fact) { fact.awards[0].source = PaymentSource::hand_pay; }),
           "an award that waits, and is paid");
  const auto pay_at_once = [](HandsShown& fact, Amount amount) {
    fact.hits.clear();
    fact.awards.resize(1);
    fact.awards[0].claim.reset();
    fact.awards[0].amount = amount;
    fact.awards[0].source = PaymentSource::table_inventory;
  };
  // What the table was paid before: the Envy of claim 1.
  const Amount most = limits::lifetime_max - house.state.link(LinkIndex(1)).tables[0].paid.in_all;
  CHECK_EQ(shown([&](HandsShown& fact) { pay_at_once(fact, most); }), "it fits");
  const std::string too_much = "more is paid than there can be";
  // Two of one entry; each alone would be valid.
  CHECK_EQ(shown([&](HandsShown& fact) {
             pay_at_once(fact, most);
             fact.awards.push_back(fact.awards[0]);
           }),
           too_much);
  // Paid at once before, and now one cent more: at once, or by a claim.
  Entry paid = good;
  pay_at_once(std::get<HandsShown>(paid.fact), most);
  paid.postings.clear();
  house.state.apply(paid);
  house.take("C4-01", lock_of("r3", {five_card(3)}));
  const Entry again = house.decided("C4-01", royal_flush_of("r3", 3));
  CHECK_EQ(house.of_fact<HandsShown>(
               again, [&](HandsShown& fact) { pay_at_once(fact, Amount::cents(1)); }),
           too_much);
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  CHECK_EQ(
      house.says(ClaimPaid{ClaimNumber(1), PaymentSource::hand_pay, Badge("C-1"), SlipNumber(1)}),
      too_much);
}

TEST_CASE("a hand that was taken back has no award and no posting") {
  House house;
  house.take("F-1", RejectClaim{ClaimNumber(1), RejectReason::hand_misread, ""});
  const Entry good = house.decided("F-1", CorrectHand{TableId("C4-01"), RoundId("r1"), Seat(2),
                                                      cards_of({"Ks", "Qs", "Js", "Ts", "9s"}),
                                                      false, HandReason::misread_card, ""});
  REQUIRE_FALSE(good.postings.empty());
  CHECK_EQ(house.of_fact<HandCorrected>(good,
                                        [](HandCorrected& fact) {
                                          fact.cards.clear();
                                          fact.hits.clear();
                                          fact.awards.clear();
                                        }),
           "a seat without a hand wins");
}

// The dealer's hand decides the Hand Bonus for bets on it, so an award that stands there may be
// right. An award that gave an Envy, or that a correction raised, belongs to the seat's own hand.
TEST_CASE("after the dealer's hand was shown, only the seat's own awards are reversed") {
  const std::vector<Card> aces = cards_of({"As", "Ac", "Ad", "Ah", "Ks"});
  const std::vector<Card> nothing = cards_of({"As", "Ac", "9d", "Qh", "Ks"});
  const auto played = [](const std::vector<Card>& cards) {
    House house;
    house.take(
        "C4-03",
        lock_of("d1", {{Seat(1), WagerId("crazy-4/four-card"), Amount::dollars(5)},
                       {Seat(2), WagerId("crazy-4/four-card"), Amount::dollars(5)},
                       {Seat(2), WagerId("crazy-4/five-card-hand-bonus"), Amount::dollars(1)}}));
    ShowHands show = royal_flush_of("d1", 2);
    show.hands.front().cards = cards;
    show.dealer = cards_of({"2c", "4d", "6h", "8s", "9c"});
    show.names_dealer = true;
    house.take("C4-03", show);
    return house;
  };
  const auto correction = [](const std::vector<Card>& cards) {
    return CorrectHand{
        TableId("C4-03"), RoundId("d1"), Seat(2), cards, false, HandReason::misread_card, ""};
  };
  const auto reject = [](House& house, std::uint64_t claim,
                         RejectReason reason = RejectReason::hand_misread) {
    house.take("F-2", RejectClaim{ClaimNumber(claim), reason, ""});
  };
  // Four aces: both wagers win claims, 2 and 3, and seat 1 wins its Envy, which is paid because the
  // seat had made no wager.
  House envied = played(aces);
  reject(envied, 2, RejectReason::wager_not_made);
  reject(envied, 3);
  const Entry takes_back = envied.decided("F-1", correction(nothing));
  REQUIRE_EQ(std::get<HandCorrected>(takes_back.fact).reversed.size(), 1);
  CHECK_EQ(
      envied.of_fact<HandCorrected>(takes_back, [](HandCorrected& fact) { fact.reversed.clear(); }),
      "an award stands for a hand that was taken back");
  // Four aces again, by a correction, which raises claims 4 and 5.
  envied.take("F-1", correction(cards_of({"As", "Ac", "Ad", "Ah", "Qs"})));
  House early = envied;
  reject(envied, 4);
  reject(envied, 5);
  Entry again = envied.decided("F-1", correction(nothing));
  for (const std::uint64_t claim : {std::uint64_t{4}, std::uint64_t{5}}) {
    House standing = early;
    reject(standing, claim);
    again.number = standing.state.last_entry().next();
    CHECK_EQ(validate_entry(standing.state, again),
             "a claim stands for a hand that was taken back");
  }
  // A flush of the Hand Bonus, paid at once: it could have been for the dealer's hand.
  const House paid = played(cards_of({"Ks", "Qs", "9s", "7s", "2s"}));
  const Entry of_nothing =
      paid.decided("F-1", correction(cards_of({"Ks", "Qs", "9s", "7s", "2h"})));
  REQUIRE_EQ(std::get<HandCorrected>(of_nothing.fact).reversed.size(), 1);
  CHECK_EQ(
      paid.of_fact<HandCorrected>(of_nothing, [](HandCorrected& fact) { fact.reversed.clear(); }),
      "it fits");
}

TEST_CASE("no balance leaves the range of an Amount at any posting") {
  const House house;
  const Pool mega = Pool::level(LevelIndex(0));
  const auto post = [&](const std::vector<int>& times) {
    return house.of(house.lock(), [&](Entry& entry) {
      entry.postings.clear();
      for (const int sign : times) {
        const Amount most = sign < 0 ? -limits::lifetime_max : limits::lifetime_max;
        entry.postings.push_back({Account::corrections, LinkIndex(1), mega, most});
      }
    });
  };
  const std::string too_much = "a posting moves more than there can be";
  CHECK_EQ(post({1}), "it fits");
  CHECK_EQ(post({1, 1}), too_much);
  CHECK_EQ(post({-1, -1}), too_much);
  // Together they exceed the limit; one after the other they do not.
  CHECK_EQ(post({1, -1, 1}), "it fits");
  CHECK_EQ(post({1, -1, -1, -1}), too_much);
}

}  // namespace linkmeter::validate_people_test
