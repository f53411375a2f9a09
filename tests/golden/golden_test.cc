// Plays every *.ledger of this folder and compares the outcomes with those in the file.
//
//   golden_tests --rewrite         writes the actual outcomes into the ledgers
//   golden_tests --keep NAME       keeps the journal of NAME.ledger in old/ permanently
#include <doctest/doctest.h>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/golden/ledger.h"
#include "tests/golden/rehearsal.h"
#include "tests/support/description.h"

namespace linkmeter::golden_test {
namespace {

const std::filesystem::path folder = LINKMETER_SOURCE_DIR "/tests/golden";

std::vector<std::filesystem::path> files_of(const std::filesystem::path& where,
                                            const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& file : std::filesystem::directory_iterator(where)) {
    if (file.path().extension() == extension) found.push_back(file.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::filesystem::path> ledgers() { return files_of(folder, ".ledger"); }

// "A-05": the numbers of readings that a text names.
std::set<std::string> readings_in(const std::string& text) {
  const auto is_in_word = [&text](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  const auto is_digit = [&text](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  std::set<std::string> found;
  for (std::size_t at = text.find("A-"); at != std::string::npos; at = text.find("A-", at + 1)) {
    const bool is_whole = (at == 0 || !is_in_word(at - 1)) && !is_in_word(at + 4);
    if (is_whole && is_digit(at + 2) && is_digit(at + 3)) found.insert(text.substr(at, 4));
  }
  return found;
}

// The arguments after the program's name; doctest ignores those that it does not know.
std::vector<std::string> arguments() {
  std::vector<std::string> words;
  std::string word;
  for (const char character : read_file("/proc/self/cmdline")) {
    if (character != '\0') {
      word += character;
      continue;
    }
    words.push_back(std::exchange(word, ""));
  }
  return words;
}

bool is_rewriting() {
  const std::vector<std::string> words = arguments();
  return std::find(words.begin(), words.end(), "--rewrite") != words.end();
}

// Plays the ledger: the outcomes of `ledger` become the actual ones.
Rehearsal play(Ledger& ledger) {
  Rehearsal rehearsal;
  for (LedgerBlock& block : ledger.blocks) {
    try {
      block.outcome = rehearsal.perform(block.command);
    } catch (const std::exception& broken) {
      FAIL("line ", block.line, ": ", std::string(broken.what()), "\n", block.command);
    }
  }
  return rehearsal;
}

void check_ledger(const std::filesystem::path& path) {
  CAPTURE(path.filename().string());
  const Ledger expected = Ledger::parse(read_file(path));
  Ledger played = expected;
  play(played);
  REQUIRE_GT(played.blocks.size(), 1);
  if (is_rewriting() && played.text() != expected.text()) {
    write_file(path, played.text());
    std::cerr << path.filename().string()
              << " was rewritten. The change may only be committed if one can say, from the rules\n"
                 "and not from the code, why each line moved: read the difference.\n";
    return;
  }
  for (std::size_t index = 0; index < played.blocks.size(); ++index) {
    CAPTURE(expected.blocks[index].line);
    CAPTURE(expected.blocks[index].command);
    CHECK_EQ(played.blocks[index].outcome, expected.blocks[index].outcome);
  }
}

// The entries of a kept journal: each after its length in four bytes, largest first.
std::vector<std::string> unpacked(const std::string& bytes) {
  constexpr std::size_t prefix = 4;
  std::vector<std::string> entries;
  std::size_t at = 0;
  while (at < bytes.size()) {
    REQUIRE_LE(at + prefix, bytes.size());
    std::size_t size = 0;
    for (std::size_t index = 0; index < prefix; ++index) {
      size = size << 8U | static_cast<std::uint8_t>(bytes[at + index]);
    }
    at += prefix;
    REQUIRE_LE(size, bytes.size() - at);
    entries.push_back(bytes.substr(at, size));
    at += size;
  }
  return entries;
}

std::string packed(const std::vector<std::string>& entries) {
  std::string bytes;
  for (const std::string& entry : entries) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
      bytes.push_back(static_cast<char>((entry.size() >> shift) & 0xffU));
    }
    bytes += entry;
  }
  return bytes;
}

std::string description_of(const std::vector<std::string>& journal) {
  std::string told;
  const State state = replay(journal, &told);
  return told + description(state) + description_of_claims(state);
}

}  // namespace

TEST_CASE("every ledger has the written outcome") {
  const auto found = ledgers();
  REQUIRE_GT(found.size(), 0);
  for (const auto& path : found) {
    SUBCASE(path.filename().c_str()) { check_ledger(path); }
  }
}

TEST_CASE("every law of money that this release keeps has a ledger") {
  const auto found = ledgers();
  for (const std::string law : {"m1-", "m2-", "m3-", "m4-", "m5-", "m6-", "m7-", "m8-", "m9-",
                                "m10-", "m11-", "m12-", "m13-", "m14-"}) {
    CAPTURE(law);
    CHECK(std::any_of(found.begin(), found.end(), [&law](const std::filesystem::path& path) {
      return path.filename().string().starts_with(law);
    }));
  }
}

// § 553.20(i). In endings.ledger an older release opened POKER-B; it required no procedure.
TEST_CASE("every fund of a ledger names the approved procedure of its discontinuation, but one") {
  const auto count = [](const std::string& text, const std::string& line) {
    std::size_t found = 0;
    for (std::size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) {
      ++found;
    }
    return found;
  };
  for (const auto& path : ledgers()) {
    CAPTURE(path.filename().string());
    const std::size_t unapproved = path.filename() == "endings.ledger" ? 1 : 0;
    const Ledger ledger = Ledger::parse(read_file(path));
    const std::string& floor = ledger.blocks.front().command;
    CHECK_EQ(count(floor, "\ndiscontinuation = ") + unapproved,
             count(floor, "\nwager = \"poker/bad-beat\"\n"));
  }
}

TEST_CASE("every interpretation that the catalogue chose is named in a ledger") {
  // Readings about wording, equipment and the dealing of cards: no entry shows them.
  const std::set<std::string> not_played = {"A-27", "A-28", "A-31", "A-36",
                                            "A-42", "A-46", "A-47", "A-50"};
  std::set<std::string> chosen;
  for (const auto& path : files_of(LINKMETER_SOURCE_DIR "/config/catalogue", ".toml")) {
    chosen.merge(readings_in(read_file(path)));
  }
  std::set<std::string> played;
  for (const auto& path : ledgers()) {
    for (const LedgerBlock& block : Ledger::parse(read_file(path)).blocks) {
      // The prose only, because a table may be called A-01.
      played.merge(readings_in(block.before));
    }
  }
  REQUIRE_GT(chosen.size(), not_played.size());
  for (const std::string& reading : chosen) {
    CAPTURE(reading);
    CHECK_NE(played.contains(reading), not_played.contains(reading));
  }
}

TEST_CASE("the ledger of refusals reaches every refusal of the core, in order of precedence") {
  // Refusals that are given before the core decides: unit/turn/controller_test.cc,
  // unit/turn/standby_test.cc and unit/integrity/supervision_test.cc test them; the verification of
  // PINs gives pin_wrong. parameters_too_many needs ten thousand lines, which
  // unit/floor/config_diff_test.cc makes. unit/rules/decide_day_test.cc tests those of gaming days,
  // and unit/facts/restoration_test.cc those of restored backups.
  const std::vector<Refusal> by_the_controller = {
      Refusal::message_malformed,   Refusal::table_not_yours,       Refusal::key_unknown,
      Refusal::history_differs,     Refusal::configuration_differs, Refusal::pin_wrong,
      Refusal::parameters_too_many, Refusal::history_not_accepted,  Refusal::not_the_writer};
  std::vector<std::string> expected;
  for (int number = 1; number <= 255; ++number) {
    const auto refusal = static_cast<Refusal>(number);
    if (name(refusal) == name(Refusal::none)) continue;  // no such refusal
    // Of days: decide_day_test; discontinuations: below.
    if (refusal >= Refusal::day_unknown) continue;
    if (std::find(by_the_controller.begin(), by_the_controller.end(), refusal) ==
        by_the_controller.end()) {
      expected.emplace_back(name(refusal));
    }
  }
  Ledger ledger = Ledger::parse(read_file(folder / "refusals.ledger"));
  std::vector<std::string> reached;
  const Rehearsal rehearsal = play(ledger);
  for (const Refusal refusal : rehearsal.refusals()) reached.emplace_back(name(refusal));
  CHECK_EQ(reached.size(), expected.size());
  for (std::size_t index = 0; index < expected.size(); ++index) {
    CAPTURE(index);
    CHECK_EQ(index < reached.size() ? reached[index] : "not reached", expected[index]);
  }
}

TEST_CASE("every refusal of an ending is reached by the ledger of endings") {
  Ledger ledger = Ledger::parse(read_file(folder / "endings.ledger"));
  const Rehearsal rehearsal = play(ledger);
  const auto& reached = rehearsal.refusals();
  for (const Refusal refusal :
       {Refusal::collecting_ended, Refusal::still_collecting, Refusal::reseed_stays,
        Refusal::not_alike, Refusal::procedure_not_approved, Refusal::to_house,
        Refusal::link_has_open_claims, Refusal::link_ended}) {
    CAPTURE(std::string(name(refusal)));
    CHECK(std::find(reached.begin(), reached.end(), refusal) != reached.end());
  }
}

TEST_CASE("stored journals of older versions replay to the same state") {
  const std::vector<std::string> words = arguments();
  const auto keep = std::find(words.begin(), words.end(), "--keep");
  if (keep != words.end() && keep + 1 != words.end()) {
    const std::filesystem::path kept = folder / "old" / (*(keep + 1) + ".journal");
    REQUIRE_FALSE(std::filesystem::exists(kept));
    Ledger ledger = Ledger::parse(read_file(folder / (*(keep + 1) + ".ledger")));
    const Rehearsal rehearsal = play(ledger);
    write_file(kept, packed(rehearsal.journal()));
    write_file(std::filesystem::path(kept).replace_extension(".description"),
               description_of(rehearsal.journal()));
  }
  const auto found = files_of(folder / "old", ".journal");
  REQUIRE_GT(found.size(), 0);
  for (const auto& path : found) {
    CAPTURE(path.filename().string());
    const auto journal = unpacked(read_file(path));
    CHECK_EQ(description_of(journal),
             read_file(std::filesystem::path(path).replace_extension(".description")));
  }
}

TEST_CASE("a ledger is written as it was read; a command without an outcome is rejected") {
  const std::string text =
      "# prose\n\nmeters\n----\n#1 a\n  b\n\n# more\nclaims\n----\nc\n\n# end\n";
  const Ledger ledger = Ledger::parse(text);
  CHECK_EQ(ledger.text(), text);
  REQUIRE_EQ(ledger.blocks.size(), 2);
  CHECK_EQ(ledger.blocks[0].outcome, "#1 a\n  b\n");
  CHECK_EQ(ledger.blocks[1].line, 9);
  CHECK_THROWS(Ledger::parse("meters\n"));
}

}  // namespace linkmeter::golden_test
