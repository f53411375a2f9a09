#include "controller/cli/text_table.h"

#include <algorithm>

namespace linkmeter::cli {
namespace {

// Every byte of UTF-8 but those that continue a character.
std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
  }));
}

// Does nothing stand in the row behind this column?
bool is_last(const std::vector<Column>& columns, std::size_t column, std::size_t row) {
  for (std::size_t next = column + 1; next < columns.size(); ++next) {
    if (!columns[next].cells[row].empty()) return false;
  }
  return true;
}

std::size_t width_of(const std::vector<Column>& columns, std::size_t at) {
  const Column& column = columns[at];
  std::size_t width = characters(column.head);
  for (std::size_t row = 0; row < column.cells.size(); ++row) {
    const bool runs_on = column.is_text && is_last(columns, at, row);
    if (!runs_on) width = std::max(width, characters(column.cells[row]));
  }
  return width;
}

}  // namespace

std::vector<std::string> table_lines(const std::vector<Column>& columns) {
  std::vector<std::string> lines(columns.front().cells.size() + 1);  // line 0 is the head
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const Column& column = columns[at];
    const std::size_t width = width_of(columns, at);
    for (std::size_t row = 0; row < lines.size(); ++row) {
      const std::string& cell = row == 0 ? column.head : column.cells[row - 1];
      const std::string pad(width - std::min(width, characters(cell)), ' ');
      lines[row] += (at == 0 ? "" : "  ") + (column.is_text ? cell + pad : pad + cell);
    }
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

}  // namespace linkmeter::cli
