#include "controller/cli/shell/text_table.h"

#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "meters/values/amount.h"
#include "meters/values/time_text.h"

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

// The cells of one column, top down.
struct ColumnCells {
  std::string title;
  Align align = Align::left;
  std::vector<std::string> cells;
};

// Whether every later cell of the row is empty.
bool is_last(const std::vector<ColumnCells>& columns, std::size_t column, std::size_t row) {
  for (std::size_t next = column + 1; next < columns.size(); ++next) {
    if (!columns[next].cells[row].empty()) return false;
  }
  return true;
}

std::size_t width_of(const std::vector<ColumnCells>& columns, std::size_t at) {
  const ColumnCells& column = columns[at];
  std::size_t width = columns_of(column.title);
  for (std::size_t row = 0; row < column.cells.size(); ++row) {
    const bool runs_on = column.align == Align::left && is_last(columns, at, row);
    if (!runs_on) width = std::max(width, columns_of(column.cells[row]));
  }
  return width;
}

const Json& value_of(const Json& row, std::size_t at, const std::string& key) {
  static const Json missing;
  if (row.is_array()) return row.at(at);
  if (key.empty()) return row;
  const auto found = row.find(key);
  return found == row.end() ? missing : *found;
}

std::vector<ColumnCells> cells_of(const Json& rows, const std::vector<Column>& columns) {
  std::vector<ColumnCells> all;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const Column& column = columns[at];
    ColumnCells cells{column.title, column.align, {}};
    bool is_empty = true;
    for (const Json& row : rows) {
      cells.cells.push_back(column.format(value_of(row, at, column.key)));
      is_empty = is_empty && cells.cells.back().empty();
    }
    if (!is_empty || !column.is_optional) all.push_back(std::move(cells));
  }
  return all;
}

}  // namespace

std::string plain_cell(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string money_cell(const Json& value) {
  const auto amount = parse_exact(plain_cell(value));
  return amount ? money_text(*amount) : "";
}

std::string seconds_cell(const Json& value) {
  const auto moment = parse_moment(plain_cell(value));
  return moment ? text_seconds(*moment) : "";
}

bool is_zero(const std::string& number) {
  return !number.empty() && number.find_first_not_of("-0.") == std::string::npos;
}

std::string nonzero_cell(const Json& value) {
  std::string cell = plain_cell(value);
  return is_zero(cell) ? "" : cell;
}

Column left(const std::string& title) { return left(title, title); }

Column left(std::string title, std::string key,
            std::function<std::string(const Json& value)> format) {
  return {std::move(title), std::move(key), Align::left, std::move(format)};
}

Column right(const std::string& title) { return right(title, title); }

Column right(std::string title, std::string key,
             std::function<std::string(const Json& value)> format) {
  return {std::move(title), std::move(key), Align::right, std::move(format)};
}

std::vector<std::string> table_lines(const Json& rows, const std::vector<Column>& columns) {
  const std::vector<ColumnCells> all = cells_of(rows, columns);
  std::vector<std::string> lines(rows.size() + 1);  // line 0 has the titles
  for (std::size_t at = 0; at < all.size(); ++at) {
    const ColumnCells& column = all[at];
    const std::size_t width = width_of(all, at);
    for (std::size_t row = 0; row < lines.size(); ++row) {
      const std::string& cell = row == 0 ? column.title : column.cells[row - 1];
      const std::string pad(width - std::min(width, columns_of(cell)), ' ');
      lines[row] += (at == 0 ? "" : "  ") + (column.align == Align::left ? cell + pad : pad + cell);
    }
  }
  for (std::string& line : lines) line.erase(line.find_last_not_of(' ') + 1);
  return lines;
}

void print_json(const Json& document) {
  std::cout << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void print_table(const Json& rows, const std::vector<Column>& columns) {
  for (const std::string& line : table_lines(rows, columns)) std::cout << line << '\n';
}

void print(const Json& rows, bool as_json, const std::vector<Column>& columns) {
  as_json ? print_json(rows) : print_table(rows, columns);
}

}  // namespace linkmeter::cli
