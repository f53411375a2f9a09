// Recovery: restores access when nobody in the house can sign in. `init` creates three recovery
// codes of 128 bits, which are printed once and kept sealed in three places. Two of them give a
// manager a new PIN.
//
// Laws: the journal and the state hold only the SHA-256 of each code. A code is used once. A
// recovery suspends every link, and the manager must change the PIN before doing anything else.
// Each wrong try is an entry and delays the next try: by a minute, then twice as long each time, an
// hour at most. A try that comes too early is refused without an entry. Two managers together
// create new codes, which void all older ones: each creates three, and a recovery needs two of
// each, so neither manager can recover anybody alone. One set of codes recovers one person.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "meters/values/identity.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct RecoveryCode {
  Digest digest{};  // SHA-256
  bool is_used = false;
  friend bool operator==(const RecoveryCode&, const RecoveryCode&) = default;
};

struct Recovery {
  // Empty: no codes exist. Three of one maker (init), or three of each of two makers.
  std::vector<RecoveryCode> codes;
  std::uint32_t failures = 0;  // wrong tries since the last correct one
  Timestamp wait_until = {};   // tries before this moment are refused
  friend bool operator==(const Recovery&, const Recovery&) = default;
};

// A recovery request, as the controller read it.
struct RecoveryTry {
  Badge badge;                      // the person to recover
  std::string pin;                  // the new PIN, already hashed
  std::vector<Digest> codes;        // digests of the codes entered
  Refusal new_pin = Refusal::none;  // why the new PIN is not acceptable
};

// Whether these are the codes of one maker: limits::recovery_codes_made different digests.
[[nodiscard]] bool are_new_codes(const std::vector<Digest>& codes);
// Whether these are the codes of two managers: the proposer's, then the confirmer's. Older journals
// hold the proposer's codes only.
[[nodiscard]] bool are_confirmed_codes(const std::vector<Digest>& codes);
// The number of codes that a recovery needs: limits::recovery_codes_needed of each maker.
[[nodiscard]] std::size_t codes_needed(const Recovery& recovery);
// Whether these places, counted from 1 and in order, have as many codes of each maker as a recovery
// needs.
[[nodiscard]] bool are_enough(const Recovery& recovery, const std::vector<std::uint32_t>& places);
// The places, counted from 1, of enough different unused codes; empty if `codes` does not contain
// enough.
[[nodiscard]] std::vector<std::uint32_t> valid_codes(const Recovery& recovery,
                                                     const std::vector<Digest>& codes);
[[nodiscard]] bool may_recover(const Recovery& recovery);

}  // namespace linkmeter
