#include "controller/cli/text_table.h"

#include <algorithm>

namespace linkmeter::cli {

std::vector<std::string> table_lines(const std::vector<Column>& columns) {
  std::vector<std::string> lines(columns.front().cells.size() + 1);  // line 0 is the head
  for (const Column& column : columns) {
    std::size_t width = column.head.size();
    for (const std::string& cell : column.cells) width = std::max(width, cell.size());
    for (std::size_t row = 0; row < lines.size(); ++row) {
      const std::string& cell = row == 0 ? column.head : column.cells[row - 1];
      const std::string pad(width - cell.size(), ' ');
      lines[row] +=
          (&column == &columns.front() ? "" : "  ") + (column.is_text ? cell + pad : pad + cell);
    }
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

}  // namespace linkmeter::cli
