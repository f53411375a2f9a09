// Claim: an award that a person must validate: raised -> validated -> paid, or rejected. The amount
// was fixed in turn and set aside when the claim was raised; nothing that happens later changes it.
// In between, where the house's ladder asks for it, it is countersigned; it is paid on a slip.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "meters/facts/award.h"
#include "meters/facts/operator_command.h"
#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// Numbers are in the journal: for ever.
enum class ClaimState : std::uint8_t { raised = 1, validated = 2, rejected = 3, paid = 4 };

struct Claim {
  ClaimNumber number;
  EntryNumber entry;  // the entry that raised it
  LinkIndex link;
  TableIndex table;
  RoundId round;
  Seat seat;
  LineId line;
  std::optional<LevelIndex> level;  // set: the money is off this level's meter
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
  // Off a meter: the call it is a share of, counted per level from 1, and what that call moved
  // (M11).
  std::uint64_t call = 0;
  bool whole_meter = false;
  Amount reseeded;
  Amount from_reserve;
  Amount stood;  // the meter before that call (L7); 0 also where an old entry does not say
  Timestamp rejected_at;
  Badge rejected_by;
  std::optional<RejectReason> reject_reason;
  std::string reject_note;
  Timestamp countersigned_at;
  Badge countersigned_by;
  std::vector<SlipNumber> slips;  // in the order they were issued; only the last may be open
  Amount wager;                   // that it was won by; 0: no wager, or a pot
  LineId keyed;                   // the line that the dealer keyed for the hand; "": none, or the
                                  // line of another of its awards
  bool count_differed = false;    // its round was blocked by a wrong count, and resolved
  std::optional<Amount> uncut;    // what it came to before a payout limit cut it
  // Who put right what it was won by, or took the seat's hand back before it was shown again: that
  // person neither validates nor countersigns it. "": the table alone said it.
  Badge corrected_by;
  std::optional<Seat> holder;  // of an Envy: the seat whose hand it is for
  std::vector<Award> envy;     // that is owed for the hand until this claim is validated
  bool envy_paid = false;      // it was: with the validation, or with a rejection that left the
                               // hand a good one
  Amount overflowed;           // off a meter: what its level had given to the reserve by then (M9)
  bool deferred = false;       // the call is rejected, and not undone: a later call stood (M11)
  friend bool operator==(const Claim&, const Claim&) = default;
};

std::string_view name(ClaimState state);
std::string_view name(PaymentSource source);
std::optional<PaymentSource> parse_payment_source(std::string_view text);

// Were both won by one call of a meter, which its winners share?
inline bool is_same_call(const Claim& one, const Claim& other) {
  return one.entry == other.entry && one.link == other.link && one.level == other.level &&
         one.call == other.call;
}

}  // namespace linkmeter
