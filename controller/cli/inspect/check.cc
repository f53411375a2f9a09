#include <iostream>
#include <set>
#include <string>
#include <variant>

#include "config/reader/catalogue_file.h"
#include "config/reader/floor_file.h"
#include "controller/cli/shell/command.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

int check(const std::filesystem::path& floor, const std::filesystem::path& catalogue) {
  const auto read = read_new_floor(floor, catalogue);
  if (const auto* violations = std::get_if<Violations>(&read)) {
    for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
    return 1;
  }
  const FloorFile& file = std::get<FloorFile>(read);
  const Floor& known = file.floor;
  std::cout << floor.string() << ": " << known.links.size() << " links and " << known.tables.size()
            << " tables as the chapters ask\n";
  std::set<std::string> proposed;
  for (const GameRules& game : file.rules.games) {
    if (game.status == "proposed") proposed.insert("Ch. " + game.chapter + ", " + game.title);
  }
  for (const std::string& chapter : proposed) {
    std::cout << chapter << ", is a proposed rule; nobody may play by it yet\n";
  }
  return 0;
}

Catalogue read_catalogue(const std::filesystem::path& directory) {
  const auto texts = read_catalogue_texts(directory);
  const auto parsed = std::holds_alternative<Violations>(texts)
                          ? std::variant<Catalogue, Violations>(std::get<Violations>(texts))
                          : parse_catalogue(std::get<0>(texts));
  const auto* violations = std::get_if<Violations>(&parsed);
  if (violations == nullptr) return std::get<Catalogue>(parsed);
  for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
  throw Fault("the catalogue in " + directory.string() + " cannot be used");
}

const WagerRules& find_wager(const Catalogue& catalogue, const WagerId& id) {
  const WagerRules* wager = catalogue.find_wager(id);
  if (wager != nullptr) return *wager;
  std::string known;
  for (const GameRules& game : catalogue.games) {
    for (const WagerRules& offered : game.wagers) known += " " + offered.id.text();
  }
  throw Fault("there is no wager " + id.text() + " in the catalogue; it has:" + known);
}

}  // namespace linkmeter::cli
