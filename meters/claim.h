// Claim: an award that a person must validate: raised -> validated -> paid. The amount was fixed in
// turn and set aside when the claim was raised; nothing that happens later changes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "meters/amount.h"
#include "meters/chapter.h"
#include "meters/identity.h"
#include "meters/timestamp.h"

namespace linkmeter {

// Numbers are in the journal: for ever. (3, rejected, is reserved.)
enum class ClaimState : std::uint8_t { raised = 1, validated = 2, paid = 4 };

struct Claim {
  ClaimNumber number;
  EntryNumber entry;  // the entry that raised it
  LinkPlace link;
  TablePlace table;
  RoundId round;
  Seat seat;
  LineId line;
  std::optional<LevelPlace> level;  // set: the money is off this level's meter
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
  friend bool operator==(const Claim&, const Claim&) = default;
};

std::string_view name(ClaimState state);
std::string_view name(PaymentSource source);
std::optional<PaymentSource> parse_payment_source(std::string_view text);

}  // namespace linkmeter
