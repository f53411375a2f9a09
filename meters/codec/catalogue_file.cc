#include "meters/codec/catalogue_file.h"

#include <sys/auxv.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "meters/claim.h"
#include "meters/codec/paytable_table.h"
#include "meters/codec/toml_table.h"
#include "meters/limits.h"

namespace linkmeter {
namespace {

const std::vector<std::pair<std::string_view, Placement>> placements{
    {"chip", Placement::chip}, {"electronic", Placement::electronic}, {"pot", Placement::pot}};
const std::vector<std::pair<std::string_view, DecidedBy>> decisions{
    {"player_hand", DecidedBy::player_hand},
    {"dealer_hand", DecidedBy::dealer_hand},
    {"pot", DecidedBy::pot}};
const std::vector<std::pair<std::string_view, Sharing>> sharings{
    {"by_turn", Sharing::by_turn}, {"equal", Sharing::equal}, {"split", Sharing::split}};
const std::vector<std::pair<std::string_view, Dealing>> dealings{
    {"stud", Dealing::stud}, {"blackjack", Dealing::blackjack}, {"holdem", Dealing::holdem}};
const std::vector<std::pair<std::string_view, std::string>> statuses{
    {"final", "final"}, {"proposed", "proposed"}, {"temporary", "temporary"}};

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
  auto cards = root.table("cards", Need::required);
  if (!cards) return;
  game.dealing = cards->choice("dealing", Need::required, dealings).value_or(Dealing::stud);
  game.decks_default =
      static_cast<int>(cards->integer("decks", Need::required, 1, limits::decks_max).value_or(1));
  game.decks_vary = cards->boolean("decks_vary", Need::optional).value_or(false);
  read_card_count(*cards, "player", game.player_cards_min, game.player_cards_max);
  read_card_count(*cards, "dealer", game.dealer_cards_min, game.dealer_cards_max);
  constexpr auto cards_max = static_cast<std::int64_t>(limits::cards_per_hand_max);
  game.board_cards_max = static_cast<std::size_t>(
      cards->integer("board_max", Need::required, 0, cards_max).value_or(0));
  cards->text("section", Need::required);
  cards->finish();
}

// Rules that are one table each, so that each has its section beside it.
void read_settling(TomlTable& table, WagerRules& wager) {
  if (auto sharing = table.table("sharing", Need::required)) {
    wager.sharing = sharing->choice("kind", Need::required, sharings).value_or(Sharing::by_turn);
    sharing->text("section", Need::required);
    sharing->finish();
  }
  if (auto fold = table.table("fold", Need::required)) {
    wager.fold_forfeits = fold->boolean("forfeits", Need::required).value_or(false);
    wager.folded_hand_gives_envy = fold->boolean("gives_envy", Need::optional).value_or(false);
    fold->text("section", Need::required);
    fold->finish();
  }
  if (auto verified = table.table("verified", Need::required)) {
    wager.verified_from =
        verified->integer("from", Need::required, 0, limits::multiple_max).value_or(0);
    verified->text("section", Need::required);
    verified->finish();
  }
  if (auto award = table.table("meter_award", Need::required)) {
    for (const TomlText& source : award->texts("not_from", Need::required)) {
      if (const auto parsed = parse_payment_source(source.text)) {
        wager.meter_award_not_from.push_back(*parsed);
      } else {
        award->refuse_at(source.line,
                         "meter_award.not_from holds \"" + source.text +
                             "\"; a source is table_inventory, game_account or hand_pay");
      }
    }
    award->text("section", Need::required);
    award->finish();
  }
  if (auto linked = table.table("linked", Need::required)) {
    wager.may_be_linked = linked->boolean("allowed", Need::required).value_or(false);
    wager.linked_section = linked->text("section", Need::required).value_or("");
    linked->finish();
  }
}

void read_paytables(TomlTable& table, WagerRules& wager, const std::string& place) {
  for (TomlTable& row : table.tables("paytable", Need::required)) {
    const std::string id = row.has("id") ? row.name("id", Need::optional).value_or("") : "";
    std::string where = place;
    if (!id.empty()) where.append(" paytable ").append(id);
    row.set_place(where);
    Paytable paytable = read_paytable(row, wager.decided_by);
    if (wager.find_paytable(paytable.id) != nullptr) {
      row.refuse("id", "is \"" + id + "\" a second time");
    }
    wager.paytables.push_back(std::move(paytable));
  }
  if (wager.paytables.empty()) return;
  if (wager.paytables.size() > 1 && wager.find_paytable(PaytableId()) != nullptr) {
    table.refuse("paytable",
                 "has one without id beside others; only a single paytable may be nameless");
  }
}

WagerRules read_wager(TomlTable& table, const GameId& game) {
  WagerRules wager;
  wager.game = game;
  wager.id = WagerId(table.name("id", Need::required).value_or(""));
  const std::string place = "[[wager]] " + wager.id.text();
  table.set_place(place);
  if (!wager.id.empty() && !wager.id.text().starts_with(game.text() + "/")) {
    table.refuse("id", "must begin with \"" + game.text() + "/\"");
  }
  wager.title = table.text("title", Need::required).value_or("");
  wager.section = table.text("section", Need::required).value_or("");
  const std::string hand = table.text("hand", Need::required).value_or("");
  if (const auto kind = parse_hand_kind(hand)) {
    wager.hand = *kind;
  } else if (table.has("hand")) {
    table.refuse("hand", "is \"" + hand + "\"; no kind of hand has that name");
  }
  wager.placement = table.choice("placement", Need::required, placements).value_or(Placement::chip);
  wager.decided_by =
      table.choice("decided_by", Need::required, decisions).value_or(DecidedBy::player_hand);
  read_settling(table, wager);
  const int pot_rules = (wager.placement == Placement::pot ? 1 : 0) +
                        (wager.decided_by == DecidedBy::pot ? 1 : 0) +
                        (wager.sharing == Sharing::split ? 1 : 0);
  if (pot_rules == 1 || pot_rules == 2) {
    table.refuse("placement", "pot, decided_by pot and sharing split go together");
  }
  read_paytables(table, wager, place);
  table.finish();
  return wager;
}

// Can every hand that the game's card counts let through be looked at as the wager's kind of hand?
// No cards at all is a hand nobody has seen.
bool hands_fit(const GameRules& game, const WagerRules& wager) {
  const bool of_dealer = wager.decided_by == DecidedBy::dealer_hand;
  const std::size_t most = of_dealer ? game.dealer_cards_max : game.player_cards_max;
  const std::size_t least = of_dealer ? game.dealer_cards_min : game.player_cards_min;
  const std::size_t board = wager.decided_by == DecidedBy::pot ? game.board_cards_max : 0;
  for (std::size_t count = std::max<std::size_t>(least, 1); count <= most; ++count) {
    if (!card_count_fits(wager.hand, count + board)) return false;
  }
  return most > 0;
}

GameRules read_game(TomlTable& root) {
  GameRules game;
  game.id = GameId(root.name("game", Need::required).value_or(""));
  game.title = root.text("title", Need::required).value_or("");
  game.chapter = root.text("chapter", Need::required).value_or("");
  game.source = root.text("source", Need::required).value_or("");
  game.effective = root.text("effective", Need::required).value_or("");
  game.status = root.choice("status", Need::required, statuses).value_or("");
  if (auto seats = root.table("seats", Need::required)) {
    game.seats_max = static_cast<std::uint8_t>(
        seats->integer("max", Need::required, 1, limits::seats_max).value_or(1));
    game.seats_section = seats->text("section", Need::required).value_or("");
    seats->finish();
  }
  read_cards(root, game);
  for (TomlTable& table : root.tables("wager", Need::required)) {
    WagerRules wager = read_wager(table, game.id);
    const bool known = std::any_of(game.wagers.begin(), game.wagers.end(),
                                   [&](const WagerRules& other) { return other.id == wager.id; });
    if (known) table.refuse("id", "is " + wager.id.text() + " a second time");
    if (table.has("hand") && parse_hand_kind(table.raw_text("hand")) && !hands_fit(game, wager)) {
      table.refuse("hand", "does not fit the number of cards that [cards] allows");
    }
    game.wagers.push_back(std::move(wager));
  }
  root.finish();
  return game;
}

}  // namespace

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
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
    if (!stream.is_open() || stream.bad() || text.bad()) {
      violations.push_back({path.string(), 0, "the file cannot be read", ""});
    }
    texts.push_back({path.filename().string(), text.str()});
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
  // The path this program was started by, as the kernel noted it: also there where /proc is not.
  std::error_code error;
  const auto* started =  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives it so
      reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error && started != nullptr) program = std::filesystem::canonical(started, error);
  return (program.parent_path() / ".." / "share" / "linkmeter" / "catalogue").lexically_normal();
}

}  // namespace linkmeter
