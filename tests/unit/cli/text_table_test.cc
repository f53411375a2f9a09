// Tables for people: a column is as wide as a terminal displays its cells, not as their byte count.
#include "controller/cli/shell/text_table.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace linkmeter::text_table_test {
namespace {

using cli::left;
using cli::right;
using cli::table_lines;
using Lines = std::vector<std::string>;

// A column of names and a column of figures, which begins where the widest name ends.
Lines named(const std::vector<std::string>& names) {
  Json rows = Json::array();
  for (const std::string& name : names) rows.push_back(Json::array({name, rows.size()}));
  return table_lines(rows, {left("name"), right("n")});
}

}  // namespace

TEST_CASE("columns are measured in characters, not in bytes") {
  CHECK_EQ(named({"Jos\u00e9 M\u00fcller", "Ann", "a \u2013 b"}),
           Lines{"name         n",  //
                 "Jos\u00e9 M\u00fcller  0", "Ann          1", "a \u2013 b        2"});
  // A combining accent joins the letter before it: "e" and U+0301 are one character.
  CHECK_EQ(named({"Jose\u0301", "Anna"}), Lines{"name  n", "Jose\u0301  0", "Anna  1"});
}

TEST_CASE("a wide character takes two columns of a terminal") {
  CHECK_EQ(named({"\u9673\u5927\u6587", "Annabe"}),
           Lines{"name    n", "\u9673\u5927\u6587  0", "Annabe  1"});
}

TEST_CASE("bytes that are not UTF-8 take a column each and are kept") {
  CHECK_EQ(named({"\xff\xe9x", "Anna"}), Lines{"name  n", "\xff\xe9x   0", "Anna  1"});
  // Cut in the middle of a character.
  CHECK_EQ(named({"ab\xe2\x80", "Anna"}), Lines{"name  n", "ab\xe2\x80  0", "Anna  1"});
}

TEST_CASE("a long status extends to the right and widens no column") {
  const std::string state = "suspended: the display at the bar is dark since half past nine";
  const Json rows{{{"link", "A"}, {"state", state}},
                  {{"link", "B"}, {"state", "open"}, {"since", "09:30"}}};
  const Lines lines = table_lines(rows, {left("link"), left("state"), left("since")});
  CHECK_EQ(lines, Lines{"link  state  since", "A     " + state, "B     open   09:30"});
  // A cell with text behind it keeps its width.
  CHECK_EQ(table_lines(Json{{{"state", "much longer"}, {"n", 1}}, {{"state", "b"}, {"n", 22}}},
                       {left("state"), right("n")}),
           Lines{"state         n", "much longer   1", "b            22"});
}

TEST_CASE("figures are aligned at their ends, and no line ends with a space") {
  const std::vector<cli::Column> columns{right("amount", "amount", cli::money_cell), left("note")};
  CHECK_EQ(table_lines(Json{{{"amount", "5.00"}, {"note", nullptr}},
                            {{"amount", "12345.00"}, {"note", "x"}}},
                       columns),
           Lines{"    amount  note", "     $5.00", "$12,345.00  x"});
  CHECK_EQ(table_lines(Json::array(), columns), Lines{"amount  note"});
}

TEST_CASE("the formats of cells") {
  CHECK_EQ(cli::plain_cell(nullptr), "");
  CHECK_EQ(cli::plain_cell(12), "12");
  CHECK_EQ(cli::money_cell("1234567.89000001"), "$1,234,567.89");
  CHECK_EQ(cli::money_cell("-0.50"), "-$0.50");
  CHECK_EQ(cli::money_cell(nullptr), "");
  CHECK_EQ(cli::seconds_cell("2026-03-01T14:05:09.000123Z"), "2026-03-01T14:05:09Z");
  CHECK_EQ(cli::nonzero_cell("0.00"), "");
  CHECK_EQ(cli::nonzero_cell("-0.01"), "-0.01");
  CHECK_EQ(cli::nonzero_cell(0), "");
}

TEST_CASE("an optional column is left out if it has only empty cells") {
  cli::Column hits = right("hits", "hits", cli::nonzero_cell);
  hits.is_optional = true;
  CHECK_EQ(table_lines(Json{{{"link", "A"}, {"hits", 0}}}, {left("link"), hits}),
           Lines{"link", "A"});
  CHECK_EQ(table_lines(Json{{{"link", "A"}, {"hits", 2}}}, {left("link"), hits}),
           Lines{"link  hits", "A        2"});
}

}  // namespace linkmeter::text_table_test
