// Seal: the hash chain over stored bytes.
#pragma once

#include <string_view>

#include "meters/values/identity.h"
#include "proto/host/sha256.h"

namespace linkmeter {

// hash(N) = SHA-256(hash(N-1) || N as 8 bytes big-endian || bytes of entry N); hash(0) is 32 zero
// bytes.
Digest seal(const Digest& previous, EntryNumber number, std::string_view bytes);

}  // namespace linkmeter
