// Text table: columns as wide as what stands in them, for people, measured as a terminal shows it:
// in characters, not in bytes, and a wide character counts twice. Text with nothing behind it in
// its row widens no column: it runs on to the right.
#pragma once

#include <string>
#include <vector>

namespace linkmeter::cli {

struct Column {
  std::string head;
  bool is_text = false;                 // flush left, as the first columns of a table
  std::vector<std::string> cells = {};  // top down
};

// The head and the rows, without spaces at their ends. REQUIRES: columns of one length.
std::vector<std::string> table_lines(const std::vector<Column>& columns);

}  // namespace linkmeter::cli
