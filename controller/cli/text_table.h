// Text table: columns as wide as what stands in them, for people.
#pragma once

#include <string>
#include <vector>

#include "meters/amount.h"

namespace linkmeter::cli {

struct Column {
  std::string head;
  bool is_text = false;                 // flush left, as the first columns of a table
  std::vector<std::string> cells = {};  // top down
};

// The head and the rows, without spaces at their ends. REQUIRES: columns of one length.
std::vector<std::string> table_lines(const std::vector<Column>& columns);

// 2598960 as "2,598,960"; decimals stay as they are.
std::string grouped(std::string digits);
// "$1,234,567.89"; whole cents, rounded down.
std::string dollars(Amount amount);

}  // namespace linkmeter::cli
