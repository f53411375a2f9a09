#include <iostream>
#include <set>
#include <string>

#include "config/reader/floor_file.h"
#include "controller/cli/shell/command.h"

namespace linkmeter::cli {

namespace {

// Validates a floor file: prints every violation with its line and section.
int check(const std::filesystem::path& floor, const std::filesystem::path& catalogue) {
  auto read = read_new_floor(floor, catalogue);
  const FloorFile* file = read_or_print(read);
  if (file == nullptr) return 1;
  const Floor& known = file->floor;
  std::cout << floor.string() << ": " << known.links.size() << " links and " << known.tables.size()
            << " tables as the chapters ask\n";
  std::set<std::string> proposed;
  for (const GameRules& game : file->rules.games) {
    if (game.status == "proposed") proposed.insert("Ch. " + game.chapter + ", " + game.title);
  }
  for (const std::string& chapter : proposed) {
    std::cout << chapter << ", is a proposed rule; nobody may play by it yet\n";
  }
  return 0;
}

}  // namespace

void declare_check(CLI::App& app, CommandBuilder& declare) {
  CLI::App* checking =
      declare.command(app, "check", "Check a floor file against the game chapters",
                      [&given = declare.options] { return check(given.floor, given.catalogue); });
  declare.takes_floor(checking);
  declare.takes_catalogue(checking);
}

}  // namespace linkmeter::cli
