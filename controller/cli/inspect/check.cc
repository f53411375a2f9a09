#include <iostream>
#include <set>
#include <string>
#include <variant>

#include "config/reader/floor_file.h"
#include "controller/cli/shell/command.h"

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

}  // namespace linkmeter::cli
