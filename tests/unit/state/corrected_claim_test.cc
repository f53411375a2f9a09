// Output about claims that corrections and voids raised and rejected: their cards in the claim's
// view and on the slip, the export of postings, the claim's timeline, its bundle, the day's report.
#include <doctest/doctest.h>
#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/accounting/day/day_event.h"
#include "controller/accounting/evidence/bundle_audit.h"
#include "controller/accounting/evidence/claim_timeline.h"
#include "controller/accounting/export/posting_row.h"
#include "controller/slips/slip_document.h"
#include "controller/store/audit.h"
#include "controller/view/claim_cards.h"
#include "controller/view/claim_json.h"
#include "controller/web/accounting_views.h"
#include "meters/rules/decide.h"
#include "meters/rules/laws.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/support/hand_cards.h"
#include "tests/support/memory_journal.h"
#include "tests/support/small_floor.h"
#include "tests/support/staff.h"

namespace linkmeter::corrected_claim_test {
namespace {

const std::string floor_toml = R"([house]
name = "Corrections"
timezone = "America/New_York"
gaming_day_start = "06:00"

[[link]]
id = "BAD"
wager = "blackjack/bad-beat"
minimum = "1.00"
maximum = "25.00"
seed = "5000.00"
rates = { main = "10%" }
tables = ["BJ-01"]

[[link]]
id = "RUN"
wager = "blackjack/hit-and-run"
unit = "1.00"
seed = "1000.00"
rates = { main = "10%" }
tables = ["BJ-01"]

[[link]]
id = "PK"
wager = "poker/bad-beat"
contribution = { minimum_pot = "20.00", amount = "1.00" }
seed = "500.00"
reseed = "0.00"
rates = { main = "80%", reserve = "20%" }
qualifying = "full_house"
split = { losing_hand = "50%", winning_hand = "25%", table = "25%" }
tables = ["P-01"]

[[table]]
id = "BJ-01"
game = "blackjack"
seats = 7
decks = 6

[[table]]
id = "P-01"
game = "poker"
seats = 9
)";

// Seven cards that make 21, and one more that busts.
const char* const seven = "2c 2d 2h 2s 3c 3d 7h";
const char* const broken = "2c 2d 2h 2s 3c 3d Kh";

struct House {
  FloorFile file = std::get<FloorFile>(parse_floor("floor.toml", floor_toml, shipped_catalogue()));
  MemoryJournal journal;
  State state;
  std::int64_t seconds = 1'772'374'000;

