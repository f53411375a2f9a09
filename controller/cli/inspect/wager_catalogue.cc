#include "controller/cli/inspect/wager_catalogue.h"

#include <string>
#include <variant>

#include "config/reader/catalogue_file.h"
#include "controller/cli/shell/data.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

Catalogue read_catalogue(const std::filesystem::path& directory) {
  const auto texts = read_catalogue_texts(directory);
  auto parsed = std::holds_alternative<Violations>(texts)
                    ? std::variant<Catalogue, Violations>(std::get<Violations>(texts))
                    : parse_catalogue(std::get<0>(texts));
  if (Catalogue* catalogue = read_or_print(parsed)) return std::move(*catalogue);
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
