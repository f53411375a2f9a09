#include "tests/fuzz/fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <variant>

#include "controller/accounting/day/day_report.h"
#include "controller/accounting/evidence/bundle.h"
#include "controller/accounting/export/export_text.h"
#include "controller/view/entry_json.h"
#include "controller/view/json.h"
#include "meters/rules/decide_day.h"
#include "meters/values/invariant.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/host/atomic_file.h"
#include "tests/support/description.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/scoped_directory.h"
#include "tests/support/small_chapter.h"

namespace linkmeter::fuzz {
namespace {

AskedWager wager_at(std::uint8_t seat) { return {Seat(seat), WagerId("g/w"), Amount::dollars(5)}; }

FloorFile parsed_small_floor() {
  auto parsed = parse_floor("floor.toml", small_floor_text(), small_catalogue());
  INVARIANT(std::holds_alternative<FloorFile>(parsed));
  return std::get<FloorFile>(std::move(parsed));
}

}  // namespace

const std::string& small_floor_text() {
  static const std::string text = R"([house]
name = "Small House"
timezone = "America/New_York"
gaming_day_start = "06:00"
second_signature = [{ from = "1200.00", roles = ["table_games_manager"] }]
[[table]]
id = "G-01"
game = "g"
seats = 6
[[table]]
id = "P-01"
game = "poker"
seats = 9
[[link]]
id = "MAIN"
wager = "g/w"
paytable = "A"
unit = "5.00"
tables = ["G-01"]
[[link]]
id = "POKER"
wager = "poker/bad-beat"
contribution = { minimum_pot = "20.00", amount = "1.00" }
seed = "500.00"
reseed = "0.00"
rates = { main = "80%", reserve = "20%" }
qualifying = "full_house"
split = { losing_hand = "50%", winning_hand = "25%", table = "25%" }
discontinuation = "Board order 2026-1"
tables = ["P-01"]
)";
  return text;
}

const std::vector<CatalogueText>& small_catalogue() {
  static const std::vector<CatalogueText> texts = [] {
    std::ifstream file(LINKMETER_SOURCE_DIR "/config/catalogue/poker.toml", std::ios::binary);
    const std::string poker{std::istreambuf_iterator<char>(file), {}};
    INVARIANT(!poker.empty());
    return std::vector<CatalogueText>{{"g.toml", small_chapter}, {"poker.toml", poker}};
  }();
  return texts;
}

