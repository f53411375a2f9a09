// Chapter: the rules of one game as data, read from config/catalogue/*.toml. Code knows hand kinds
// and ways of settling; which game uses which, and every figure, stands in the catalogue.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/game/hand.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/rate.h"

namespace linkmeter {

// What a line, an envy or a share pays.
struct Pays {
  enum class Kind : std::uint8_t {
    meter,    // a share of a level's meter: 100% (M4) or p% (M5)
    for_one,  // multiple x wager, the stake is kept by the house
    to_one,   // multiple x wager, the stake goes back to the player
  };
  Kind kind = Kind::for_one;
  LevelIndex level;           // kind meter: which level of the paytable
  Rate share;                 // kind meter
  std::int64_t multiple = 0;  // kind for_one, to_one
  friend bool operator==(const Pays&, const Pays&) = default;
};

// What a chapter lets the house choose in its Rules Submission: a key of a [[link]], true or false.
// Code knows what each means; a chapter says which of its wagers has it and what holds unless the
// house says otherwise. README.md of config/catalogue lists them for people.
enum class Option : std::uint8_t {
  any_20,                   // the line "player_20" is offered
  magic_card,               // the Magic Card Bonus is offered
  lucky_bonus,              // the Lucky (Player) Bonus is offered
  payout_limit_caps_meter,  // the payout limit caps awards of a meter too
  fold_forfeits,            // a folded hand loses the wager
  folded_hand_gives_envy,   // a folded bettor's hand still brings envy to the others
  envy_of_non_bettors,      // the hand of a seat without the wager brings envy too
};

struct OptionRule {
  Option option = Option::any_20;
  bool standard = false;  // what holds if the house does not say
  std::string section;
  friend bool operator==(const OptionRule&, const OptionRule&) = default;
};

struct Line {
  LineId id;
  HandCategory category = HandCategory::high_card;
  Pays pays;
  std::string section;           // "§ 657a.12(e)"
  std::optional<Option> option;  // set: the line is there only if the house chose it
  friend bool operator==(const Line&, const Line&) = default;
};

// A fixed award on top of whatever the line pays, by a random draw of the table game system.
struct Bonus {
  enum class Kind : std::uint8_t {
    magic_card,   // a card of the hand is the drawn card, rank and suit; one match counts once
    lucky_bonus,  // the drawn position is the seat's; for a bet on the dealer's hand, the dealer's
  };
  Kind kind = Kind::magic_card;
  std::int64_t multiple = 0;    // "for 1"
  std::size_t first_cards = 0;  // magic_card: of the first so many cards; 0: of all
  std::string section;
  friend bool operator==(const Bonus&, const Bonus&) = default;
};

// What an envy hand brings to a receiver with this wager.
struct EnvyStep {
  Amount wager;
  Amount amount;         // fixed, not scaled by the wager
  bool or_more = false;  // for larger wagers too ("at least $5"); else for exactly this one
  [[nodiscard]] bool covers(Amount receivers_wager) const {
    return or_more ? receivers_wager >= wager : receivers_wager == wager;
  }
  friend bool operator==(const EnvyStep&, const EnvyStep&) = default;
};

// What every other eligible player at the table gets when somebody holds the line's hand, by the
// receiver's own wager. A wager that no step covers has no envy.
struct EnvyLine {
  LineId line;
  std::vector<EnvyStep> by_wager;
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
  std::vector<Bonus> bonuses;
  friend bool operator==(const Paytable&, const Paytable&) = default;

