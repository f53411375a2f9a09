// Naive rules: the paytables, written a second time from the sections of the chapters and not read
// from the catalogue, so that a wrong figure there causes a difference. The house's choices are
// read from the text of its floor file (NaiveChoices); alterations of a chapter by a trial from its
// notes (naive_chapter.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace linkmeter {

struct NaiveLine {
  std::string line;
  std::string level;         // "": a fixed award
  std::int64_t percent = 0;  // of the level's meter
  std::int64_t times = 0;    // a fixed award: times the wager ("for 1", or the winnings "to 1")
  bool to_one = false;       // which of them
  friend bool operator==(const NaiveLine&, const NaiveLine&) = default;
};

// In dollars, by the receiver's wager.
struct NaiveEnvy {
  std::string line;
  std::int64_t one_dollar = 0;    // a wager of $1
  std::int64_t five_dollars = 0;  // a wager of $5
  bool five_or_more = false;      // a wager of $5 or more
  friend bool operator==(const NaiveEnvy&, const NaiveEnvy&) = default;
};

// In addition to the line, by a draw of the table.
struct NaiveBonus {
  bool is_magic = false;  // otherwise the Lucky one
  std::int64_t times = 0;
  std::size_t first_cards = 99;  // magic: how many of the hand's cards count
  friend bool operator==(const NaiveBonus&, const NaiveBonus&) = default;
};

struct NaiveLevel {
  std::string level;
  std::int64_t seed_for_one = 0;  // 0: the house sets seed, reseed and rate
  std::int64_t reseed_for_one = 0;
  std::int64_t rate_percent = 0;
  friend bool operator==(const NaiveLevel&, const NaiveLevel&) = default;
};

// A house's true/false keys of one link; nullopt: not set.
struct NaiveChoices {
  std::optional<bool> any_20;
  std::optional<bool> magic_card;
  std::optional<bool> lucky_bonus;
  std::optional<bool> payout_limit_caps_meter;
  std::optional<bool> fold_forfeits;
  std::optional<bool> folded_hand_gives_envy;
  std::optional<bool> envy_of_non_bettors;
};
NaiveChoices naive_choices(const std::string& floor_text, const std::string& link);

// Whose hand decides: the seat's own, the dealer's for all its bettors together, the one against
// the other, or the hand that the seat bet on.
enum class NaiveHand : std::uint8_t { own, dealers, against, chosen };

struct NaiveRules {
  std::vector<NaiveLine> lines;  // the first that fits pays
  std::vector<NaiveEnvy> envy;
  std::vector<NaiveBonus> bonuses;
  std::vector<NaiveLevel> levels;
  // Fixed awards of at least this amount; nullopt: none.
  std::optional<std::int64_t> claim_from = 0;
  NaiveHand hand = NaiveHand::own;
  bool by_chip = false;  // the dealer counts it
  // An award that is paid at once is credited to the player's game account.
  bool to_account = false;
  bool by_weight = false;      // several winners share a meter by their wagers, otherwise equally
  bool fold_forfeits = false;  // envy is kept
  bool folded_bettor_gives_envy = false;
  bool non_bettor_gives_envy = true;
  bool limit_caps_meter = false;
  // For an award from a meter.
  bool table_inventory_barred = true;
  bool game_account_barred = false;
  bool needs_reserve_of_house = false;  // the house sets the reserve's rate, not the regulation
  std::int64_t reserve_percent = 0;     // otherwise
  friend bool operator==(const NaiveRules&, const NaiveRules&) = default;
};

NaiveRules naive_rules(const std::string& wager, const std::string& paytable,
                       const NaiveChoices& choices, const std::vector<std::string>& chapters = {});

}  // namespace linkmeter
