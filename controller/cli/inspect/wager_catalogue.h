// Wager catalogue: the game chapters, for the commands about cards.
#pragma once

#include <filesystem>

#include "meters/game/game_rules.h"

namespace linkmeter::cli {

// The game chapters. Prints every mistake in them on standard error. Throws Fault.
Catalogue read_catalogue(const std::filesystem::path& directory);
// Throws Fault, which lists the wagers that exist.
const WagerRules& find_wager(const Catalogue& catalogue, const WagerId& id);

}  // namespace linkmeter::cli
