// Catalogue file: one TOML file per game chapter -> GameRules. Every figure of a game stands there
// with its section; a new paytable, wager or game of known hand kinds needs no change of code.
//
// The format, by example, is config/catalogue/crazy-4.toml; config/catalogue/README.md explains it.
#pragma once

#include <filesystem>
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

// Reads every *.toml of a catalogue directory, in name order: name and text.
std::variant<std::vector<CatalogueText>, Violations> read_catalogue_texts(
    const std::filesystem::path& directory);
std::variant<Catalogue, Violations> parse_catalogue(const std::vector<CatalogueText>& texts);

// Where the catalogue is: $LINKMETER_CATALOGUE, else ../share/linkmeter/catalogue beside the
// program.
std::filesystem::path default_catalogue_directory();

}  // namespace linkmeter
