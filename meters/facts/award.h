// Award: what a line, an envy or a share pays to one seat, fixed in turn at the moment of its
// entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"

namespace linkmeter {

// Numbers are in the journal: for ever.
enum class AwardKind : std::uint8_t {
  line = 1,         // a paytable line, or a share of one
  envy = 2,         // another seat's hand
  magic_card = 3,   // Magic Card Bonus
  lucky_bonus = 4,  // Lucky Bonus, Lucky Player Bonus
};

struct Award {
  AwardKind kind = AwardKind::line;
  LinkIndex link;
  Seat seat;                   // who is paid
  std::optional<Seat> holder;  // envy: whose hand it was
  LineId line;
  std::optional<LevelIndex> level;   // set: the money came off this level's meter
  bool whole_meter = false;          // a 100% award, or a share of one
  Amount amount;                     // whole cents; $0.00 is possible (a meter at zero)
  std::optional<ClaimNumber> claim;  // set: a person must validate it; else paid at once
  bool on_dealer = false;            // Hand Bonus: won by the dealer's hand
  std::uint32_t call = 0;            // off a meter: which of the entry's calls, from 1
  std::optional<Amount> uncut = {};  // what it came to before a payout limit cut it
  // Paid at once, or owed: from where (§ 605a.7(a)(2), (3)). Nothing: it has a claim, or it is of
  // an old entry.
  std::optional<PaymentSource> source = {};
  // Envy for a hand whose line raised a claim: owed, not paid, until that claim is validated.
  std::optional<ClaimNumber> waits_for = {};
  friend bool operator==(const Award&, const Award&) = default;

  [[nodiscard]] bool is_paid_at_once() const { return !claim && !waits_for; }
};

// One call on a level's meter: counts a hit once, however many seats share it.
struct JackpotHit {
  LinkIndex link;
  LevelIndex level;
  bool whole = false;        // 100% (a hit), else p% (a partial hit)
  Amount amount;             // what left the meter
  Amount reseeded = {};      // what the house put back
  Amount from_reserve = {};  // what the reserve put back
  Amount stood = {};         // what the meter showed and kept before it (L7); 0 in old entries
  friend bool operator==(const JackpotHit&, const JackpotHit&) = default;
};

std::string_view name(AwardKind kind);

}  // namespace linkmeter