  [[nodiscard]] const Line* line_for(CategorySet hand) const;
  [[nodiscard]] const EnvyLine* envy_for(const LineId& line) const;
};

enum class Placement : std::uint8_t {
  chip,        // on the progressive sensor: part of the dealer's chip count
  electronic,  // by an electronic wagering system: no chip
  pot,         // taken from a pot
  layout,      // on the layout, where no sensor counts it
};

// Whose hand decides a wager, and so when it is settled.
enum class DecidedBy : std::uint8_t {
  player_hand,  // settled as each seat is shown, highest seat first (M6)
  dealer_hand,  // settled by the one show that carries the dealer, for all its bettors together
  pot,          // Poker Bad Beat: settled with the pot
  both_hands,   // the seat's hand against the dealer's: settled by the one show that carries the
                // dealer, for the seats that it names
  either_hand,  // the seat bets on its own hand, on the dealer's, or on both (Hand Bonus)
};

// How winners of one 100% award share it (M7).
enum class Sharing : std::uint8_t {
  by_turn,       // not shared: each winner in turn meets the meter as it then stands
  equal,         // equal shares (Hit and Run, § 633a.7(o)(2)(ii)(C))
  split,         // the link's split table (Poker Bad Beat)
  proportional,  // to the wagers (Blackjack Bad Beat, § 633a.7(o)(1)(ii)(C))
};

enum class PaymentSource : std::uint8_t { table_inventory, game_account, hand_pay };
inline constexpr std::array payment_sources = {
    PaymentSource::table_inventory, PaymentSource::game_account, PaymentSource::hand_pay};
std::string_view name(PaymentSource source);
std::optional<PaymentSource> parse_payment_source(std::string_view text);

// May an award be paid from there? A game account belongs to an electronic wagering system
// (§ 657a.2(c)): only a wager that was placed from one is paid to one. `barred`: the chapter's
// sources that may not pay an award of a meter.
[[nodiscard]] bool may_be_paid_from(PaymentSource source, Placement placement, bool off_meter,
                                    const std::vector<PaymentSource>& barred);

// The least person who may validate an award that needs one; anybody above may too.
enum class Verifier : std::uint8_t { floorperson, poker_shift_supervisor };

// Whose cards stay on the table until the documentation of an award is complete, where the award is
// not paid from the table inventory.
enum class CardsStay : std::uint8_t { nobodys, winners, winners_and_dealers };

// A house may cap what one seat is paid in one round; never below this. Envy is never capped.
struct PayoutLimitRule {
  Amount at_least;
  std::string section;
  friend bool operator==(const PayoutLimitRule&, const PayoutLimitRule&) = default;
};

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
  // A fixed award of at least this "for 1" needs a person (0: every award; nullopt: none). Meter
  // awards always do.
  std::optional<std::int64_t> verified_from;
  std::vector<PaymentSource> meter_award_not_from;
  bool may_be_linked = false;       // § 605a.8 named by the chapter, or a pot-funded room
  std::string linked_section;       // what allows or does not mention it
  std::vector<Paytable> paytables;  // a chapter with one table names it ""
  // either_hand: how those who bet on the dealer's hand share a meter award, whatever its
  // percentage.
  Sharing dealer_sharing = Sharing::equal;
  bool envy_of_non_bettors = true;  // the hand brings envy, whether or not its holder bet
  Verifier verified_by = Verifier::floorperson;
  CardsStay cards_stay = CardsStay::nobodys;
  std::vector<OptionRule> options;
  std::optional<PayoutLimitRule> payout_limit;
  // Its place in the chapter's order of settlement, from 0: the order in which one hand's wagers
  // are settled, and in which they use up a payout limit.
  std::size_t settled_at = 0;
  friend bool operator==(const WagerRules&, const WagerRules&) = default;

  [[nodiscard]] const OptionRule* find_option(Option option) const;
  [[nodiscard]] const Paytable* find_paytable(const PaytableId& id) const;
  // May a claim on this wager be paid from there? `off_meter`: the award came off a meter.
  [[nodiscard]] bool pays_from(PaymentSource source, bool off_meter) const;
};

// How the cards of a game come to the table; the dealing simulator and the card checks follow it.
enum class Dealing : std::uint8_t { stud, blackjack, holdem };

std::string_view name(Option option);
std::optional<Option> parse_option(std::string_view text);
std::string_view name(Bonus::Kind kind);
std::string_view name(Placement placement);
std::string_view name(DecidedBy decided_by);
// Does a player's own hand alone decide it, but for what lies on the dealer's?
bool is_own_hands(const WagerRules& wager);
std::string_view name(Sharing sharing);
std::string_view name(Dealing dealing);
std::string_view name(Verifier verifier);
std::string_view name(CardsStay cards_stay);

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
  bool decks_vary = false;           // [[table]] decks may be given
  bool joker = false;                // one joker with each deck
  bool folds = true;                 // a player may give up his hand during the round
  std::string cards_section;         // how many decks, what joker, how many cards
  std::size_t player_cards_min = 0;  // 0: a hand may be sent without cards
  std::size_t player_cards_max = 0;
  std::size_t dealer_cards_min = 0;
  std::size_t dealer_cards_max = 0;
  std::size_t board_cards_max = 0;
  std::vector<WagerRules> wagers;
  friend bool operator==(const GameRules&, const GameRules&) = default;

  // The fewest cards that a player's hand has where any of its cards are sent: where a hand may be
  // sent without cards, as many as the dealer's, for both are dealt alike. So a Blackjack hand that
  // was cut short is refused, and not recorded as the seat's one hand.
  [[nodiscard]] std::size_t hand_cards_min() const {
    return player_cards_min > 0 ? player_cards_min : dealer_cards_min;
  }
  // Is it a whole hand, as far as its number of cards says?
  [[nodiscard]] bool is_hand_count(std::size_t count) const {
    return count >= hand_cards_min() && count <= player_cards_max;
  }
};

struct Catalogue {
  std::vector<GameRules> games;
  [[nodiscard]] const GameRules* find_game(const GameId& id) const;
  [[nodiscard]] const WagerRules* find_wager(const WagerId& id) const;
};

}  // namespace linkmeter
