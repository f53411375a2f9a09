// Witnesses: what tables have seen, compared with a journal.
#include "controller/store/seen_head.h"

#include <doctest/doctest.h>
#include <fstream>
#include <string>

#include "tests/support/memory_journal.h"
#include "tests/support/one_table_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::seen_head_test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string line(const Witness& witness) {
  return R"({"table":")" + witness.table.text() + R"(","entry":)" +
         std::to_string(witness.head.entry.value()) + R"(,"hash":")" + hex(witness.head.hash) +
         "\"}\n";
}

// The mistake in a witness file with this text; "": none.
std::string fault_of(const std::string& text) {
  const ScopedDirectory here;
  const auto path = here.path() / "seen";
  std::ofstream(path) << text;
  try {
    static_cast<void>(read_witnesses(path));
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a journal confirms every head that it ever had") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  house.close("r1");
  journal.read(EntryNumber(1), [&](const StoredEntry& stored) {
    CHECK(contradiction(journal, {TableId("T-01"), {stored.number, stored.hash}}) == "");
    return true;
  });
  CHECK(contradiction(journal, {TableId("T-01"), {}}) == "");  // it has seen nothing
}

TEST_CASE("a cut journal and a different history are distinguished") {
  MemoryJournal journal;
  OneTableHouse house(journal);
  house.lock("r1");
  const Digest other = sha256("another");
  CHECK(contains(contradiction(journal, {TableId("T-01"), {EntryNumber(3), other}}),
                 "table T-01 has seen entry 3, but the journal ends with entry 2"));
  CHECK(contains(contradiction(journal, {TableId("T-01"), {EntryNumber(2), other}}),
                 "another history"));
}

TEST_CASE("a file may have many witness heads; a malformed one is named by file and line") {
  const ScopedDirectory here;
  const Witness first{TableId("C4-01"), {EntryNumber(812), sha256("a")}};
  const Witness second{TableId("C4-02"), {EntryNumber(3), sha256("b")}};
  std::ofstream(here.path() / "seen") << line(first) << line(second);
  CHECK(read_witnesses(here.path() / "seen") == std::vector<Witness>{first, second});

  REQUIRE(fault_of(line(first)) == "");
  const std::string digits = hex(sha256("a"));
  for (const std::string& wrong :
       {std::string("{}\n"), std::string("\n"), std::string("null\n"), std::string("{\"table\":\n"),
        R"({"table":"C4-01","entry":-1,"hash":")" + digits + "\"}\n",
        R"({"table":"C4-01","entry":1.5,"hash":")" + digits + "\"}\n",
        R"({"table":"C4-01","entry":"1","hash":")" + digits + "\"}\n",
        R"({"table":7,"entry":1,"hash":")" + digits + "\"}\n",
        R"({"table":"","entry":1,"hash":")" + digits + "\"}\n",
        R"({"table":"C4-01","entry":1,"hash":")" + digits.substr(1) + "\"}\n",
        R"({"table":"C4-01","entry":1,"hash":"X)" + digits.substr(1) + "\"}\n",
        R"({"table":"C4-01","entry":1,"hash":")" + digits + "\",\"more\":1}\n"}) {
    CAPTURE(wrong);
    CHECK(contains(fault_of(line(first) + wrong), "seen:2: not a witness"));
  }
  CHECK(contains(fault_of(""), "seen:1: holds no witness"));
  CHECK_THROWS_AS(static_cast<void>(read_witnesses(here.path() / "none")), Fault);
}

}  // namespace linkmeter::seen_head_test
