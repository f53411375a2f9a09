// Pin: the rules for PINs, and their hashes.
//
// Laws: a new PIN has 6 to 12 digits and is not easily guessed. Older houses have PINs of 4 digits,
// which stay valid. Only a hash is stored: scrypt with a salt of its own. The hash names its
// parameters, so that they can be raised while old hashes stay valid. A comparison takes the same
// time for every wrong PIN. Making or verifying a hash takes some 100 ms and 32 MB on purpose, so
// it never runs inside the turn (PinWorker).
//
// The journal contains PIN hashes, and parts of the journal are handed out as evidence. All PINs of
// six digits can be tried in a day. So the house keys its hashes (pin_key.h): without the key,
// which no entry contains, a hash reveals nothing about its PIN.
#pragma once

#include <string>
#include <string_view>

#include "meters/values/identity.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// Whether this is allowed as a new PIN: pin_malformed; pin_too_simple; none. Too simple are two or
// three digits repeated (121212, 123123), runs (123456), groups of three that are runs or columns
// of a keypad (123321, 111222, 147258), runs there and back (1234321), doubled digits (112233), the
// digits of the badge, and some common choices.
Refusal check_new_pin(std::string_view pin, const Badge& badge);
// Six digits that check_new_pin() accepts for this badge.
std::string random_pin(const Badge& badge);
// 128 bits: "1a2b-3c4d-...", eight groups of four hexadecimal digits. See meters/state/recovery.h.
std::string random_recovery_code();
// SHA-256 of the code, ignoring dashes, spaces and letter case.
Digest recovery_digest(std::string_view code);
// 32 bytes in hexadecimal.
std::string random_pin_key();
// "scrypt-keyed$15$8$1$SALT$HASH": log2 of N, r, p, and 16 and 32 bytes in hexadecimal, of
// HMAC-SHA256(key, PIN). Without a key "scrypt$...", of the PIN itself.
std::string hash_pin(std::string_view pin, std::string_view key = {});
[[nodiscard]] bool is_keyed(std::string_view seal);
// Whether the PIN matches the hash. A malformed hash matches no PIN, in the same time. A keyed hash
// matches only with its own key.
bool opens(std::string_view pin, std::string_view seal, std::string_view key = {});

}  // namespace linkmeter
