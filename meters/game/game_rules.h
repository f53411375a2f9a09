// GameRules: the rules of one game as data (a "chapter"), read from config/catalogue/*.toml. The
// code defines hand kinds and ways to settle; the catalogue states which game uses which of them,
// and every figure.
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

// What a line, an Envy or a share pays.
struct Pays {
  enum class Kind : std::uint8_t {
    meter,    // a share of a level's meter: 100% (M4) or a percentage (M5)
    for_one,  // multiple x wager; the house keeps the stake
    to_one,   // multiple x wager; the player gets the stake back
  };
  Kind kind = Kind::for_one;
  LevelIndex level;           // kind meter: the level of the paytable
  Rate share;                 // kind meter
  std::int64_t multiple = 0;  // kind for_one, to_one
  friend bool operator==(const Pays&, const Pays&) = default;
};

// A choice that a chapter leaves to the house in its Rules Submission: a key of a [[link]], true or
// false. The code defines what each option does; a chapter lists the wagers that have it, with its
// default value. config/catalogue/README.md describes the options.
enum class Option : std::uint8_t {
  any_20,                   // the line "player_20" is offered
  magic_card,               // the house offers the Magic Card Bonus
  lucky_bonus,              // the house offers the Lucky (Player) Bonus
  payout_limit_caps_meter,  // the payout limit also limits awards of a meter
  fold_forfeits,            // a folded hand loses the wager
  folded_hand_gives_envy,   // a folded bettor's hand still gives Envy to the others
  envy_of_non_bettors,      // the hand of a seat without the wager gives Envy too
};

struct OptionRule {
  Option option = Option::any_20;
  bool standard = false;  // the value if the house does not choose
  std::string section;
  friend bool operator==(const OptionRule&, const OptionRule&) = default;
};

struct Line {
  LineId id;
  HandCategory category = HandCategory::high_card;
  Pays pays;
  std::string section;           // "§ 657a.12(e)"
  std::optional<Option> option;  // set: the line applies only if the house chose this option
  friend bool operator==(const Line&, const Line&) = default;
};

// A fixed award by a random draw of the table game system, in addition to what the line pays.
struct Bonus {
  enum class Kind : std::uint8_t {
    magic_card,   // a card of the hand is the drawn card (rank and suit); counts once
    lucky_bonus,  // the drawn position is the seat's, or the dealer's if the bet is on that hand
  };
  Kind kind = Kind::magic_card;
  std::int64_t multiple = 0;    // "for 1"
  std::size_t first_cards = 0;  // magic_card: only the first cards of the hand; 0: all cards
  std::string section;
  friend bool operator==(const Bonus&, const Bonus&) = default;
};

// The Envy that a receiver with this wager gets.
struct EnvyStep {
  Amount wager;
  Amount amount;         // a fixed amount, independent of the wager
  bool or_more = false;  // also for larger wagers ("at least $5"); else only for exactly this wager
  [[nodiscard]] bool covers(Amount receivers_wager) const {
    return or_more ? receivers_wager >= wager : receivers_wager == wager;
  }
  friend bool operator==(const EnvyStep&, const EnvyStep&) = default;
};

// The amount that every other eligible player at the table gets when a seat has this line's hand,
// by the receiver's own wager. A wager without a step gets no Envy.
struct EnvyLine {
  LineId line;
  std::vector<EnvyStep> by_wager;
  std::string section;
  friend bool operator==(const EnvyLine&, const EnvyLine&) = default;
};

// The chapter's figures for a level: the house must state at least such a figure, or takes it as it
// is.
struct LevelRule {
  LevelId id;
  std::optional<std::int64_t> seed_for_one;      // seed (and reseed) = this x the wager unit
  std::optional<std::int64_t> reseed_for_one;    // if the text states another figure for the reseed
  std::optional<Amount> seed_min;                // the house states seed and reseed, at least this
  std::optional<std::int64_t> seed_for_one_min;  // and at least this x the wager unit
  std::optional<Rate> rate;                      // the text fixes the rate
  std::optional<Rate> rate_min;                  // the house states the rate, at least this
  std::string section;
  friend bool operator==(const LevelRule&, const LevelRule&) = default;
};

struct Paytable {
  PaytableId id;
  std::vector<LevelRule> levels;
  std::optional<Rate> reserve_rate;  // the text fixes it; else the house may state one
  std::vector<Line> lines;           // in order: the first matching line pays
  std::vector<EnvyLine> envy;
  std::string section;
  std::vector<Bonus> bonuses;
  friend bool operator==(const Paytable&, const Paytable&) = default;

  [[nodiscard]] const Line* line_for(CategorySet hand) const;
  [[nodiscard]] const EnvyLine* envy_for(const LineId& line) const;
};

enum class Placement : std::uint8_t {
  chip,        // counted by the progressive sensor: part of the dealer's chip count
  electronic,  // placed with an electronic wagering system: no chip
  pot,         // taken from a pot
  layout,      // on the layout, not counted by a sensor
};

