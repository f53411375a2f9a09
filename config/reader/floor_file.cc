#include "config/reader/floor_file.h"

#include <algorithm>
#include <array>
#include <map>

#include "config/reader/link_reader.h"
#include "config/reader/payment_policy_reader.h"
#include "config/reader/payout_limit_reader.h"
#include "config/reader/timezone.h"
#include "config/reader/toml_table.h"
#include "config/reader/violation.h"
#include "meters/state/pace.h"
#include "meters/values/limits.h"
#include "meters/values/number.h"
#include "meters/values/text.h"
#include "proto/host/endpoint.h"
#include "proto/host/web_address.h"

namespace linkmeter {
namespace {

constexpr std::string_view house_default = "House";
constexpr std::string_view timezone_default = "America/New_York";
constexpr std::string_view gaming_day_start_default = "06:00";

// "[[link]] C4-MEGA", or "[[link]]" without an id.
std::string label(std::string_view kind, const TomlTable& table) {
  const std::string id = table.raw_text("id");
  return std::string(kind) + (id.empty() ? "" : " " + id);
}

bool is_time_of_day(std::string_view text) {
  return text.size() == 5 && text[2] == ':' && parse_number(text.substr(0, 2), 23) &&
         parse_number(text.substr(3), 59);
}

std::optional<std::string> read_endpoint(TomlTable& house, std::string_view key) {
  std::optional<std::string> endpoint = house.text(key, Need::optional);
  // Agents read these too, so wildcards are not allowed.
  const std::string wrong =
      endpoint ? endpoint_mistake(*endpoint, EndpointUse::connect) : std::string();
  if (!wrong.empty()) house.refuse(key, wrong);
  return endpoint;
}

// One endpoint, or a list with one for each controller of the house. {}: none, or a mistake.
std::vector<std::string> read_controllers(TomlTable& house) {
  constexpr std::string_view key = "controller";
  if (!house.is_array(key)) {
    const std::optional<std::string> endpoint = read_endpoint(house, key);
    return endpoint ? std::vector{*endpoint} : std::vector<std::string>();
  }
  std::vector<std::string> endpoints;
  for (const TomlText& one : house.texts(key, Need::optional)) {
    endpoints.push_back(one.text);
    const std::string wrong = one.text.size() > limits::endpoint_length_max
                                  ? "holds a text that is longer than " +
                                        std::to_string(limits::endpoint_length_max) + " bytes"
                                  : endpoint_mistake(one.text, EndpointUse::connect);
    if (!wrong.empty()) house.refuse_at(one.line, "house.controller " + wrong);
  }
  if (house.is_empty_array(key)) {
    house.refuse(
        key, "is empty; it is an endpoint, or a list of 1 to " + std::to_string(limits::nodes_max));
  }
  const std::string wrong = endpoint_list_mistake(endpoints, limits::nodes_max);
  if (!wrong.empty()) house.refuse(key, wrong);
  return endpoints;
}

// A time of [house]: a number and its unit.
struct TimeKey {
  std::string_view name;
  std::string_view units;  // of s, m, h
  std::size_t decimals_max, length_max;
  std::chrono::milliseconds least, most;
  std::string_view expected;
};
constexpr TimeKey lost_after_key{"lost_after",
                                 "s",
                                 3,
                                 10,
                                 std::chrono::milliseconds(200),
                                 std::chrono::minutes(1),
                                 "a time in seconds, from \"0.2s\" to \"60s\""};
constexpr TimeKey clock_step_max_key{"clock_step_max",
                                     "smh",
                                     0,
                                     6,
                                     std::chrono::seconds(10),
                                     std::chrono::hours(24),
                                     "a time from \"10s\" to \"24h\", \"1h\""};

// "2s", "0.5s", "15m", "1h".
std::optional<std::chrono::milliseconds> parse_time(std::string_view text, const TimeKey& key) {
  if (text.size() > key.length_max) return std::nullopt;
  const char unit = text.empty() ? ' ' : text.back();
  if (key.units.find(unit) == std::string_view::npos) return std::nullopt;
  text.remove_suffix(1);
  const std::size_t point = text.find('.');
  const bool has_point = point != std::string_view::npos;
  const std::string_view decimals = has_point ? text.substr(point + 1) : "0";
  if (decimals.empty() || (has_point && decimals.size() > key.decimals_max)) return std::nullopt;
  constexpr std::array<std::uint64_t, 3> milliseconds{100, 10, 1};  // of the last decimal
  const auto whole = parse_number(text.substr(0, point)), part = parse_number(decimals);
  if (!whole || !part) return std::nullopt;
  const int seconds = unit == 'h' ? 3'600 : unit == 'm' ? 60 : 1;
  const std::uint64_t total = *whole * 1'000 + *part * milliseconds[decimals.size() - 1];
  return std::chrono::milliseconds(static_cast<std::int64_t>(total) * seconds);
}

template <class Time>
void read_time(TomlTable& house, const TimeKey& key, Time& time) {
  const std::optional<std::string> text = house.text(key.name, Need::optional);
  if (!text) return;
  const auto given = parse_time(*text, key);
  if (given && *given >= key.least && *given <= key.most) {
    time = std::chrono::duration_cast<Time>(*given);
  } else {
    house.refuse(key.name, "is \"" + *text + "\"; it is " + std::string(key.expected));
  }
}

void read_timezone(TomlTable& house, const std::optional<std::filesystem::path>& zones,
                   FloorFile& file) {
  const std::optional<std::string> name = house.name("timezone", Need::optional);
  if (!name) return;
  file.timezone = *name;
  if (zones && !is_timezone(*name, *zones)) {
    house.refuse("timezone",
                 "is \"" + *name + "\"; it is a name of the tz database, \"America/New_York\"");
  }
}

std::vector<std::string> read_notices(TomlTable& table) {
  constexpr std::size_t notices_max = 8;
  std::vector<std::string> notices;
  for (const TomlText& notice : table.texts("notices", Need::optional)) {
    if (notices.size() == notices_max) {
      table.refuse_at(notice.line, "has more than " + std::to_string(notices_max) + " notices");
      break;
    }
    if (!is_well_formed_text(notice.text, limits::reason_length_max)) {
      table.refuse_at(notice.line, "notices: one is empty, too long or no text");
    }
    notices.push_back(notice.text);
  }
  return notices;
}

std::string read_web(TomlTable& house) {
  std::string web = house.text("web", Need::optional).value_or("");
  const std::string wrong = web.empty() ? "" : web_address_mistake(web);
  if (!wrong.empty()) house.refuse("web", wrong);
  return web;
}

void read_house(TomlTable& root, const std::optional<std::filesystem::path>& zones,
                FloorFile& file) {
  file.floor.house = house_default;
  file.timezone = timezone_default;
  file.gaming_day_start = gaming_day_start_default;
  auto house = root.table("house", Need::optional);
  if (!house) return;
  house->read({{"name", &file.floor.house, Need::optional}});
  read_timezone(*house, zones, file);
  if (const auto start = house->text("gaming_day_start", Need::optional)) {
    if (!is_time_of_day(*start)) {
      house->refuse("gaming_day_start", "is \"" + *start + "\"; it is a time of day, \"06:00\"");
    }
    file.gaming_day_start = *start;
  }
  read_time(*house, lost_after_key, file.lost_after);
  read_time(*house, clock_step_max_key, file.clock_step_max);
  read_payment_policy(*house, file.timezone, file.floor);
  if (std::vector<std::string> controllers = read_controllers(*house); !controllers.empty()) {
    file.endpoints.controller = controllers.front();
    file.endpoints.controllers = std::move(controllers);
  }
  if (auto feed = read_endpoint(*house, "feed")) file.endpoints.feed = std::move(*feed);
  file.endpoints.web = read_web(*house);
  file.notices.house = read_notices(*house);
  house->finish();
}

void read_seats(TomlTable& table, const GameRules* game, TableConfig& terms) {
  const auto seats = table.integer("seats", Need::required);
  const std::uint8_t seats_max = game == nullptr ? limits::seats_max : game->seats_max;
  if (!seats) return;
  if (*seats < 1 || *seats > seats_max) {
    table.refuse("seats",
                 "is " + std::to_string(*seats) + "; a table has 1 to " +
                     std::to_string(seats_max) + " seats",
                 game == nullptr ? "" : game->seats_section);
    return;
  }
  terms.seats = static_cast<std::uint8_t>(*seats);
}

void read_decks(TomlTable& table, const GameRules* game, TableConfig& terms) {
  if (game == nullptr) {
    table.integer("decks", Need::optional, 1, limits::decks_max);
    return;
  }
  terms.decks = game->decks_default;
  const auto decks = table.integer("decks", Need::optional);
  if (!decks) return;
  const std::string sentence = "is " + std::to_string(*decks) + "; ";
  if (game->decks_vary ? *decks < 1 : *decks != game->decks_default) {
    table.refuse("decks",
                 sentence + game->title + " is played with " +
                     (game->decks_vary ? "1 or more" : std::to_string(game->decks_default)),
                 game->cards_section);
  } else if (*decks > limits::decks_max) {
    table.refuse("decks", sentence + "it is 1 to " + std::to_string(limits::decks_max));
  } else {
    terms.decks = static_cast<int>(*decks);
  }
}

bool draws(const GameRules& game) {
  for (const WagerRules& wager : game.wagers) {
    for (const Paytable& paytable : wager.paytables) {
      if (!paytable.bonuses.empty()) return true;
    }
  }
  return false;
}

void read_draw_rate(TomlTable& table, const GameRules* game, TableConfig& terms) {
  table.read({{"draw_rate", &terms.draw_rate, Need::optional}});
  if (game == nullptr || draws(*game)) return;
  table.refuse_each({"draw_rate"}, "stands here, but no wager of " + game->title + " has a draw",
                    "Ch. " + game->chapter);
}

// REQUIRES: the table's game was read.
void read_pace(TomlTable& table, TableConfig& terms) {
  const auto pace = table.integer("pace", Need::optional, 1, limits::pace_max);
  terms.pace = pace ? static_cast<std::uint32_t>(*pace) : default_pace(terms.game);
}

void read_table(TomlTable& table, const Catalogue& catalogue, FloorFile& file) {
  TableConfig terms;
  table.set_place(label("[[table]]", table));
  const std::optional<std::string> id = table.name("id", Need::required);
  terms.id = TableId(id.value_or(""));
  const std::optional<std::string> game_id = table.text("game", Need::required);
  const GameRules* const game = game_id ? catalogue.find_game(GameId(*game_id)) : nullptr;
  if (game_id && game == nullptr) {
    table.refuse("game", "is \"" + *game_id + "\"; the catalogue has " +
                             enumeration(catalogue.games,
                                         [](const GameRules& rules) { return rules.id.text(); }));
  }
  terms.game = GameId(game_id.value_or(""));
  read_seats(table, game, terms);
  read_decks(table, game, terms);
  read_draw_rate(table, game, terms);
  read_pace(table, terms);
  table.read({{"asset", &terms.asset, Need::optional}});
  table.finish();
  if (!id) return;
  if (file.floor.find_table(terms.id)) {
    table.refuse("id", "is " + terms.id.text() + ", which another [[table]] has");
    return;
  }
  file.floor.tables.push_back(std::move(terms));
  GameRules rules = game == nullptr ? GameRules() : *game;
  rules.wagers.clear();
  file.rules.games.push_back(std::move(rules));
}

// Whether one amount could be a wager of both links. REQUIRES: both links are of one wager, so
// either both are funds of pots or neither.
bool overlap(const LinkConfig& left, const LinkConfig& right) {
  if (left.pot) return true;
  const auto least = [](const LinkConfig& link) { return link.unit ? link.unit : link.minimum; };
  const auto most = [](const LinkConfig& link) { return link.unit ? link.unit : link.maximum; };
  if (!least(left) || !most(left) || !least(right) || !most(right)) return false;
  return *least(left) <= *most(right) && *least(right) <= *most(left);
}

// Checks that a table and an amount determine the link of a wager. Links are checked in floor
// order.
class WagerPlaces {
 public:
  void check(TomlTable& table, const Floor& floor, const LinkRead& read) {
    const LinkConfig& link = read.terms;
    for (const TableIndex at : link.tables) {
      if (++count_[at] == limits::links_per_table_max + 1) {
        table.refuse("tables", "holds " + floor.table(at).id.text() + ", which is in more than " +
                                   std::to_string(limits::links_per_table_max) + " links");
      }
      for (const std::size_t other : links_[{at, link.wager}]) {
        if (!overlap(floor.links[other], link)) continue;
        const std::string sentence = "holds " + floor.table(at).id.text() + ", which link " +
                                     floor.links[other].id.text() + " has for " + link.wager.text();
        table.refuse("tables",
                     link.pot ? sentence + "; a pot feeds one link"
                              : sentence + " with the same wager amounts",
                     read.rules.wager.section);
      }
      links_[{at, link.wager}].push_back(floor.links.size());
    }
  }

