#include "proto/host/hmac.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "meters/values/invariant.h"

namespace linkmeter {

Digest hmac_sha256(std::string_view key, std::string_view text) {
  INVARIANT(!key.empty());
  Digest mac{};
  unsigned int size = 0;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): OpenSSL's word for bytes
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  INVARIANT(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(),
                 mac.data(), &size) != nullptr);
  INVARIANT(size == mac.size());
  return mac;
}

bool is_same_mac(const Digest& one, const Digest& other) {
  return CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0;
}

}  // namespace linkmeter