Played::Played() {
  MixedFloor floor{parsed_small_floor()};
  const auto keep = [this](const State& held, const Entry& entry) {
    before.push_back(held);
    entries.push_back(encode(entry));
    journal.commit({entries.back()}, {});
  };
  keep(State(), floor.opening);
  const auto take = [&](auto&&... asked) {
    const State held = floor.state;
    const Entry entry = floor.take(asked...);
    INVARIANT(!std::holds_alternative<MessageRefused>(entry.fact));
    INVARIANT(!std::holds_alternative<CommandRejected>(entry.fact));
    keep(held, entry);
  };
  const std::string table = "G-01";
  take(table, lock_of("r1", {wager_at(1), wager_at(2)}));
  take(table, royal_flush_of("r1", 2));
  take(table, CloseRound{RoundId("r1"), Badge("D-1")});
  take(table, lock_of("r2", {wager_at(3)}));
  take(table, VoidRound{RoundId("r2"), "misdeal", Badge("F-1")});
  LockRound counted = lock_of("r3", {wager_at(4), wager_at(5), wager_at(6)});
  counted.chips = 2;
  take(table, counted);
  take(table, ResolveCount{RoundId("r3"), {wager_at(4), wager_at(5)}, Badge("F-1")});
  // The round stays open: its hand can be corrected.
  ShowHands flush;
  flush.round = RoundId("r3");
  flush.hands = {{Seat(4), cards_of({"2h", "5h", "8h", "Jh", "Kh"}), false, Amount()}};
  take(table, flush);
  take(std::string("P-01"),
       PlayPot{RoundId("h1"), Amount::dollars(30), {}, false, {}, Badge("D-1")});
  take(std::string("F-1"), ValidateClaim{ClaimNumber(1)});
  take(std::string("TGM-1"), CountersignClaim{ClaimNumber(1)});
  take(std::string("C-1"), IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  take(std::string("C-1"), PayClaim{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(1)});
  take(std::string("FM-1"), SuspendLink{LinkId("MAIN"), "a new reading"});
  take(std::string("TGM-1"), Propose{ResumeLink{LinkId("MAIN")}});
  const auto enter = [&](Entry entry) {
    const State held = floor.state;
    floor.state.apply(entry);
    keep(held, entry);
  };
  const Timestamp now = Timestamp::from_microseconds(3'000'000);
  const Decision ended = decide(floor.state, FloorRules(),
                                DayEnd{parse_gaming_day("1970-01-01").value(), now, {}}, now);
  enter(std::get<Entry>(ended));
  // As an older release accepted it: a table reported impossible counters.
  const TableIndex place = floor.state.floor().find_table(TableId(table)).value();
  const std::vector<LinkCount> journaled = counts_of(floor.state, place);
  std::vector<LinkCount> told = journaled;
  for (LinkCount& one : told) {
    one.handle = Amount::from_units(std::numeric_limits<std::int64_t>::min());
  }
  const MessageNumber last = floor.state.session(place).last_number();
  enter(Entry{floor.state.last_entry().next(),
              now,
              std::nullopt,
              CountersReported{place, MessageNumber(1), last, std::move(told), journaled},
              {}});
  state = floor.state;
  rules = floor.file.rules;
  rows = rows_of(state);
}

const Played& Played::once() {
  static const Played played;
  return played;
}

void hold_readers(const Entry& entry, const State& after) {
  INVARIANT(!description(entry, after.floor()).empty());
  INVARIANT(Json::parse(entry_json(entry, after.floor(), {})).is_object());
  for (const char* format : {"entries", "postings", "ledger"}) {
    ExportRequest asked;
    asked.format = format;
    ExportText text(asked, after, "1970-01-01");
    ExportTotals totals;
    static_cast<void>(text.of(entry, {}, totals));
    static_cast<void>(text.end(totals));
  }
  if (after.days().empty()) return;
  const DayRecord& day = after.days().back();
  if (day.facts.empty() || day.facts.back() != entry.number) return;
  MemoryJournal read;
  for (std::uint64_t at = 1; at < entry.number.value(); ++at) {
    read.commit({Played::once().entries[at - 1]}, {});
  }
  read.commit({encode(entry)}, {});
  INVARIANT(Json::parse(day_report(read, after.days(), day.day, entry.number).json).is_object());
}

const std::vector<BundlePiece>& bundle_pieces() {
  static const std::vector<BundlePiece> pieces = [] {
    const std::filesystem::path folder = scratch_folder() / "made";
    const Played& played = Played::once();
    make_bundle(played.journal, played.state, scratch_folder() / "data", {ClaimNumber(1), {}},
                folder, Timestamp());
    std::vector<BundlePiece> all;
    for (const std::string& file : files_below(folder, bundle_names::manifest)) {
      all.push_back({file, read_file(folder / file).value()});
    }
    all.push_back({bundle_names::manifest, read_file(folder / bundle_names::manifest).value()});
    return all;
  }();
  return pieces;
}

const std::filesystem::path& scratch_folder() {
  static const ScopedDirectory folder;
  return folder.path();
}

ScratchFile::ScratchFile(const std::string& name) : path_(scratch_folder() / name) {
  std::filesystem::create_directories(path_.parent_path());
  file_ = FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  INVARIANT(file_.is_open());
}

void ScratchFile::hold(std::string_view bytes) const {
  const ssize_t written = ::pwrite(file_.get(), bytes.data(), bytes.size(), 0);
  INVARIANT(written == static_cast<ssize_t>(bytes.size()));
  INVARIANT(::ftruncate(file_.get(), written) == 0);
}

}  // namespace linkmeter::fuzz
