#include "meters/edge/sha256.h"

#include <openssl/evp.h>

#include "meters/edge/fault.h"

namespace linkmeter {

std::array<std::uint8_t, 32> sha256_digest(std::string_view bytes) {
  std::array<std::uint8_t, 32> digest{};
  unsigned length = 0;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  if (done != 1 || length != digest.size()) throw Fault("OpenSSL has no SHA-256");
  return digest;
}

}  // namespace linkmeter
