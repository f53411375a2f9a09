#include "controller/slips/slip_document.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <variant>
#include <vector>

#include "controller/slips/slip_pdf.h"
#include "controller/slips/slip_printer.h"
#include "controller/slips/slip_store.h"
#include "controller/store/hash_chain.h"
#include "meters/rules/decide.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "tests/support/memory_journal.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/small_floor.h"
#include "tests/support/staff.h"

namespace linkmeter::slip_document_test {
namespace {

constexpr int patience_ms = 60'000;

SlipDocument document() {
  return {
      "Demo Casino",
      "000012",
      "2026-03-01 09:05:09 EST",
      "$5,000.70",
      {{"Claim", "7"}, {"Table", "C4-01, seat 2"}},
      {"9h", "Th", "Xx"},
      {"The meter of major stood at $5,000.70000000 at this hand's turn; all of it is $5,000.70."},
      "Reportable, Form W-2G.",
      true,
      {{"Validated by", "F-1 Zo\u00eb"}},
      {"Floorperson", "Patron"},
      "Journal: slip issued with entry 812."};
}

// The small floor, whose C4-01 has a validated straight flush, played into a journal.
struct House {
  FloorFile file = std::get<FloorFile>(parse_floor("floor.toml", floor_text, shipped_catalogue()));
  MemoryJournal journal;
  State state;
  std::int64_t seconds = 1'772'374'000;  // 2026-03-01 14:06:40 UTC

