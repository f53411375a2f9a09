// Seal: SHA-256 and the hash chain over stored bytes. Its source and those of seal_key.h and pin.h
// are the only users of OpenSSL.
#pragma once

#include <string_view>

#include "meters/command.h"
#include "meters/identity.h"

namespace linkmeter {

Digest sha256(std::string_view bytes);
// hash(N) = SHA-256(hash(N-1) || N as 8 bytes big-endian || bytes of entry N); hash(0) is 32 zero
// bytes.
Digest seal(const Digest& previous, EntryNumber number, std::string_view bytes);
// 64 lower-case hexadecimal digits.
std::string hex(const Digest& digest);

}  // namespace linkmeter
