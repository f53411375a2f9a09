#include "meters/floor/floor.h"

#include <algorithm>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

template <class Place, class Terms, class Id>
std::optional<Place> place_of(const std::vector<Terms>& list, const Id& id) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Terms& terms) { return terms.id == id; });
  if (found == list.end()) return std::nullopt;
  return Place(static_cast<std::uint32_t>(found - list.begin()));
}

}  // namespace

bool LinkConfig::has_table(TableIndex table) const {
  return std::find(tables.begin(), tables.end(), table) != tables.end();
}

bool LinkConfig::takes(Amount amount) const {
  if (unit) return amount == *unit;
  return minimum && maximum && *minimum <= amount && amount <= *maximum && amount.is_whole_cents();
}

std::optional<TableIndex> Floor::find_table(const TableId& id) const {
  return place_of<TableIndex>(tables, id);
}

std::optional<LinkIndex> Floor::find_link(const LinkId& id) const {
  return place_of<LinkIndex>(links, id);
}

std::vector<LinkIndex> Floor::links_of(TableIndex table) const {
  std::vector<LinkIndex> found;
  for (std::uint32_t index = 0; index < links.size(); ++index) {
    if (links[index].has_table(table)) found.emplace_back(index);
  }
  return found;
}

const TableConfig& Floor::table(TableIndex table) const {
  INVARIANT(table.value() < tables.size());
  return tables[table.value()];
}

const LinkConfig& Floor::link(LinkIndex link) const {
  INVARIANT(link.value() < links.size());
  return links[link.value()];
}

const GameRules& FloorRules::game(TableIndex table) const {
  INVARIANT(table.value() < games.size());
  return games[table.value()];
}

const LinkRules& FloorRules::link(LinkIndex link) const {
  INVARIANT(link.value() < links.size());
  return links[link.value()];
}

FloorIndex::FloorIndex(const Floor& floor) : parts_(floor.tables.size()) {
  for (std::uint32_t at = 0; at < floor.tables.size(); ++at) {
    tables_.emplace(floor.tables[at].id.text(), TableIndex(at));
  }
  for (std::uint32_t link = 0; link < floor.links.size(); ++link) {
    const std::vector<TableIndex>& tables = floor.links[link].tables;
    for (std::size_t at = 0; at < tables.size(); ++at) {
      INVARIANT(tables[at].value() < parts_.size());
      parts_[tables[at].value()].push_back({LinkIndex(link), at});
    }
  }
}

std::optional<TableIndex> FloorIndex::find_table(const std::string& id) const {
  const auto found = tables_.find(id);
  return found == tables_.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<FloorIndex::Part>& FloorIndex::parts_of(TableIndex table) const {
  INVARIANT(table.value() < parts_.size());
  return parts_[table.value()];
}

}  // namespace linkmeter
