#include "meters/floor/floor.h"

#include <algorithm>

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

bool LinkTerms::has_table(TablePlace table) const {
  return std::find(tables.begin(), tables.end(), table) != tables.end();
}

bool LinkTerms::takes(Amount amount) const {
  if (unit) return amount == *unit;
  return minimum && maximum && *minimum <= amount && amount <= *maximum && amount.is_whole_cents();
}

std::optional<TablePlace> Floor::find_table(const TableId& id) const {
  return place_of<TablePlace>(tables, id);
}

std::optional<LinkPlace> Floor::find_link(const LinkId& id) const {
  return place_of<LinkPlace>(links, id);
}

std::vector<LinkPlace> Floor::links_of(TablePlace table) const {
  std::vector<LinkPlace> found;
  for (std::uint32_t index = 0; index < links.size(); ++index) {
    if (links[index].has_table(table)) found.emplace_back(index);
  }
  return found;
}

const TableTerms& Floor::table(TablePlace place) const {
  CHECK(place.value() < tables.size());
  return tables[place.value()];
}

const LinkTerms& Floor::link(LinkPlace place) const {
  CHECK(place.value() < links.size());
  return links[place.value()];
}

const GameRules& FloorRules::game(TablePlace table) const {
  CHECK(table.value() < games.size());
  return games[table.value()];
}

const LinkRules& FloorRules::link(LinkPlace link) const {
  CHECK(link.value() < links.size());
  return links[link.value()];
}

}  // namespace linkmeter
