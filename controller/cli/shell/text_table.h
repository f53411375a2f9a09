// Text table: the rows of a JSON document as a table for people. A reading command builds the
// document that --json prints, and names the columns that people see of it.
//
// A column is as wide as its widest cell on a terminal: measured in characters, not in bytes, and a
// wide character counts twice. A text with only empty cells behind it in its row may be wider.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "controller/view/json.h"

namespace linkmeter::cli {

enum class Align : std::uint8_t { left, right };

// Formats of cells. Each returns "" for null.
std::string plain_cell(const Json& value);    // a string without quotes, anything else as JSON
std::string money_cell(const Json& value);    // "1234.5600000" as "$1,234.56" (money_text)
std::string seconds_cell(const Json& value);  // a moment without its fraction of a second
std::string nonzero_cell(const Json& value);  // as plain_cell, but "" for zero
bool is_zero(const std::string& number);      // "0", "-0.00"

struct Column {
  std::string title;
  std::string key;  // of a member of each row; "": the row itself. Rows that are arrays: not used
  Align align = Align::left;
  std::function<std::string(const Json& value)> format = plain_cell;
  bool is_optional = false;  // left out if all its cells are empty
};
Column left(const std::string& title);  // its key is its title
Column left(std::string title, std::string key,
            std::function<std::string(const Json& value)> format = plain_cell);
Column right(const std::string& title);
Column right(std::string title, std::string key,
             std::function<std::string(const Json& value)> format = plain_cell);

// The titles and the rows, without spaces at the ends of lines. `rows`: an array of objects, or of
// arrays with a cell for each column. A member that is missing is null.
std::vector<std::string> table_lines(const Json& rows, const std::vector<Column>& columns);

// Both print on standard output. Bytes that are no UTF-8 are replaced in JSON.
void print_json(const Json& document);
void print_table(const Json& rows, const std::vector<Column>& columns);
// One of the two.
void print(const Json& rows, bool as_json, const std::vector<Column>& columns);

}  // namespace linkmeter::cli
