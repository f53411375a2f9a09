#include "controller/cli/shell/text_table.h"

#include <locale.h>
#include <wchar.h>

#include <algorithm>

namespace linkmeter::cli {
namespace {

// Sets the thread's locale to UTF-8, whatever the user's is, so that widths are known.
class Utf8Locale {
 public:
  Utf8Locale() : before_(::uselocale(utf8())) {}
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() { ::uselocale(before_); }

 private:
  // Null where the C library has no such locale: then nothing is set.
  static locale_t utf8() {
    static const locale_t made = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return made;
  }
  locale_t before_;
};

// The columns of a terminal that the text takes: two for a wide character, as of Chinese; none for
// an accent that joins the letter before it. A byte that is no UTF-8 takes one.
std::size_t columns_of(const std::string& text) {
  const Utf8Locale utf8;
  std::size_t columns = 0;
  mbstate_t state{};
  for (std::size_t at = 0; at < text.size();) {
    wchar_t character = 0;
    const std::size_t size = ::mbrtowc(&character, text.data() + at, text.size() - at, &state);
    const bool is_read = size > 0 && size <= text.size() - at;
    const int width = is_read ? ::wcwidth(character) : 1;
    columns += width < 0 ? 1 : static_cast<std::size_t>(width);
    at += is_read ? size : 1;
    if (!is_read) state = mbstate_t{};
  }
  return columns;
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
  std::size_t width = columns_of(column.head);
  for (std::size_t row = 0; row < column.cells.size(); ++row) {
    const bool runs_on = column.is_text && is_last(columns, at, row);
    if (!runs_on) width = std::max(width, columns_of(column.cells[row]));
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
      const std::string pad(width - std::min(width, columns_of(cell)), ' ');
      lines[row] += (at == 0 ? "" : "  ") + (column.is_text ? cell + pad : pad + cell);
    }
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

}  // namespace linkmeter::cli
