// Slip: the numbered document that a claim is paid on. Numbers run 1, 2, 3, ... over the house
// without gaps. A slip is never deleted: it is open, paid or void.
//
// Laws: at most one slip of a claim is not void. Only a validated claim with every signature that
// the ladder requires has an open slip. A claim with an open slip is not rejected. A slip is paid
// once, with its claim. Its content is fixed when it is issued.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/operator_command.h"
#include "meters/floor/payment_policy.h"
#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The numbers are stored in the state tables, so they are stable within one state version.
enum class SlipState : std::uint8_t { issued = 1, voided = 2, paid = 3 };

struct Slip {
  SlipNumber number;
  EntryNumber entry;  // the entry that issued it
  ClaimNumber claim;
  PaymentSource source = PaymentSource::hand_pay;
  Amount amount;
  Amount wager;  // 0: won without a wager
  bool taxable = false;
  std::optional<TaxThreshold> threshold = {};  // the threshold that applied
  SlipState state = SlipState::issued;
  Timestamp issued_at = {};
  Badge issued_by = {};
  Timestamp voided_at = {};
  Badge voided_by = {};
  std::optional<VoidReason> void_reason = {};
  std::string void_note = {};
  Timestamp paid_at = {};
  Badge paid_by = {};
  std::optional<Digest> stored = {};  // SHA-256 of the stored copy, once it is on disk
  friend bool operator==(const Slip&, const Slip&) = default;
};

// "issued", "void", "paid".
std::string_view name(SlipState state);

}  // namespace linkmeter
