// Catalogue file: reads one TOML file per game chapter into GameRules. The file states every figure
// of a game with its section. A new paytable, a new wager, or a new game with known kinds of hands
// requires no code change.
//
// config/catalogue/crazy-4.toml is an example of the format; config/catalogue/README.md documents
// it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/reader/violation.h"
#include "meters/game/game_rules.h"

namespace linkmeter {

struct CatalogueText {
  std::string file;
  std::string text;
};

// The text of a floor file or a chapter, which may come through a pipe. nullopt: it cannot be read,
// which is reported as one violation.
std::optional<std::string> read_config_text(const std::filesystem::path& path,
                                            Violations& violations);

// Reads the name and text of every *.toml file of a catalogue directory, in name order.
std::variant<std::vector<CatalogueText>, Violations> read_catalogue_texts(
    const std::filesystem::path& directory);
std::variant<Catalogue, Violations> parse_catalogue(const std::vector<CatalogueText>& texts);

// The catalogue's directory: $LINKMETER_CATALOGUE, else ../share/linkmeter/catalogue relative to
// the program.
std::filesystem::path default_catalogue_directory();

}  // namespace linkmeter
