// CSV: any text is read back byte for byte, and no text becomes a formula.
#include "controller/accounting/export/csv.h"

#include <doctest/doctest.h>
#include <sstream>
#include <string>
#include <vector>

#include "controller/accounting/export/export_text.h"

namespace linkmeter::csv_test {
namespace {

std::vector<std::vector<std::string>> records_of(const std::string& text, bool* ended_well) {
  std::istringstream in(text);
  CsvReader reader(in);
  std::vector<std::vector<std::string>> records;
  while (auto record = reader.next()) records.push_back(std::move(*record));
  *ended_well = reader.ended_well();
  return records;
}

TEST_CASE("every text is read back unchanged") {
  for (const std::string text :
       {"",   "a",    "a,b",      "say \"no\"", "two\r\nlines", "=1+1",       "+1",
        "-1", "@A1",  "\tx",      "\rx",        "\nx",          "'=1",        "''",
        "'",  "it's", " spaced ", "\"",         "\xc3\xa9",     "=\"a\",\r\n"}) {
    CAPTURE(text);
    const std::string record = CsvRecord().text(text).plain("-5").text(text).whole();
    bool ended_well = false;
    const auto records = records_of(record, &ended_well);
    CHECK(ended_well);
    REQUIRE_EQ(records.size(), 1);
    REQUIRE_EQ(records[0].size(), 3);
    CHECK_EQ(csv_text(records[0][0]), text);
    CHECK_EQ(records[0][1], "-5");
    CHECK_EQ(csv_text(records[0][2]), text);
    if (!text.empty() && std::string("=+-@\t\r\n").find(text[0]) != std::string::npos) {
      CHECK_EQ(records[0][0], "'" + text);
    }
  }
}

TEST_CASE("malformed CSV is rejected") {
  for (const std::string text :
       {"a,b", "a\n", "a\rb\r\n", "a\"b\r\n", "\"a\"b\r\n", "\"a", "a\r"}) {
    CAPTURE(text);
    bool ended_well = true;
    CHECK(records_of(text, &ended_well).empty());
    CHECK_FALSE(ended_well);
  }
  bool ended_well = false;
  CHECK_EQ(records_of("a\r\nb,\r\n", &ended_well),
           std::vector<std::vector<std::string>>{{"a"}, {"b", ""}});
  CHECK(ended_well);
  CHECK_EQ(records_of("a\r\nb", &ended_well).size(), 1);
  CHECK_FALSE(ended_well);
}

TEST_CASE("a posting row is read back unchanged") {
  PostingRow row{EntryNumber(7),
                 "2026-11-21T00:00:00.000000Z",
                 "2026-11-20",
                 "round_voided",
                 "+T",
                 "=r\"1\"",
                 "2",
                 "-L",
                 "main",
                 "meter",
                 Amount::from_units(-70'000'001),
                 "3 4",
                 "@F-1",
                 "\tnote,\r\nmore"};
  bool ended_well = false;
  const auto records = records_of(posting_row_head() + text(row), &ended_well);
  CHECK(ended_well);
  REQUIRE_EQ(records.size(), 2);
  CHECK_EQ(records[0].size(), records[1].size());
  CHECK_EQ(records[0][0], "linkmeter-postings 1");
  const PostingRowRead read = parse_posting_row(records[1]);
  CHECK_EQ(read.why, "");
  CHECK(read.row == row);
  std::vector<std::string> spoiled = records[1];
  spoiled[10] = "007";
  CHECK_FALSE(parse_posting_row(spoiled).why.empty());
  spoiled.pop_back();
  CHECK_FALSE(parse_posting_row(spoiled).why.empty());
}

}  // namespace
}  // namespace linkmeter::csv_test
