// Recovery: the way out for a house that nobody can sign in to. `init` makes three recovery codes
// of 128 bits, which are printed once and kept sealed in three places; two of them give a manager a
// new PIN.
//
// Laws: the journal and the state hold the SHA-256 of each code, never a code. A code is used once.
// A recovery suspends every link, and the manager changes the PIN before anything else. Wrong codes
// are entries, and each one makes the next try wait: a minute, then twice as long, an hour at most.
// A try that comes too soon is refused and is no entry. Two managers make new codes, and older ones
// are void then: each of the two makes three, and a recovery needs two of each. So neither of them
// can recover anybody alone. One set of codes recovers one person.
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
  // None: none were made. Three of one maker (init), or three of each of two.
  std::vector<RecoveryCode> codes;
  std::uint32_t failures = 0;  // wrong tries since the last good one
  Timestamp wait_until = {};   // no try is looked at before
  friend bool operator==(const Recovery&, const Recovery&) = default;
};

// A recovery, as the edge read it.
struct RecoveryTry {
  Badge badge;                      // of whom
  std::string pin;                  // the new one, as the edge made it
  std::vector<Digest> codes;        // of the codes that were given
  Refusal new_pin = Refusal::none;  // what the edge found wrong with the new PIN
};

// Codes as one person makes them: limits::recovery_codes_made different ones.
[[nodiscard]] bool are_new_codes(const std::vector<Digest>& codes);
// Codes as two managers make them: those of the one who proposes, then those of the other. Journals
// from before that have those of the first one alone.
[[nodiscard]] bool are_confirmed_codes(const std::vector<Digest>& codes);
// How many codes a recovery needs: limits::recovery_codes_needed of each who made them.
[[nodiscard]] std::size_t codes_needed(const Recovery& recovery);
// Are these places, counted from 1 and in order, as many codes of each maker as a recovery needs?
[[nodiscard]] bool are_enough(const Recovery& recovery, const std::vector<std::uint32_t>& places);
// The places, counted from 1, of enough different codes that are not used; empty: these are not
// that.
[[nodiscard]] std::vector<std::uint32_t> valid_codes(const Recovery& recovery,
                                                     const std::vector<Digest>& codes);
[[nodiscard]] bool may_recover(const Recovery& recovery);

}  // namespace linkmeter
