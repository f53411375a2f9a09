// Award: what a line, Envy, a bonus or a share pays to one seat. Its amount is fixed by its entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"

namespace linkmeter {

// The journal holds these numbers: they never change.
enum class AwardKind : std::uint8_t {
  line = 1,         // a paytable line, or a share of one
  envy = 2,         // for another seat's hand
  magic_card = 3,   // Magic Card Bonus
  lucky_bonus = 4,  // Lucky Bonus, Lucky Player Bonus
};

struct Award {
  AwardKind kind = AwardKind::line;
  LinkIndex link;
  Seat seat;                   // the seat that is paid
  std::optional<Seat> holder;  // Envy: the seat with the winning hand
  LineId line;
  std::optional<LevelIndex> level;   // set: it is paid from this level's meter
  bool whole_meter = false;          // a 100% award, or a share of one
  Amount amount;                     // whole cents; $0.00 is possible (a meter at zero)
  std::optional<ClaimNumber> claim;  // set: a person must validate it; else it is paid at once
  bool on_dealer = false;            // Hand Bonus: won by the dealer's hand
  std::uint32_t hit = 0;             // from a meter: the number of the hit in the entry, from 1
  std::optional<Amount> uncut = {};  // the amount before a payout limit reduced it
  // If it is paid at once or owed: the source (§ 605a.7(a)(2), (3)). nullopt: it has a claim, or
  // the entry is old.
  std::optional<PaymentSource> source = {};
  // Envy for a hand that raised a claim is owed, and paid when that claim is validated.
  std::optional<ClaimNumber> waits_for = {};
  friend bool operator==(const Award&, const Award&) = default;

  [[nodiscard]] bool is_paid_at_once() const { return !claim && !waits_for; }
};

// One award from a level's meter. It counts as one hit, even if several seats share it.
struct JackpotHit {
  LinkIndex link;
  LevelIndex level;
  bool whole = false;        // 100% (a hit), else p% (a partial hit)
  Amount amount;             // taken from the meter
  Amount reseeded = {};      // added by the house
  Amount from_reserve = {};  // added from the reserve
  Amount meter_before = {};  // the exact meter before the hit (L7); 0 in old entries
  friend bool operator==(const JackpotHit&, const JackpotHit&) = default;
};

std::string_view name(AwardKind kind);

}  // namespace linkmeter
