// A line of input to `linkmeter hand`: the result is the line of a paytable, or why it is no hand.
#include <algorithm>
#include <string>
#include <vector>

#include "config/reader/catalogue_file.h"
#include "controller/cli/inspect/hand_line.h"
#include "meters/game/card.h"
#include "meters/values/invariant.h"
#include "proto/host/fault.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

const Catalogue& whole_catalogue() {
  static const Catalogue catalogue = [] {
    auto texts = read_catalogue_texts(LINKMETER_SOURCE_DIR "/config/catalogue");
    auto parsed = parse_catalogue(std::get<std::vector<CatalogueText>>(texts));
    return std::get<Catalogue>(std::move(parsed));
  }();
  return catalogue;
}

bool is_line_of(const WagerRules& wager, const std::string& line) {
  if (line.empty() || wager.decided_by == DecidedBy::pot) return true;
  return std::any_of(wager.paytables.begin(), wager.paytables.end(), [&](const Paytable& table) {
    return std::any_of(table.lines.begin(), table.lines.end(),
                       [&line](const Line& one) { return one.id.text() == line; });
  });
}

}  // namespace

// The first byte: the wager.
void judge_hand(std::string_view bytes) {
  if (bytes.empty()) return;
  static const std::vector<const WagerRules*> wagers = [] {
    std::vector<const WagerRules*> all;
    for (const GameRules& game : whole_catalogue().games) {
      for (const WagerRules& wager : game.wagers) all.push_back(&wager);
    }
    return all;
  }();
  const WagerRules& wager = *wagers[static_cast<unsigned char>(bytes[0]) % wagers.size()];
  const std::string text(bytes.substr(1));
  try {
    const std::string line = cli::hand_line(wager, *whole_catalogue().find_game(wager.game), text);
    INVARIANT(is_line_of(wager, line));
    INVARIANT(text.find("cards") != std::string::npos || text.find('\\') != std::string::npos ||
              wager.decided_by == DecidedBy::dealer_hand);
  } catch (const Fault& fault) {
    INVARIANT(!std::string_view(fault.what()).empty());
  }
}

}  // namespace linkmeter::fuzz
