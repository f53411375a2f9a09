// Floor index: where a floor's tables are and what each takes part in, found at once however many
// there are. Made of the floor alone; never stored.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "meters/floor/floor.h"

namespace linkmeter {

class FloorIndex {
 public:
  // A link that a table takes part in, and where the table stands in LinkConfig::tables.
  struct Part {
    LinkIndex link;
    std::size_t at = 0;
  };

  FloorIndex() = default;
  explicit FloorIndex(const Floor& floor);

  [[nodiscard]] std::optional<TableIndex> find_table(const std::string& id) const;
  // In the links' order. REQUIRES: a table of the floor.
  [[nodiscard]] const std::vector<Part>& parts_of(TableIndex table) const;

 private:
  std::unordered_map<std::string, TableIndex> tables_;
  std::vector<std::vector<Part>> parts_;  // by table
};

}  // namespace linkmeter
