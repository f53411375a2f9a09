// HMAC-SHA256: proves that a text comes from somebody who has the key.
#pragma once

#include <string_view>

#include "meters/values/identity.h"

namespace linkmeter {

// REQUIRES: `key` is not empty.
Digest hmac_sha256(std::string_view key, std::string_view text);
// Takes the same time wherever the two differ.
bool is_same_mac(const Digest& one, const Digest& other);

}  // namespace linkmeter