  House() {
    FloorOpened floor{file.floor, floor_text, {}};
    for (const CatalogueText& chapter : shipped_catalogue()) {
      floor.catalogue_texts.push_back(chapter.text);
    }
    floor.people = standard_staff();
    commit(open_floor(std::move(floor), now()));
    LockRound lock;
    lock.round = RoundId("r1");
    lock.wagers = {{Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
    say(lock, 1);
    ShowHands show;
    show.round = lock.round;
    std::vector<Card> cards;
    for (const char* card : {"9h", "Th", "Jh", "Qh", "Kh"}) cards.push_back(*parse_card(card));
    show.hands = {{Seat(2), std::move(cards), false, {}}};
    say(show, 2);
    sign(ValidateClaim{ClaimNumber(1)});
    sign(IssueSlip{ClaimNumber(1), PaymentSource::hand_pay}, "C-1");
  }
  Timestamp now() { return Timestamp::from_microseconds(++seconds * 1'000'000); }
  void commit(const Entry& entry) {
    state.apply(entry);
    journal.commit({encode(entry)}, rows_for(state, state.take_changes()));
  }
  void say(TableCommand command, std::uint64_t number) {
    TableMessage message;
    message.table = TableId("C4-01");
    message.number = MessageNumber(number);
    message.command = std::move(command);
    commit(std::get<Entry>(decide(state, file.rules, message, now())));
  }
  void sign(OperatorCommand act, const std::string& by = "F-1") {
    const Entry entry =
        std::get<Entry>(decide(state, file.rules, PersonMessage{Badge(by), std::move(act)}, now()));
    REQUIRE_FALSE(std::holds_alternative<CommandRejected>(entry.fact));
    commit(entry);
  }
  [[nodiscard]] const Slip& slip() const { return state.slips()[0]; }
  [[nodiscard]] SlipDocument told(const State& then) const {
    return slip_document(then, file.rules, journal, slip(), "America/New_York");
  }
  // Runs the printer until it has no more work.
  void serve(SlipPrinter& press) {
    for (bool has_more = true; has_more;) {
      has_more = press.is_making();  // after this result there may be another
      if (const auto copy = press.serve(state, file.rules, {})) {
        commit(std::get<Entry>(decide(state, FloorRules(), *copy, now())));
      }
      REQUIRE_EQ(press.take_error(), "");
      if (!press.is_making()) continue;
      has_more = true;
      pollfd ready{press.descriptor(), POLLIN, 0};
      REQUIRE_EQ(::poll(&ready, 1, patience_ms), 1);
    }
  }
};

TEST_CASE("a slip states its claim and the signatures") {
  const House house;
  const SlipDocument slip = house.told(house.state);
  CHECK_EQ(slip.amount, "$5,000.35");
  CHECK_EQ(slip.number, "000001");
  CHECK_EQ(slip.issued_at, "2026-03-01 09:06:45 EST");
  CHECK_EQ(slip.cards, (std::vector<std::string>{"9h", "Th", "Jh", "Qh", "Kh"}));
  REQUIRE_EQ(slip.signed_by.size(), 2);
  CHECK_EQ(slip.signed_by[0].value, "F-1 Person F-1, 2026-03-01 09:06:44 EST");
  REQUIRE_EQ(slip.arithmetic.size(), 1);
  CHECK_EQ(slip.arithmetic[0],
           "The meter of major stood at $5,000.35000000 at this hand's turn; "
           "all of it in whole cents is $5,000.35.");
  CHECK_EQ(slip.evidence,
           "Journal: slip issued with entry 5, claim 1 raised with entry 3, "
           "configuration of entry 1.");
}

TEST_CASE("a slip that is written late states what was true when it was issued") {
  House house;
  const SlipDocument at_once = house.told(house.state);
  // Since then the parameters changed, the claim was signed once more, and the slip was voided.
  house.sign(VoidSlip{SlipNumber(1), VoidReason::misprint, ""});
  const State& state = house.state;
  Floor floor = state.floor();
  floor.house = "Another Name";
  floor.tables[0].asset = "T-9";
  Claim claim = state.claims()[0];
  claim.countersigned_by = Badge("TGM-1");
  claim.countersigned_at = house.now();
  std::vector<LinkBalances> links;
  std::vector<TableSession> sessions;
  for (std::uint32_t at = 0; at < floor.links.size(); ++at) {
    links.push_back(state.link(LinkIndex(at)));
  }
  for (std::uint32_t at = 0; at < floor.tables.size(); ++at) {
    sessions.push_back(state.session(TableIndex(at)));
  }
  Staff staff;
  staff.people = state.people();
  const State later = State::restored(state.last_entry(), floor, links, sessions, {claim}, staff,
                                      state.last_entry(), state.slips());
  CHECK(house.told(later) == at_once);
}

TEST_CASE("a slip's copy contains the same data for programs as for people") {
  House house;
  for (const SlipDocument& slip : {house.told(house.state), document(), SlipDocument{}}) {
    const auto read = document_in(slip_pdf(slip));
    REQUIRE(read.has_value());
    CHECK(*read == slip);
  }
  SlipDocument plain = document();
  plain.house = "plain";
  plain.signed_by.clear();
  CHECK(*document_in(slip_pdf(plain)) == plain);
  CHECK_FALSE(document_in("").has_value());
  CHECK_FALSE(document_in("%PDF-1.5 /Subject (no facts)").has_value());
  CHECK_FALSE(document_in("%PDF-1.5 /Subject <FEFF00").has_value());
}

TEST_CASE("a void slip has a second copy, marked void; the first copy stays unchanged") {
  House house;
  const ScopedDirectory data;
  SlipPrinter press(data.path(), house.journal, "America/New_York");
  house.serve(press);
  const std::string first = std::get<std::string>(press.copy(house.slip()));
  CHECK(void_sentences(house.state, house.slip(), press.zone()).empty());

  house.sign(VoidSlip{SlipNumber(1), VoidReason::misprint, "torn (twice)"});
  house.serve(press);
  const std::string second = std::get<std::string>(press.copy(house.slip()));
  CHECK(second != first);
  CHECK(second.find("/Title (Slip 000001, VOID)") != std::string::npos);
  CHECK(*document_in(second) == *document_in(first));
  CHECK(std::get<std::string>(press.store().read(house.slip())) == first);
  const auto said = void_sentences(house.state, house.slip(), press.zone());
  REQUIRE_EQ(said.size(), 3);
  CHECK_EQ(said[0], "VOID: not to be paid. Reason: misprint, torn (twice).");
  CHECK_EQ(said[1], "Made void by F-1 Person F-1, 2026-03-01 09:06:47 EST.");
  CHECK_EQ(said[2], "VOID copy; the slip as it was issued is stored with SHA-256 " +
                        hex(sha256(first)) + ".");

  // A copy that this printer did not write is made again; another printer makes its own.
  std::ofstream(press.store().void_path(SlipNumber(1))) << "forged";
  using Missing = SlipStore::Missing;
  CHECK(std::get<Missing>(press.copy(house.slip())) == Missing::not_stored_yet);
  house.serve(press);
  CHECK(std::get<std::string>(press.copy(house.slip())) == second);
  SlipPrinter other(data.path(), house.journal, "America/New_York");
  CHECK(std::get<Missing>(other.copy(house.slip())) == Missing::not_stored_yet);
  house.serve(other);
  CHECK(std::get<std::string>(other.copy(house.slip())) == second);
}

TEST_CASE("a void slip whose stored copy has no data for programs has a second copy, too") {
  House house;
  const ScopedDirectory data;
  SlipPrinter press(data.path(), house.journal, "America/New_York");
  const std::string old = "%PDF-1.5 of an earlier program";
  press.store().write(SlipNumber(1), old);
  house.commit(std::get<Entry>(
      decide(house.state, FloorRules(), SlipCopy{SlipNumber(1), sha256(old)}, house.now())));
  house.sign(VoidSlip{SlipNumber(1), VoidReason::misprint, ""});
  house.serve(press);
  const auto second = press.copy(house.slip());
  REQUIRE(std::holds_alternative<std::string>(second));
  CHECK(*document_in(std::get<std::string>(second)) == house.told(house.state));
  CHECK(std::get<std::string>(press.store().read(house.slip())) == old);
}

TEST_CASE("a slip is one valid PDF, and the same document gives the same bytes") {
  const std::string pdf = slip_pdf(document());
  CHECK(pdf.starts_with("%PDF-1."));
  CHECK(pdf.find("%%EOF") != std::string::npos);
  CHECK(pdf.find("/Count 1") != std::string::npos);  // pages
  CHECK(slip_pdf(document()) == pdf);
  SlipDocument other = document();
  other.amount = "$5,000.71";
  CHECK(slip_pdf(other) != pdf);
}

TEST_CASE("texts of any length, also empty ones, fit on a slip") {
  SlipDocument slip = document();
  slip.house = std::string(64, 'W');
  for (int copy = 0; copy < 20; ++copy) slip.arithmetic.push_back(std::string(300, 'm'));
  slip.facts.clear();
  slip.cards.assign(24, "2c");
  slip.to_be_signed.clear();
  slip.tax = "";
  CHECK(slip_pdf(slip).starts_with("%PDF-1."));
  CHECK(slip_pdf(SlipDocument{}).starts_with("%PDF-1."));
}

TEST_CASE("a stored copy is given out only if its digest is in the journal") {
  const ScopedDirectory data;
  const SlipStore store(data.path());
  Slip slip;
  slip.number = SlipNumber(12);
  using Missing = SlipStore::Missing;
  CHECK(std::get<Missing>(store.read(slip)) == Missing::not_stored_yet);
  store.write(slip.number, "a copy");
  CHECK(std::get<Missing>(store.read(slip)) == Missing::not_stored_yet);
  slip.stored = sha256("a copy");
  CHECK(std::get<std::string>(store.read(slip)) == "a copy");
  CHECK(store.path(slip.number).filename() == "000012.pdf");
  std::ofstream(store.path(slip.number)) << "b copy";
  CHECK(std::get<Missing>(store.read(slip)) == Missing::differs);
  std::filesystem::remove(store.path(slip.number));
  CHECK(std::get<Missing>(store.read(slip)) == Missing::gone);
  // A copy that a crash left unfinished is made again.
  store.write(slip.number, "a copy");
  store.write(slip.number, "a copy");
  CHECK(std::get<std::string>(store.read(slip)) == "a copy");
}

}  // namespace
}  // namespace linkmeter::slip_document_test
