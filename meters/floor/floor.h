// Floor: the house's Rules Submission in force: its tables and links with every figure resolved
// ("$10,000 for 1" on a $5 unit is stored as $50,000). The journal's first entry contains it, so
// history never depends on a file. FloorRules adds the chapters' rules, which only decide() needs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "meters/floor/payment_policy.h"
#include "meters/game/game_rules.h"
#include "meters/game/poker_threshold.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/rate.h"

namespace linkmeter {

struct LevelConfig {
  LevelId id;
  Amount seed;
  Amount reseed;
  Rate rate;
  std::optional<Amount> limit = {};  // M9: amounts above it go to the reserve
  friend bool operator==(const LevelConfig&, const LevelConfig&) = default;
};

// Poker Bad Beat (§ 553.20): a pot's contribution and the split of an award.
struct PotConfig {
  Amount minimum_pot;
  Amount contribution;
  PokerThreshold qualifying;  // the losing hand must be this or better
  Rate losing_hand;
  Rate winning_hand;
  Rate table;
  // The Board's approval of the procedure to discontinue the fund (§ 553.20(i)); "": none.
  std::string discontinuation = {};
  friend bool operator==(const PotConfig&, const PotConfig&) = default;
};

// A link without levels is a wager that has only fixed awards.
struct LinkConfig {
  LinkId id;
  WagerId wager;
  PaytableId paytable;                     // "" if the chapter has only one
  std::optional<Amount> unit;              // every wager is exactly this; or
  std::optional<Amount> minimum, maximum;  // the range of electronic wagers
  std::vector<LevelConfig> levels;
  Rate reserve_rate;
  std::vector<TableIndex> tables;
  std::optional<PotConfig> pot;
  std::optional<Amount> payout_limit = {};  // for one seat in one round, without Envy
  bool payout_limit_caps_meter = false;     // also for awards of a meter; the rest stays there
  friend bool operator==(const LinkConfig&, const LinkConfig&) = default;

  [[nodiscard]] bool has_table(TableIndex table) const;
  // Whether the link takes a wager of this amount.
  [[nodiscard]] bool takes(Amount amount) const;
};

struct TableConfig {
  TableId id;
  GameId game;
  std::uint8_t seats = 0;
  int decks = 1;
  std::string asset;
  // The probability that the table draws a Magic Card or a Lucky position, if it offers them.
  Rate draw_rate = Rate::from_ppm(Rate::ppm_whole);
  // Rounds per hour that the table may play (pace.h), 1 to limits::pace_max.
  std::uint32_t pace = limits::pace_default;
  friend bool operator==(const TableConfig&, const TableConfig&) = default;
};

struct Floor {
  std::string house;
  std::vector<TableConfig> tables;
  std::vector<LinkConfig> links;
  std::vector<SignatureStep> second_signature = {};  // the signature ladder, ascending by amount
  std::vector<TaxThreshold> taxable = {};            // ascending by moment
  friend bool operator==(const Floor&, const Floor&) = default;

  [[nodiscard]] std::optional<TableIndex> find_table(const TableId& id) const;
  [[nodiscard]] std::optional<LinkIndex> find_link(const LinkId& id) const;
  // The links that the table takes part in, in the floor's order.
  [[nodiscard]] std::vector<LinkIndex> links_of(TableIndex table) const;
  [[nodiscard]] const TableConfig& table(TableIndex place) const;
  [[nodiscard]] const LinkConfig& link(LinkIndex place) const;
};

// The chapter's rules for one link: the wager, the one paytable that the house chose, and the
// house's options applied. Lines and bonuses that the house does not offer are left out.
struct LinkRules {
  WagerRules wager;  // `paytables` is empty; the chosen one is below
  Paytable paytable;
  friend bool operator==(const LinkRules&, const LinkRules&) = default;
};

// The text of one chapter, for comparison only. It decides nothing.
struct ChapterText {
  GameId game;
  std::string text;
  friend bool operator==(const ChapterText&, const ChapterText&) = default;
};

// Everything that the catalogue states about a Floor, by index.
struct FloorRules {
  std::vector<GameRules> games;            // by table; their `wagers` are empty
  std::vector<LinkRules> links;            // by link
  std::vector<ChapterText> chapters = {};  // in the catalogue's order, including games not played
  // The time zone and time at which gaming days begin: "America/New_York", "06:00". They decide
  // only to which day's books an amount belongs.
  std::string timezone = {}, gaming_day_start = {};
  friend bool operator==(const FloorRules&, const FloorRules&) = default;

  [[nodiscard]] const GameRules& game(TableIndex table) const;
  [[nodiscard]] const LinkRules& link(LinkIndex link) const;
};

// Floor index: finds tables, and the links of each table, without a search of the floor. Derived
// from the floor; never stored.
class FloorIndex {
 public:
  // A link that a table takes part in, and the table's index in LinkConfig::tables.
  struct Part {
    LinkIndex link;
    std::size_t at = 0;
  };

  FloorIndex() = default;
  explicit FloorIndex(const Floor& floor);

  [[nodiscard]] std::optional<TableIndex> find_table(const std::string& id) const;
  // In the order of the links. REQUIRES: a table of the floor.
  [[nodiscard]] const std::vector<Part>& parts_of(TableIndex table) const;

 private:
  std::unordered_map<std::string, TableIndex> tables_;
  std::vector<std::vector<Part>> parts_;  // by table
};

}  // namespace linkmeter