  House() {
    commit(open_floor(
        FloorOpened{file.floor, floor_toml, file.catalogue_texts, standard_staff(), {}}, now()));
  }
  Timestamp now() { return Timestamp::from_microseconds(++seconds * 1'000'000); }
  void commit(const Entry& entry) {
    REQUIRE_EQ(validate_entry(state, entry).value_or(""), "");
    state.apply(entry);
    journal.commit({encode(entry)}, rows_for(state, state.take_changes()));
  }
  Entry say(const std::string& table, TableCommand command) {
    TableMessage message;
    message.table = TableId(table);
    const auto place = state.find_table(message.table);
    message.number = state.session(place.value()).last_number().next();
    message.command = std::move(command);
    const Entry entry = std::get<Entry>(decide(state, file.rules, message, now()));
    REQUIRE_FALSE(std::holds_alternative<MessageRefused>(entry.fact));
    commit(entry);
    return entry;
  }
  Entry ask(const std::string& badge, OperatorCommand act) {
    const Entry entry = std::get<Entry>(
        decide(state, file.rules, PersonMessage{Badge(badge), std::move(act)}, now()));
    REQUIRE_FALSE(std::holds_alternative<CommandRejected>(entry.fact));
    commit(entry);
    return entry;
  }
  // $10 and $5 on the Bad Beat.
  void lock(const std::string& round) {
    LockRound lock;
    lock.round = RoundId(round);
    lock.wagers = {{Seat(4), WagerId("blackjack/bad-beat"), Amount::dollars(10)},
                   {Seat(2), WagerId("blackjack/bad-beat"), Amount::dollars(5)}};
    say("BJ-01", lock);
  }
  Entry show(const std::string& round, const std::string& four, const std::string& two,
             const std::string& dealer) {
    ShowHands show;
    show.round = RoundId(round);
    show.hands = {{Seat(4), cards(four), false, {}}, {Seat(2), cards(two), false, {}}};
    show.dealer = cards(dealer);
    show.names_dealer = true;
    return say("BJ-01", show);
  }
  Entry correct_hand(const std::string& round, int seat, const std::string& hand) {
    CorrectHand correct;
    correct.table = TableId("BJ-01");
    correct.round = RoundId(round);
    correct.seat = Seat(static_cast<std::uint8_t>(seat));
    correct.cards = cards(hand);
    return ask("F-1", correct);
  }
  Entry correct_dealer(const std::string& round, const std::string& dealer) {
    CorrectDealer correct;
    correct.table = TableId("BJ-01");
    correct.round = RoundId(round);
    correct.cards = cards(dealer);
    return ask("F-1", correct);
  }
  // Sevens full lose to four nines, but a seven was keyed as a six; later it is corrected.
  Entry play_pot(const std::string& id) {
    PlayPot pot;
    pot.round = RoundId(id);
    pot.pot = Amount::dollars(42);
    pot.board = cards("7c 7d 9h 9s 2d");
    pot.showdown = true;
    pot.hands = {{Seat(1), cards("6s Kc"), false, {}},
                 {Seat(3), cards("9c 9d"), false, Amount::dollars(41)}};
    return say("P-01", pot);
  }
  Entry correct_pot(const std::string& id) {
    CorrectPot correct;
    correct.table = TableId("P-01");
    correct.round = RoundId(id);
    correct.hands = {{Seat(1), cards("7s Kc"), false, false}};
    return ask("F-1", correct);
  }
  // The claim with that number.
  [[nodiscard]] const Claim& claim(std::uint64_t number) const {
    return *state.find_claim(ClaimNumber(number));
  }
  [[nodiscard]] Json whole(std::uint64_t number) const {
    return claim_detail_json(state, claim(number), file.rules.link(claim(number).link), journal,
                             Timestamp::from_microseconds(seconds * 1'000'000));
  }
  [[nodiscard]] std::vector<std::string> timeline(std::uint64_t number) const {
    ClaimTimeline told{ClaimNumber(number)};
    for (const Entry& entry : entries()) told.add(entry, state.floor());
    return told.lines();
  }
  [[nodiscard]] std::vector<Entry> entries() const {
    std::vector<Entry> all;
    journal.read(EntryNumber(1), [&all](const StoredEntry& stored) {
      all.push_back(decode_entry(stored.bytes).value());
      return true;
    });
    return all;
  }
};

std::string card_text(const Json& list) {
  std::string all;
  for (const Json& card : list) all += (all.empty() ? "" : " ") + card.get<std::string>();
  return all;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// "pending -5001.50 of 1 2", for one account.
std::vector<std::string> rows_of(const House& house, const Entry& entry,
                                 const std::string& account) {
  std::vector<std::string> all;
  for (const PostingRow& row : PostingRows(house.state, "").of(entry)) {
    if (row.account != account) continue;
    all.push_back(text_exact(row.amount) + " of " + row.claim + " seat " + row.seat);
  }
  return all;
}

}  // namespace

TEST_CASE("the state keeps the last correction of a hand and the last void") {
  House house;
  const auto sees = [&house] { return last_entry_in(house.state) == house.state.last_entry(); };
  house.lock("b1");
  house.show("b1", "Ks Qs", "Ks Jc", broken);
  CHECK(sees());
  house.correct_hand("b1", 2, "Ks Js");
  CHECK(sees());
  house.correct_dealer("b1", "2c 2d 2h 2s 3c 3d Qh");
  CHECK(sees());
  house.play_pot("h1");
  CHECK(sees());
  house.correct_pot("h1");
  CHECK(sees());
  house.say("BJ-01", VoidRound{RoundId("b1"), "misdeal", Badge("F-1")});
  house.lock("b2");
  const Entry voided =
      house.say("BJ-01", VoidRound{RoundId("b2"), "irregular hand", Badge("F-1"), Seat(2)});
  CHECK(std::holds_alternative<HandVoided>(voided.fact));
  CHECK(sees());
  house.ask("PSS-1", ValidateClaim{ClaimNumber(1)});
  house.ask("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  CHECK(sees());
  Entry signed_head;
  signed_head.number = house.state.last_entry().next();
  signed_head.recorded_at = house.now();
  signed_head.fact = HeadSigned{house.state.last_entry(), house.journal.head().hash, {}, "x"};
  house.state.apply(signed_head);
  CHECK(sees());
}

TEST_CASE("a claim raised by a correction of the dealer's cards shows both hands") {
  House house;
  house.lock("b1");
  house.show("b1", "Ks Qs", "Ks Jc", broken);
  house.correct_hand("b1", 2, "Ks Js");
  house.correct_dealer("b1", seven);
  REQUIRE_EQ(house.state.claims().size(), 2);
  // The highest seat comes first (M6): claim 1 is seat 4's, claim 2 is seat 2's.
  const Json four = house.whole(1);
  CHECK_EQ(card_text(four["cards"]), "Ks Qs");
  CHECK_EQ(card_text(four["dealer"]), seven);
  CHECK(four["corrects"]["seat"].is_null());
  CHECK_EQ(card_text(four["corrects"]["cards"]), broken);
  const Json two = house.whole(2);
  CHECK_EQ(card_text(two["cards"]), "Ks Js");
  CHECK_EQ(card_text(two["dealer"]), seven);

  house.ask("F-2", ValidateClaim{ClaimNumber(2)});
  house.ask("C-1", IssueSlip{ClaimNumber(2), PaymentSource::hand_pay});
  const SlipDocument slip = slip_document(house.state, house.file.rules, house.journal,
                                          house.state.slips()[0], "America/New_York");
  CHECK_EQ(slip.cards, (std::vector<std::string>{"Ks", "Js"}));
  bool says_dealers = false;
  for (const SlipDocument::Row& row : slip.facts) {
    says_dealers = says_dealers || (row.label == "Dealer's hand" && row.value == seven);
  }
  CHECK(says_dealers);
}

TEST_CASE("a claim of a hand that was compared again shows its own cards") {
  House house;
  house.lock("b1");
  house.show("b1", "Ks Qs", "Ks Jc", broken);
  house.correct_dealer("b1", seven);
  house.correct_hand("b1", 2, "Ks 9s");
  REQUIRE_EQ(house.state.claims().size(), 3);
  const Json four = house.whole(3);
  CHECK_EQ(four["seat"].get<int>(), 4);
  CHECK_EQ(card_text(four["cards"]), "Ks Qs");
  CHECK_EQ(card_text(four["dealer"]), seven);
  CHECK_EQ(four["corrects"]["seat"].get<int>(), 2);
  CHECK_EQ(card_text(four["corrects"]["cards"]), "Ks Jc");
}

TEST_CASE("a claim of a corrected pot shows the corrected pot") {
  House house;
  house.play_pot("h1");
  house.correct_pot("h1");
  REQUIRE_EQ(house.state.claims().size(), 2);
  const Json loser = house.whole(house.claim(1).seat == Seat(1) ? 1 : 2);
  CHECK_EQ(card_text(loser["cards"]), "7s Kc");
  CHECK_EQ(card_text(loser["board"]), "7c 7d 9h 9s 2d");
  CHECK_EQ(loser["corrects"]["seat"].get<int>(), 1);
  CHECK_EQ(card_text(loser["corrects"]["cards"]), "6s Kc");
}

TEST_CASE("the export assigns the money of a rejected claim and of the new claim to each") {
  House house;
  house.lock("b1");
  house.show("b1", "Ks Qs", "Ks Qs", seven);  // 5001.50: 3334.33 and 1667.17
  const Entry corrected = house.correct_hand("b1", 2, "Ks 9s");
  CHECK_EQ(rows_of(house, corrected, "pending"),
           (std::vector<std::string>{"-5001.50000000 of 1 2 seat ", "5001.50000000 of 3 seat 4"}));
  const Entry voided = house.say("BJ-01", VoidRound{RoundId("b1"), "misdeal", Badge("F-1")});
  CHECK_EQ(rows_of(house, voided, "pending"),
           (std::vector<std::string>{"-5001.50000000 of 3 seat 4"}));
  CHECK_EQ(rows_of(house, voided, "meter"), (std::vector<std::string>{"1.50000000 of 3 seat 4"}));
  CHECK_EQ(rows_of(house, voided, "wagers"), (std::vector<std::string>{"1.50000000 of  seat "}));

  house.lock("b2");
  const Entry shown = house.show("b2", "Ks Qs", "Ks 9s", seven);
  CHECK_EQ(rows_of(house, shown, "pending"),
           (std::vector<std::string>{"5001.50000000 of 4 seat 4"}));
  // The void of a hand returns the seat's wager and rejects its claim.
  const Entry hand =
      house.say("BJ-01", VoidRound{RoundId("b2"), "irregular", Badge("F-1"), Seat(4)});
  CHECK_EQ(rows_of(house, hand, "pending"),
           (std::vector<std::string>{"-5001.50000000 of 4 seat 4"}));
  CHECK_EQ(rows_of(house, hand, "wagers"), (std::vector<std::string>{"1.00000000 of  seat 4"}));
}

TEST_CASE("a claim's timeline includes corrections and voids") {
  House house;
  house.lock("b1");
  house.show("b1", "Ks Qs", "Ks Qs", seven);
  house.correct_hand("b1", 2, "Ks 9s");
  house.lock("b2");
  house.show("b2", "Ks Qs", "Ks 9s", seven);  // a later hit
  house.correct_hand("b1", 4, "Ks 8s");
  house.say("BJ-01", VoidRound{RoundId("b2"), "misdeal", Badge("F-1")});
  const auto first = house.timeline(2);
  REQUIRE_EQ(first.size(), 2);
  CHECK(contains(first[1], "claim 2 rejected by F-1, hand_misread (entry 4,"));
  const auto second = house.timeline(3);
  REQUIRE_EQ(second.size(), 3);
  CHECK(contains(second[0], "claim 3 raised at BJ-01 seat 4, round b1: "));
  CHECK(contains(second[1],
                 "claim 3 rejected by F-1, hand_misread; what its call had put on the "
                 "meter stays there while a later call stands (entry 7,"));
  CHECK(contains(second[2],
                 "claim 3 no later call stands: what its call had put on the meter went "
                 "back, with the rejection of claim 4 (entry 8,"));
}

TEST_CASE("a claim's bundle begins with the lock of its round, or with the pot as it was played") {
  House house;
  house.lock("b1");
  house.play_pot("h1");
  house.show("b1", "Ks Qs", "Ks Qs", broken);
  house.correct_dealer("b1", seven);  // claims 1 and 2
  house.correct_pot("h1");            // claims 3 and 4
  CHECK_EQ(beginning_of(house.journal, house.claim(1)), EntryNumber(2));
  CHECK_EQ(beginning_of(house.journal, house.claim(3)), EntryNumber(3));
  const std::vector<Entry> entries = house.entries();
  const auto wrong = [&](std::uint64_t claim, std::uint64_t first) {
    BundleBounds bounds(ClaimNumber(claim), std::nullopt);
    for (const Entry& entry : entries) {
      if (entry.number.value() >= first) bounds.add(entry, house.state.floor());
    }
    const Head head = house.journal.head();
    const Segment run{{EntryNumber(first - 1), {}}, head, head.entry.value() - first + 1};
    const BundleBounds::Finding found = bounds.hold(run, false, head);
    return found.wrong.empty() ? std::string() : found.wrong[0];
  };
  CHECK_EQ(wrong(1, 2), "");
  CHECK_EQ(wrong(3, 3), "");
  CHECK_EQ(wrong(3, 6), "its first entry, 6, is not the claim's pot as it was played");
  CHECK_EQ(wrong(1, 3), "its first entry, 3, is not the lock of the claim's round");
}

TEST_CASE("a round's lock is found however many entries are between") {
  House house;
  house.lock("b1");
  for (int count = 0; count < 600; ++count) {
    house.seconds += 120;  // no faster than a table's pace
    house.play_pot("h" + std::to_string(count));
  }
  house.show("b1", "Ks Qs", "Ks Qs", seven);
  CHECK_EQ(beginning_of(house.journal, house.claim(1)), EntryNumber(2));
}

TEST_CASE("the day's report includes reversed Envy, recoveries and new recovery codes") {
  const House house;
  const auto words_of = [&house](Fact fact) {
    Entry entry;
    entry.number = EntryNumber(9);
    entry.fact = std::move(fact);
    const std::optional<DayEvent> event = day_event(entry, house.state.floor());
    return event ? event->kind + ": " + event->words : "";
  };
  Award envy;
  envy.kind = AwardKind::envy;
  envy.seat = Seat(3);
  envy.amount = Amount::dollars(1'000);
  ClaimRejected rejected;
  rejected.claim = ClaimNumber(7);
  rejected.by = Badge("F-1");
  rejected.reversed = {envy};
  CHECK_EQ(words_of(rejected),
           "claim_rejected: claim 7: hand_misread, the reseed and the reserve stay where they are, "
           "1000.00 to be taken back from seat 3, by F-1");
  rejected.reversed.clear();
  rejected.envy = {envy};
  CHECK(contains(words_of(rejected), ", envy of 1000.00 is due to seat 3, by F-1"));
  CHECK_EQ(
      words_of(Recovered{Badge("TGM-1"), "secret", {2, 5}}),
      "recovered: TGM-1 has a new PIN by the recovery codes 2 and 5; every link was suspended");
  CHECK_EQ(words_of(RecoveryFailed{Badge("TGM-1"), {}}),
           "recovery_failed: wrong recovery codes were tried for TGM-1");
  ActConfirmed made;
  made.act = NewRecoveryCodes{};
  made.proposed_by = Badge("TGM-1");
  made.by = Badge("FM-1");
  CHECK(contains(words_of(made), "recovery_codes_made: "));
  CHECK(contains(words_of(made), ", by TGM-1 and FM-1"));
}

TEST_CASE("the list of acts has sign-ins and recoveries") {
  House house;
  const auto say = [&house](Fact fact) {
    Entry entry;
    entry.number = house.journal.head().entry.next();
    entry.fact = std::move(fact);
    house.journal.commit({encode(entry)}, {});
  };
  say(SignedIn{Badge("F-1")});
  say(SignInFailed{Badge("F-2"), {}});
  say(RecoveryFailed{Badge("FM-1"), {}});
  say(Recovered{Badge("TGM-1"), "pin", {1, 2}});
  std::atomic<bool> stops = false;
  const Json told = acts_json(house.journal, house.state.floor(),
                              {EntryNumber(1), house.journal.head().entry, 10, {}}, stops);
  std::string acts;
  for (const Json& act : told["acts"]) {
    acts += act["act"].get<std::string>() + " " + act["badge"].get<std::string>() + "\n";
  }
  CHECK_EQ(acts, "signed_in F-1\nsign_in_failed F-2\nrecovery_failed FM-1\nrecovered TGM-1\n");
}

}  // namespace linkmeter::corrected_claim_test
