// Chapter: the rules of one game as data, read from config/catalogue/*.toml. Code knows hand kinds
// and ways of settling; which game uses which, and every figure, stands in the catalogue.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meters/amount.h"
#include "meters/hand.h"
#include "meters/identity.h"
#include "meters/rate.h"

namespace linkmeter {

// What a line, an envy or a share pays.
struct Pays {
  enum class Kind : std::uint8_t {
    meter,    // a share of a level's meter: 100% (M4) or p% (M5)
    for_one,  // multiple x wager, the stake is kept by the house
    to_one,   // multiple x wager, the stake goes back to the player
  };
  Kind kind = Kind::for_one;
  LevelPlace level;           // kind meter: which level of the paytable
  Rate share;                 // kind meter
  std::int64_t multiple = 0;  // kind for_one, to_one
  friend bool operator==(const Pays&, const Pays&) = default;
};

struct Line {
  LineId id;
  HandCategory category = HandCategory::high_card;
  Pays pays;
  std::string section;  // "§ 657a.12(e)"
  friend bool operator==(const Line&, const Line&) = default;
};

// What every other eligible player at the table gets when somebody holds the line's hand, by the
// receiver's own wager. A wager amount that is not listed has no envy.
struct EnvyLine {
  LineId line;
  std::vector<std::pair<Amount, Amount>> by_wager;  // (receiver's wager, envy amount)
  std::string section;
  friend bool operator==(const EnvyLine&, const EnvyLine&) = default;
};

// A figure of the chapter that a house must state (at least) or take as it stands (exactly).
struct LevelRule {
  LevelId id;
  std::optional<std::int64_t> seed_for_one;      // seed (and reseed) = this x the wager unit
  std::optional<std::int64_t> reseed_for_one;    // where the text reseeds with another figure
  std::optional<Amount> seed_min;                // the house states seed and reseed; at least this
  std::optional<std::int64_t> seed_for_one_min;  // and at least this x the wager unit
  std::optional<Rate> rate;                      // the rate, fixed by the text
  std::optional<Rate> rate_min;                  // the house states the rate; at least this
  std::string section;
  friend bool operator==(const LevelRule&, const LevelRule&) = default;
};

struct Paytable {
  PaytableId id;
  std::vector<LevelRule> levels;
  std::optional<Rate> reserve_rate;  // fixed by the text; else the house may state one
  std::vector<Line> lines;           // in order: the first that matches pays
  std::vector<EnvyLine> envy;
  std::string section;
  friend bool operator==(const Paytable&, const Paytable&) = default;

  [[nodiscard]] const Line* line_for(CategorySet hand) const;
  [[nodiscard]] const EnvyLine* envy_for(const LineId& line) const;
};

enum class Placement : std::uint8_t { chip, electronic, pot };

// Whose hand decides a wager, and so when it is settled.
enum class DecidedBy : std::uint8_t {
  player_hand,  // settled as each seat is shown, highest seat first (M6)
  dealer_hand,  // settled by the one show that carries the dealer, for all its bettors together
  pot,          // Poker Bad Beat: settled with the pot
};

// How winners of one 100% award share it (M7).
enum class Sharing : std::uint8_t {
  by_turn,  // not shared: each winner in turn meets the meter as it then stands
  equal,    // equal shares (Hit and Run, § 633a.7(o)(2)(ii)(C))
  split,    // the link's split table (Poker Bad Beat)
};

enum class PaymentSource : std::uint8_t { table_inventory, game_account, hand_pay };

struct WagerRules {
  WagerId id;
  GameId game;
  std::string title;
  std::string section;
  HandKind hand = HandKind::five_card;
  Placement placement = Placement::chip;
  DecidedBy decided_by = DecidedBy::player_hand;
  Sharing sharing = Sharing::by_turn;
  bool fold_forfeits = false;           // a folded hand loses this wager (envy is kept)
  bool folded_hand_gives_envy = false;  // a folded bettor's hand still brings envy to the others
  // A fixed award of at least this "for 1" needs a person (0: every award). Meter awards always do.
  std::int64_t verified_from = 0;
  std::vector<PaymentSource> meter_award_not_from;
  bool may_be_linked = false;       // § 605a.8 named by the chapter, or a pot-funded room
  std::string linked_section;       // what allows or does not mention it
  std::vector<Paytable> paytables;  // a chapter with one table names it ""
  friend bool operator==(const WagerRules&, const WagerRules&) = default;

  [[nodiscard]] const Paytable* find_paytable(const PaytableId& id) const;
};

// How the cards of a game come to the table; the dealing simulator and the card checks follow it.
enum class Dealing : std::uint8_t { stud, blackjack, holdem };

struct GameRules {
  GameId id;
  std::string title;
  std::string chapter;    // "669a"
  std::string source;     // "46 Pa.B. 5540"
  std::string effective;  // "2016-08-27"
  std::string status;     // final, proposed, temporary
  Dealing dealing = Dealing::stud;
  std::uint8_t seats_max = 6;
  std::string seats_section;
  int decks_default = 1;
  bool decks_vary = false;  // [[table]] decks may be given
  std::size_t player_cards_min = 0;
  std::size_t player_cards_max = 0;
  std::size_t dealer_cards_min = 0;
  std::size_t dealer_cards_max = 0;
  std::size_t board_cards_max = 0;
  std::vector<WagerRules> wagers;
  friend bool operator==(const GameRules&, const GameRules&) = default;
};

struct Catalogue {
  std::vector<GameRules> games;
  [[nodiscard]] const GameRules* find_game(const GameId& id) const;
  [[nodiscard]] const WagerRules* find_wager(const WagerId& id) const;
};

}  // namespace linkmeter
