#include <iostream>
#include <variant>

#include "controller/cli/commands.h"
#include "controller/cli/text_table.h"
#include "controller/clock.h"
#include "controller/data_folder.h"
#include "meters/codec/floor_file.h"

namespace linkmeter::cli {

int init(const std::filesystem::path& floor, const std::filesystem::path& data,
         const std::filesystem::path& catalogue) {
  auto read = read_floor(floor, catalogue);
  if (const auto* violations = std::get_if<Violations>(&read)) {
    for (const Violation& violation : *violations) std::cerr << violation.text() << '\n';
    return 1;
  }
  FloorFile& file = std::get<FloorFile>(read);
  FloorOpened opened{std::move(file.floor), std::move(file.text), std::move(file.catalogue_texts)};
  create_data_folder(data, opened, Clock().now());
  Amount seeds;
  for (const LinkTerms& link : opened.floor.links) {
    for (const LevelTerms& level : link.levels) seeds += level.seed;
  }
  std::cout << data.string() << ": opened with " << opened.floor.links.size() << " links, "
            << opened.floor.tables.size() << " tables, " << dollars(seeds) << " of seeds\n";
  return 0;
}

}  // namespace linkmeter::cli
