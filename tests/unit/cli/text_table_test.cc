// Tables for people: a column is as wide as a terminal displays its cells, not as their byte count.
#include "controller/cli/shell/text_table.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace linkmeter::text_table_test {
namespace {

using cli::Column;
using cli::table_lines;
using Lines = std::vector<std::string>;

// A column of names and a column of figures, which begins where the widest name ends.
Lines named(const std::vector<std::string>& names) {
  Column figure{"n"};
  for (std::size_t at = 0; at < names.size(); ++at) figure.cells.push_back(std::to_string(at));
  return table_lines({Column{"name", true, names}, figure});
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

TEST_CASE("bytes that are no text take a column each, and nothing is lost") {
  CHECK_EQ(named({"\xff\xe9x", "Anna"}), Lines{"name  n", "\xff\xe9x   0", "Anna  1"});
  // Cut in the middle of a character.
  CHECK_EQ(named({"ab\xe2\x80", "Anna"}), Lines{"name  n", "ab\xe2\x80  0", "Anna  1"});
}

TEST_CASE("a long state runs on to the right and widens no column") {
  const std::string state = "suspended: the display at the bar is dark since half past nine";
  const Lines lines =
      table_lines({Column{"link", true, {"A", "B"}}, Column{"state", true, {state, "open"}},
                   Column{"since", true, {"", "09:30"}}});
  CHECK_EQ(lines, Lines{"link  state  since", "A     " + state, "B     open   09:30"});
  // A cell with text behind it keeps its width.
  CHECK_EQ(
      table_lines({Column{"state", true, {"much longer", "b"}}, Column{"n", false, {"1", "22"}}}),
      Lines{"state         n", "much longer   1", "b            22"});
}

TEST_CASE("figures end below each other, and no line ends with a space") {
  CHECK_EQ(table_lines(
               {Column{"amount", false, {"5.00", "12,345.00"}}, Column{"note", true, {"", "x"}}}),
           Lines{"   amount  note", "     5.00", "12,345.00  x"});
  CHECK_EQ(table_lines({Column{"amount"}, Column{"note", true}}), Lines{"amount  note"});
}

}  // namespace linkmeter::text_table_test
