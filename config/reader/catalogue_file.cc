#include "config/reader/catalogue_file.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "config/reader/toml_table.h"
#include "config/reader/wager_reader.h"
#include "meters/state/claim.h"
#include "meters/values/limits.h"
#include "proto/host/executable.h"

namespace linkmeter {
namespace {

void read_card_count(TomlTable& cards, std::string_view key, std::size_t& minimum,
                     std::size_t& maximum) {
  auto range = cards.table(key, Need::required);
  if (!range) return;
  constexpr auto cards_max = static_cast<std::int64_t>(limits::cards_per_hand_max);
  const std::int64_t least = range->integer("min", Need::required, 0, cards_max).value_or(0);
  const std::int64_t most = range->integer("max", Need::required, 0, cards_max).value_or(cards_max);
  if (least > most) range->refuse("min", "is above max");
  minimum = static_cast<std::size_t>(least);
  maximum = static_cast<std::size_t>(most);
  range->finish();
}

void read_cards(TomlTable& root, GameRules& game) {
  game.cards_section = root.rule("cards", Need::required, [&game](TomlTable& cards) {
    game.dealing =
        cards
            .choice("dealing", Need::required, {Dealing::stud, Dealing::blackjack, Dealing::holdem})
            .value_or(Dealing::stud);
    game.decks_default =
        static_cast<int>(cards.integer("decks", Need::required, 1, limits::decks_max).value_or(1));
    cards.read({{"decks_vary", &game.decks_vary, Need::optional},
                {"joker", &game.joker, Need::optional},
                {"folds", &game.folds, Need::optional}});
    read_card_count(cards, "player", game.player_cards_min, game.player_cards_max);
    read_card_count(cards, "dealer", game.dealer_cards_min, game.dealer_cards_max);
    constexpr auto cards_max = static_cast<std::int64_t>(limits::cards_per_hand_max);
    game.board_cards_max = static_cast<std::size_t>(
        cards.integer("board_max", Need::required, 0, cards_max).value_or(0));
  });
}

GameRules read_game(TomlTable& root) {
  GameRules game;
  game.id = GameId(root.name("game", Need::required).value_or(""));
  root.read({{"title", &game.title},
             {"chapter", &game.chapter},
             {"source", &game.source},
             {"effective", &game.effective}});
  game.status =
      root.choice("status", Need::required, {"final", "proposed", "temporary"}).value_or("");
  if (root.has("effective") && game.effective.empty() && game.status == "final") {
    root.refuse("effective", "is empty; a final chapter holds since some day");
  }
  game.seats_section = root.rule("seats", Need::required, [&game](TomlTable& seats) {
    game.seats_max = static_cast<std::uint8_t>(
        seats.integer("max", Need::required, 1, limits::seats_max).value_or(1));
  });
  read_cards(root, game);
  for (TomlTable& table : root.tables("wager", Need::required)) {
    WagerRules wager = read_wager_table(table, game);
    const bool known = std::any_of(game.wagers.begin(), game.wagers.end(),
                                   [&](const WagerRules& other) { return other.id == wager.id; });
    if (known) table.refuse("id", "is " + wager.id.text() + " a second time");
    wager.settled_at = game.wagers.size();
    game.wagers.push_back(std::move(wager));
  }
  root.finish();
  return game;
}

}  // namespace

std::optional<std::string> read_config_text(const std::filesystem::path& path,
                                            Violations& violations) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad() || text.fail()) {
    violations.push_back({path.string(), 0, "the file cannot be read", ""});
    return std::nullopt;
  }
  return text.str();
}

std::variant<std::vector<CatalogueText>, Violations> read_catalogue_texts(
    const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".toml") paths.push_back(entry->path());
  }
  if (error) {
    return Violations{
        {directory.string(), 0, "the catalogue directory cannot be read: " + error.message(), ""}};
  }
  if (paths.empty()) {
    return Violations{{directory.string(), 0, "the catalogue directory holds no *.toml", ""}};
  }
  std::sort(paths.begin(), paths.end());
  std::vector<CatalogueText> texts;
  Violations violations;
  for (const std::filesystem::path& path : paths) {
    auto text = read_config_text(path, violations);
    if (text) texts.push_back({path.filename().string(), std::move(*text)});
  }
  if (!violations.empty()) return violations;
  return texts;
}

std::variant<Catalogue, Violations> parse_catalogue(const std::vector<CatalogueText>& texts) {
  Catalogue catalogue;
  Violations violations;
  for (const CatalogueText& text : texts) {
    const auto toml = TomlTable::parse(text.file, text.text, violations);
    if (!toml) continue;
    TomlTable root(*toml, text.file, "", violations);
    GameRules game = read_game(root);
    if (!game.id.empty() && catalogue.find_game(game.id) != nullptr) {
      root.refuse("game", "is " + game.id.text() + ", which another file of the catalogue has");
    }
    catalogue.games.push_back(std::move(game));
  }
  if (!violations.empty()) return violations;
  return catalogue;
}

std::filesystem::path default_catalogue_directory() {
  const char* const chosen = std::getenv("LINKMETER_CATALOGUE");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return (own_executable().path.parent_path() / ".." / "share" / "linkmeter" / "catalogue")
      .lexically_normal();
}

}  // namespace linkmeter
