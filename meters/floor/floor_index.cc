#include "meters/floor/floor_index.h"

#include "meters/values/check.h"

namespace linkmeter {

FloorIndex::FloorIndex(const Floor& floor) : parts_(floor.tables.size()) {
  for (std::uint32_t at = 0; at < floor.tables.size(); ++at) {
    tables_.emplace(floor.tables[at].id.text(), TableIndex(at));
  }
  for (std::uint32_t link = 0; link < floor.links.size(); ++link) {
    const std::vector<TableIndex>& tables = floor.links[link].tables;
    for (std::size_t at = 0; at < tables.size(); ++at) {
      CHECK(tables[at].value() < parts_.size());
      parts_[tables[at].value()].push_back({LinkIndex(link), at});
    }
  }
}

std::optional<TableIndex> FloorIndex::find_table(const std::string& id) const {
  const auto found = tables_.find(id);
  return found == tables_.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<FloorIndex::Part>& FloorIndex::parts_of(TableIndex table) const {
  CHECK(table.value() < parts_.size());
  return parts_[table.value()];
}

}  // namespace linkmeter
