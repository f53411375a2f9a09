#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "controller/cli/inspect/hand_line.h"
#include "controller/cli/shell/command.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

int hand(const WagerId& wager, const std::filesystem::path& catalogue_directory) {
  const Catalogue catalogue = read_catalogue(catalogue_directory);
  const WagerRules& rules = find_wager(catalogue, wager);
  const GameRules& game = *catalogue.find_game(rules.game);
  std::string text;
  for (int number = 1; std::getline(std::cin, text); ++number) {
    if (text.empty()) continue;
    try {
      const std::string line = hand_line(rules, game, text);
      std::cout
          << nlohmann::json{{"line", line.empty() ? nlohmann::json() : nlohmann::json(line)}}.dump()
          << '\n';
    } catch (const Fault& fault) {
      throw Fault("standard input, line " + std::to_string(number) + ": " + fault.what());
    }
  }
  return 0;
}

}  // namespace linkmeter::cli
