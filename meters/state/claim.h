// Claim: an award that a person must validate before it is paid. States: raised -> validated ->
// paid, or rejected. The amount is fixed when the hand is settled and set aside when the claim is
// raised; later events do not change it. If the house's signature ladder requires it, a validated
// claim is countersigned before it is paid. A claim is paid on a slip.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/facts/operator_command.h"
#include "meters/game/game_rules.h"
#include "meters/state/round.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The numbers are stored in the journal and never change.
enum class ClaimState : std::uint8_t { raised = 1, validated = 2, rejected = 3, paid = 4 };

struct Claim {
  ClaimNumber number;
  EntryNumber entry;  // the entry that raised it
  LinkIndex link;
  TableIndex table;
  RoundId round;
  Seat seat;
  LineId line;
  std::optional<LevelIndex> level;  // set: the money came off this level's meter
  Amount amount;
  ClaimState state = ClaimState::raised;
  Timestamp sent_at;    // the agent's clock, when the hand was shown
  Timestamp raised_at;  // the controller's clock
  Timestamp validated_at;
  Badge validated_by;
  Timestamp paid_at;
  Badge paid_by;
  std::optional<PaymentSource> source;
  bool on_dealer = false;  // Hand Bonus: the dealer's hand won it
  // For an award of a meter: the number of its hit on the level, counted from 1, and what the hit
  // moved (M11). Winners of one hit share it.
  std::uint64_t hit = 0;
  bool whole_meter = false;
  Amount reseeded;
  Amount from_reserve;
  Amount meter_before;  // the meter before the hit (L7); 0 in old entries, which do not record it
  Timestamp rejected_at;
  Badge rejected_by;
  std::optional<RejectReason> reject_reason;
  std::string reject_note;
  Timestamp countersigned_at;
  Badge countersigned_by;
  std::vector<SlipNumber> slips;  // in the order they were issued; only the last may be open
  Amount wager;                   // the winning wager; 0: no wager, or a pot
  LineId keyed;                   // the line that the dealer keyed for the hand; "": none, or it is
                                  // the line of another award of the hand
  bool count_differed = false;    // its round was blocked by a wrong chip count, then resolved
  std::optional<Amount> uncut;    // the amount before a payout limit reduced it
  // The person who corrected what the award was won by, or withdrew the seat's hand before it was
  // shown again. That person may neither validate nor countersign the claim. "": only the table
  // reported it.
  Badge corrected_by;
  std::optional<Seat> holder;  // Envy: the seat that holds the hand
  std::vector<Award> envy;     // owed for the hand until this claim is validated
  bool envy_paid = false;      // `envy` was paid: with the validation, or with a rejection that
                               // does not concern the hand
  Amount overflowed;           // award of a meter: what the level had diverted to the reserve by
                               // then (M9)
  bool deferred = false;       // the hit is rejected but not undone: a later hit stood (M11)
  friend bool operator==(const Claim&, const Claim&) = default;
};

std::string_view name(ClaimState state);

// Whether both claims share one hit of a meter.
inline bool is_same_hit(const Claim& one, const Claim& other) {
  return one.entry == other.entry && one.link == other.link && one.level == other.level &&
         one.hit == other.hit;
}

// raised_claim(): builds the Claim for an award, from the entry and the round. The round is needed
// because the table's message does not state the seat's wager.

// `round`: nullptr for a pot. `hits`: the number on its level of each of the entry's hits.
// REQUIRES: the award belongs to the entry, has a claim, and came from a table or a corrected hand.
Claim raised_claim(const Entry& entry, const Award& award, const Round* round,
                   std::span<const std::uint64_t> hits);

// Whether the keyed line belongs to another award of the same hand. The dealer keys one line for a
// hand, but each of its wagers has its own lines. `awards` are the entry's.
bool is_keyed_for_another(const Claim& claim, const std::vector<Award>& awards);

}  // namespace linkmeter