// The hand that decides a wager, and therefore when the wager is settled.
enum class DecidedBy : std::uint8_t {
  player_hand,  // settled when each seat is shown, highest seat first (M6)
  dealer_hand,  // settled for all its bettors together, by the one show of the dealer's hand
  pot,          // Poker Bad Beat: settled with the pot
  both_hands,   // the seat's hand against the dealer's: settled by the one show that has the
                // dealer's hand, for the seats in that show
  either_hand,  // the seat bets on its own hand, on the dealer's, or on both (Hand Bonus)
};

// How the winners of one 100% award share it (M7).
enum class Sharing : std::uint8_t {
  by_turn,       // not shared: each winner in turn wins from the meter as it then stands
  equal,         // equal shares (Hit and Run, § 633a.7(o)(2)(ii)(C))
  split,         // the link's split table (Poker Bad Beat)
  proportional,  // to the wagers (Blackjack Bad Beat, § 633a.7(o)(1)(ii)(C))
};

enum class PaymentSource : std::uint8_t { table_inventory, game_account, hand_pay };
inline constexpr std::array payment_sources = {
    PaymentSource::table_inventory, PaymentSource::game_account, PaymentSource::hand_pay};
std::string_view name(PaymentSource source);
std::optional<PaymentSource> parse_payment_source(std::string_view text);

// Whether an award may be paid from this source. A game account belongs to an electronic wagering
// system (§ 657a.2(c)): an award is paid to one only if its wager was placed from one. `barred`:
// the sources that the chapter forbids for an award of a meter.
[[nodiscard]] bool may_be_paid_from(PaymentSource source, Placement placement, bool off_meter,
                                    const std::vector<PaymentSource>& barred);

// The lowest role that may validate an award that needs validation; higher roles may too.
enum class Verifier : std::uint8_t { floorperson, poker_shift_supervisor };

// Whose cards stay on the table until an award is fully documented, if the award is not paid from
// the table inventory.
enum class CardsStay : std::uint8_t { nobodys, winners, winners_and_dealers };

// The house may limit what one seat is paid in one round, to no less than this. Envy is never
// limited.
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
  bool fold_forfeits = false;           // a folded hand loses this wager, but still gets Envy
  bool folded_hand_gives_envy = false;  // a folded bettor's hand still gives Envy to the others
  // A fixed award of at least this "for 1" must be validated (0: every award; nullopt: none).
  // Awards of a meter always must.
  std::optional<std::int64_t> verified_from;
  std::vector<PaymentSource> meter_award_not_from;
  bool may_be_linked = false;       // the chapter names § 605a.8, or it is a pot-funded room
  std::string linked_section;       // the section that allows linking, or that does not mention it
  std::vector<Paytable> paytables;  // the id is "" if the chapter has only one
  // either_hand: how bettors on the dealer's hand share an award of a meter of any percentage.
  Sharing dealer_sharing = Sharing::equal;
  bool envy_of_non_bettors = true;  // the hand gives Envy whether or not its holder bet
  Verifier verified_by = Verifier::floorperson;
  CardsStay cards_stay = CardsStay::nobodys;
  std::vector<OptionRule> options;
  std::optional<PayoutLimitRule> payout_limit;
  // Position in the chapter's order of settlement, from 0. One hand's wagers are settled, and use
  // up a payout limit, in this order.
  std::size_t settled_at = 0;
  friend bool operator==(const WagerRules&, const WagerRules&) = default;

  [[nodiscard]] const OptionRule* find_option(Option option) const;
  [[nodiscard]] const Paytable* find_paytable(const PaytableId& id) const;
  // Whether a claim on this wager may be paid from this source. `off_meter`: an award of a meter.
  [[nodiscard]] bool pays_from(PaymentSource source, bool off_meter) const;
};

// How the cards of a game are dealt; used by the dealing simulator and the card checks.
enum class Dealing : std::uint8_t { stud, blackjack, holdem };

std::string_view name(Option option);
std::optional<Option> parse_option(std::string_view text);
std::string_view name(Bonus::Kind kind);
std::string_view name(Placement placement);
std::string_view name(DecidedBy decided_by);
// Whether the player's own hand alone decides the wager, except for bets on the dealer's hand.
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
  bool decks_vary = false;           // a [[table]] may state its decks
  bool joker = false;                // one joker with each deck
  bool folds = true;                 // a player may fold during the round
  std::string cards_section;         // the section on decks, jokers and numbers of cards
  std::size_t player_cards_min = 0;  // 0: a hand may be sent without cards
  std::size_t player_cards_max = 0;
  std::size_t dealer_cards_min = 0;
  std::size_t dealer_cards_max = 0;
  std::size_t board_cards_max = 0;
  std::vector<WagerRules> wagers;
  friend bool operator==(const GameRules&, const GameRules&) = default;

  // The minimum number of cards of a player's hand, if its cards are sent at all. If a hand may be
  // sent without cards, the minimum is that of the dealer, because both are dealt alike. So an
  // incomplete Blackjack hand is refused instead of being recorded as the seat's only hand.
  [[nodiscard]] std::size_t hand_cards_min() const {
    return player_cards_min > 0 ? player_cards_min : dealer_cards_min;
  }
  // Whether this is a valid number of cards for a complete hand.
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
