// YearFault: every kind of fault that is planted in a year, by the name under which it is counted,
// and where a day's report must show it.
#pragma once

#include <array>
#include <cstdint>

namespace linkmeter {

enum class YearFault : std::uint8_t {
  lost_wager,        // items: counters/TABLE/LINK
  counters_missing,  // counters_missing/TABLE
  late_round,        // late/LINK/TABLE
  wrong_box,         // box/LINK/TABLE
  box_missing,       // box_missing/LINK/TABLE
  wrong_fund,        // fund/LINK
  claim_waits,       // claim/N
  sign_lies,         // sign/LINK/LEVEL
  sign_seen,         // sign/LINK/LEVEL/ENTRY
  self_suspension,   // suspended/LINK/ENTRY
  clock_set,         // clock/ENTRY
  correction,        // events: correction
  transfer,          // events: transfer
  rejected_claim,    // events: rejected
  cage_short,        // cage/LINK
  cage_missing,      // cage_missing/LINK
  display_missing,   // display_missing/LINK
  backup_restored,   // restored/ENTRY
};
inline constexpr std::array fault_names{
    "lost_wager",   "counters_missing", "late_round",     "wrong_box",      "box_missing",
    "wrong_fund",   "claim_waits",      "sign_lies",      "sign_seen",      "self_suspension",
    "clock_set",    "correction",       "transfer",       "rejected_claim", "cage_short",
    "cage_missing", "display_missing",  "backup_restored"};

}  // namespace linkmeter