 private:
  std::map<std::pair<TableIndex, WagerId>, std::vector<std::size_t>> links_;
  std::map<TableIndex, std::size_t> count_;
};

// The purpose of reading a floor.
enum class FloorUse : std::uint8_t {
  running,  // it has been opened already, or is only inspected
  offered,  // it is to be opened or changed: the Board's approvals are required
};

void read_links(TomlTable& root, const Catalogue& catalogue, FloorUse use, FloorFile& file) {
  WagerPlaces places;
  std::vector<TomlTable> tables = root.tables("link", Need::optional);
  if (tables.empty()) root.refuse("link", "is missing; a floor has at least one [[link]]");
  if (tables.size() > limits::links_max) {
    root.refuse("link", "stands more than " + std::to_string(limits::links_max) + " times");
    return;
  }
  for (TomlTable& table : tables) {
    table.set_place(label("[[link]]", table));
    LinkRead link = read_link(table, catalogue, file.floor);
    if (!link.terms.id.empty() && file.floor.find_link(link.terms.id)) {
      table.refuse("id", "is " + link.terms.id.text() + ", which another [[link]] has");
    }
    if (use == FloorUse::offered && link.terms.pot && !table.has("discontinuation")) {
      table.refuse("discontinuation",
                   "is missing; no Bad Beat may be offered before the Board has approved the "
                   "procedure by which it is discontinued",
                   "§ 553.20(i)");
    }
    places.check(table, file.floor, link);
    file.notices.links.push_back(read_notices(table));
    file.floor.links.push_back(std::move(link.terms));
    file.rules.links.push_back(std::move(link.rules));
  }
  check_payout_limits(tables, file.floor, file.rules);
}

// The seeds of all levels are posted in one entry and reported as one sum, so this sum is limited.
void refuse_huge_seeds(TomlTable& root, const Floor& floor) {
  Amount seeds;
  for (const LinkConfig& link : floor.links) {
    for (const LevelConfig& level : link.levels) {
      seeds += level.seed;
      if (seeds <= limits::meter_max) continue;
      root.refuse("link", "seeds come to more than $" + text_cents(limits::meter_max) + " in all");
      return;
    }
  }
}

// `zones`: the directory that must have the timezone; nullopt: any name is accepted.
std::variant<FloorFile, Violations> resolve_floor(const std::string& file, std::string_view text,
                                                  const std::vector<CatalogueText>& catalogue_texts,
                                                  const std::optional<std::filesystem::path>& zones,
                                                  FloorUse use) {
  auto catalogue = parse_catalogue(catalogue_texts);
  // A floor cannot be validated without the chapters.
  if (auto* const violations = std::get_if<Violations>(&catalogue)) return *violations;
  const Catalogue& chapters = std::get<Catalogue>(catalogue);
  Violations violations;
  const auto toml = TomlTable::parse(file, text, violations);
  if (!toml) return violations;

  FloorFile result;
  result.text = text;
  for (std::size_t at = 0; at < catalogue_texts.size(); ++at) {
    result.catalogue_texts.push_back(catalogue_texts[at].text);
    result.rules.chapters.push_back({chapters.games[at].id, catalogue_texts[at].text});
  }
  TomlTable root(*toml, file, "", violations);
  read_house(root, zones, result);
  result.rules.timezone = result.timezone;
  result.rules.gaming_day_start = result.gaming_day_start;
  std::vector<TomlTable> tables = root.tables("table", Need::required);
  if (tables.size() > limits::tables_max) {
    root.refuse("table", "stands more than " + std::to_string(limits::tables_max) + " times");
  } else {
    for (TomlTable& table : tables) read_table(table, chapters, result);
  }
  read_links(root, chapters, use, result);
  refuse_huge_seeds(root, result.floor);
  root.finish();
  if (violations.empty()) return result;
  std::stable_sort(
      violations.begin(), violations.end(),
      [](const Violation& left, const Violation& right) { return left.line < right.line; });
  return violations;
}

std::variant<FloorFile, Violations> read_floor_for(FloorUse use, const std::filesystem::path& floor,
                                                   const std::filesystem::path& directory) {
  auto catalogue = read_catalogue_texts(directory);
  if (auto* const violations = std::get_if<Violations>(&catalogue)) return *violations;
  Violations unread;
  const auto text = read_config_text(floor, unread);
  if (!text) return unread;
  return resolve_floor(floor.string(), *text, std::get<std::vector<CatalogueText>>(catalogue),
                       system_zones, use);
}

}  // namespace

std::variant<FloorFile, Violations> parse_floor(const std::string& file, std::string_view text,
                                                const std::vector<CatalogueText>& catalogue) {
  return resolve_floor(file, text, catalogue, std::nullopt, FloorUse::running);
}

std::variant<FloorFile, Violations> read_floor(const std::filesystem::path& floor,
                                               const std::filesystem::path& catalogue_directory) {
  return read_floor_for(FloorUse::running, floor, catalogue_directory);
}

std::variant<FloorFile, Violations> read_new_floor(
    const std::filesystem::path& floor, const std::filesystem::path& catalogue_directory) {
  return read_floor_for(FloorUse::offered, floor, catalogue_directory);
}

}  // namespace linkmeter
