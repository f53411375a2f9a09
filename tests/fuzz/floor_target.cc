// Files that a house writes: floor files and chapters. A refusal names something, and every
// sentence can be printed; an accepted file is accepted again with the same floor, within
// meters/values/limits.h.
#include <string>

#include "config/reader/floor_file.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

void hold_violations(const Violations& violations) {
  INVARIANT(!violations.empty());
  for (const Violation& violation : violations) {
    INVARIANT(!violation.message.empty());
    INVARIANT(violation.line >= 0);
    INVARIANT(!violation.text().empty());
  }
}

}  // namespace

void judge_floor_file(std::string_view bytes) {
  const auto parsed = parse_floor("floor.toml", bytes, small_catalogue());
  if (const auto* wrong = std::get_if<Violations>(&parsed)) return hold_violations(*wrong);
  const auto& file = std::get<FloorFile>(parsed);
  INVARIANT(file.text == bytes);
  INVARIANT(file.floor.tables.size() <= limits::tables_max);
  INVARIANT(file.floor.links.size() <= limits::links_max);
  for (const TableConfig& table : file.floor.tables) {
    INVARIANT(table.seats >= 1 && table.seats <= limits::seats_max);
    INVARIANT(table.decks >= 0 && table.decks <= limits::decks_max);
  }
  for (const LinkConfig& link : file.floor.links) {
    INVARIANT(link.levels.size() <= limits::levels_max);
    for (const LevelConfig& level : link.levels) {
      INVARIANT(level.seed >= Amount() && level.seed <= limits::meter_max);
      INVARIANT(level.reseed >= Amount() && level.reseed <= limits::meter_max);
    }
    if (link.unit) INVARIANT(*link.unit > Amount() && *link.unit <= limits::wager_max);
  }
  const auto again =
      parse_floor("floor.toml", file.text,
                  file.catalogue_texts.empty() ? std::vector<CatalogueText>{} : small_catalogue());
  INVARIANT(std::holds_alternative<FloorFile>(again));
  INVARIANT(std::get<FloorFile>(again).floor == file.floor);
}

void judge_chapter(std::string_view bytes) {
  const std::vector<CatalogueText> texts{{"chapter.toml", std::string(bytes)}};
  const auto parsed = parse_catalogue(texts);
  if (const auto* wrong = std::get_if<Violations>(&parsed)) return hold_violations(*wrong);
  INVARIANT(std::holds_alternative<Catalogue>(parse_catalogue(texts)));
}

}  // namespace linkmeter::fuzz
