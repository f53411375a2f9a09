#include "meters/chapter.h"

namespace linkmeter {

const Line* Paytable::line_for(CategorySet hand) const {
  for (const Line& line : lines) {
    if (hand.has(line.category)) return &line;
  }
  return nullptr;
}

const EnvyLine* Paytable::envy_for(const LineId& line) const {
  for (const EnvyLine& entry : envy) {
    if (entry.line == line) return &entry;
  }
  return nullptr;
}

const Paytable* WagerRules::find_paytable(const PaytableId& paytable) const {
  for (const Paytable& candidate : paytables) {
    if (candidate.id == paytable) return &candidate;
  }
  return nullptr;
}

const GameRules* Catalogue::find_game(const GameId& id) const {
  for (const GameRules& game : games) {
    if (game.id == id) return &game;
  }
  return nullptr;
}

const WagerRules* Catalogue::find_wager(const WagerId& id) const {
  for (const GameRules& game : games) {
    for (const WagerRules& wager : game.wagers) {
      if (wager.id == id) return &wager;
    }
  }
  return nullptr;
}

}  // namespace linkmeter
