#include <iostream>
#include <variant>

#include "controller/cli/commands.h"
#include "meters/codec/floor_file.h"

namespace linkmeter::cli {

int check(const std::filesystem::path& floor, const std::filesystem::path& catalogue) {
  const auto read = read_floor(floor, catalogue);
  if (const auto* violations = std::get_if<Violations>(&read)) {
    for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
    return 1;
  }
  const Floor& known = std::get<FloorFile>(read).floor;
  std::cout << floor.string() << ": " << known.links.size() << " links and " << known.tables.size()
            << " tables as the chapters ask\n";
  return 0;
}

}  // namespace linkmeter::cli
