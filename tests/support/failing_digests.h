// FailingDigests: while it lives, OpenSSL finds neither scrypt nor HMAC, as without memory for
// them.
#pragma once

#include <openssl/evp.h>

#include <stdexcept>

namespace linkmeter {

class FailingDigests {
 public:
  FailingDigests() {
    if (EVP_set_default_properties(nullptr, "provider=none") != 1) {
      throw std::runtime_error("OpenSSL does not take the property");
    }
  }
  ~FailingDigests() { EVP_set_default_properties(nullptr, ""); }
  FailingDigests(const FailingDigests&) = delete;
  FailingDigests& operator=(const FailingDigests&) = delete;
};

}  // namespace linkmeter
