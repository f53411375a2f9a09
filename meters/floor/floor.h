// Floor: the house's Rules Submission in force: its tables and its links with every figure resolved
// ("$10,000 for 1" on a $5 unit already reads $50,000). The journal's first entry holds it, so
// history never depends on a file. FloorRules adds what only decide() needs: the chapters' rules.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "meters/floor/payout_policy.h"
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
  std::optional<Amount> limit = {};  // M9: increments above it go to the reserve
  friend bool operator==(const LevelConfig&, const LevelConfig&) = default;
};

// Poker Bad Beat (§ 553.20): what a pot contributes and how an award is split.
struct PotConfig {
  Amount minimum_pot;
  Amount contribution;
  PokerThreshold qualifying;  // the losing hand: this or better
  Rate losing_hand;
  Rate winning_hand;
  Rate table;
  // The Board's approval of the procedure by which the fund ends (§ 553.20(i)); "": there is none.
  std::string discontinuation = {};
  friend bool operator==(const PotConfig&, const PotConfig&) = default;
};

// A link without levels is a wager with fixed awards only.
struct LinkConfig {
  LinkId id;
  WagerId wager;
  PaytableId paytable;                     // "" where the chapter has one table
  std::optional<Amount> unit;              // every wager equals it; or
  std::optional<Amount> minimum, maximum;  // electronic wagers lie between
  std::vector<LevelConfig> levels;
  Rate reserve_rate;
  std::vector<TableIndex> tables;
  std::optional<PotConfig> pot;
  std::optional<Amount> payout_limit = {};  // what one seat is paid in one round, envy apart
  bool payout_limit_caps_meter = false;     // awards of a meter too; the rest stays on the meter
  friend bool operator==(const LinkConfig&, const LinkConfig&) = default;

  [[nodiscard]] bool has_table(TableIndex table) const;
  // Does this link take a wager of this amount?
  [[nodiscard]] bool takes(Amount amount) const;
};

struct TableConfig {
  TableId id;
  GameId game;
  std::uint8_t seats = 0;
  int decks = 1;
  std::string asset;
  // How often the table draws a Magic Card and a Lucky position, where it offers them.
  Rate draw_rate = Rate::from_ppm(Rate::ppm_whole);
  // Rounds an hour that it may play (pace.h), 1 to limits::pace_max.
  std::uint32_t pace = limits::pace_default;
  friend bool operator==(const TableConfig&, const TableConfig&) = default;
};

struct Floor {
  std::string house;
  std::vector<TableConfig> tables;
  std::vector<LinkConfig> links;
  std::vector<SignatureStep> second_signature = {};  // the ladder, rising
  std::vector<TaxThreshold> taxable = {};            // by moment, rising
  friend bool operator==(const Floor&, const Floor&) = default;

  [[nodiscard]] std::optional<TableIndex> find_table(const TableId& id) const;
  [[nodiscard]] std::optional<LinkIndex> find_link(const LinkId& id) const;
  // Those that the table takes part in, in their order.
  [[nodiscard]] std::vector<LinkIndex> links_of(TableIndex table) const;
  [[nodiscard]] const TableConfig& table(TableIndex place) const;
  [[nodiscard]] const LinkConfig& link(LinkIndex place) const;
};

// The chapter's rules for one link: the wager with the one paytable that the house chose, and with
// its options applied: lines and bonuses that it does not offer are left out.
struct LinkRules {
  WagerRules wager;  // its paytables are left empty; the chosen one stands below
  Paytable paytable;
  friend bool operator==(const LinkRules&, const LinkRules&) = default;
};

// The words of one chapter. They are compared whole, for people; nothing is decided by them.
struct ChapterText {
  GameId game;
  std::string text;
  friend bool operator==(const ChapterText&, const ChapterText&) = default;
};

// Everything the catalogue says about a Floor, place by place.
struct FloorRules {
  std::vector<GameRules> games;            // per table; their wagers are left empty
  std::vector<LinkRules> links;            // per link
  std::vector<ChapterText> chapters = {};  // in the catalogue's order; of games not played too
  // By which clock the house's gaming days begin: "America/New_York", "06:00". No money hangs on
  // it, but in which day's books it stands.
  std::string timezone = {}, gaming_day_start = {};
  friend bool operator==(const FloorRules&, const FloorRules&) = default;

  [[nodiscard]] const GameRules& game(TableIndex table) const;
  [[nodiscard]] const LinkRules& link(LinkIndex link) const;
};

// Floor index: where a floor's tables are and what each takes part in, found at once however many
// there are. Made of the floor alone; never stored.

class FloorIndex {
 public:
  // A link that a table takes part in, and where the table stands in LinkConfig::tables.
  struct Part {
    LinkIndex link;
    std::size_t at = 0;
  };

  FloorIndex() = default;
  explicit FloorIndex(const Floor& floor);

  [[nodiscard]] std::optional<TableIndex> find_table(const std::string& id) const;
  // In the links' order. REQUIRES: a table of the floor.
  [[nodiscard]] const std::vector<Part>& parts_of(TableIndex table) const;

 private:
  std::unordered_map<std::string, TableIndex> tables_;
  std::vector<std::vector<Part>> parts_;  // by table
};

}  // namespace linkmeter
