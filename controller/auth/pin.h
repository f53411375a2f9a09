// Pin: a person's secret, and what is kept of it.
//
// Laws: a new PIN is 6 to 12 digits, and none that anybody would try first; older houses have some
// of 4 digits, which go on opening. Kept is only its seal: scrypt with a salt of its own; the seal
// names its parameters, so that they can grow and old seals still open. Comparing takes as long
// whatever is wrong. Making or opening a seal takes some 100 ms and 32 MB on purpose, so it is
// never done inside the turn (PinWorker).
//
// Seals stand in the journal, and pieces of the journal are given away as evidence; all PINs of six
// digits are tried in a day. So the house keys its seals (pin_key.h): without the key, which is in
// no entry, a seal tells nothing about its PIN.
#pragma once

#include <string>
#include <string_view>

#include "meters/values/identity.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// Why nobody may have this as a new PIN: pin_malformed; pin_too_simple; none. Too simple are two or
// three digits again and again (121212, 123123), runs (123456), threes that are runs or columns of
// a keypad (123321, 111222, 147258), runs there and back (1234321), twins (112233), the digits of
// the badge, and some that are chosen often.
Refusal refuse_new_pin(std::string_view pin, const Badge& badge);
// Six digits, that refuse_new_pin() takes for this badge.
std::string random_pin(const Badge& badge);
// 128 bits: "1a2b-3c4d-...", eight groups of four hexadecimal digits. See meters/state/recovery.h.
std::string random_recovery_code();
// SHA-256 of the code, whatever strokes, spaces and capitals it was typed with.
Digest recovery_digest(std::string_view code);
// 32 bytes in hexadecimal.
std::string random_pin_key();
// "scrypt-keyed$15$8$1$SALT$HASH": the logarithm of N, r, p, and 16 and 32 bytes in hexadecimal, of
// HMAC-SHA256(key, PIN). Without a key "scrypt$...", of the PIN itself.
std::string seal_pin(std::string_view pin, std::string_view key = {});
[[nodiscard]] bool is_keyed(std::string_view seal);
// Anything that is no seal is nobody's: no PIN opens it, and finding that out takes as long. A
// keyed one is opened with its own key alone.
bool opens(std::string_view pin, std::string_view seal, std::string_view key = {});

}  // namespace linkmeter
