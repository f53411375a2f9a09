// Preloaded into a program (LD_PRELOAD): it hashes PINs with the least work that scrypt has. A seal
// then takes microseconds and a few hundred bytes, not a tenth of a second and 32 MiB of every PIN
// that a test sends. What makes seals and what checks them must both be loaded with it.
#include <openssl/evp.h>

#include "tests/crash/preloaded.h"

extern "C" int EVP_PBE_scrypt(const char* pin, size_t pin_size, const unsigned char* salt,
                              size_t salt_size, uint64_t /*n*/, uint64_t /*r*/, uint64_t /*p*/,
                              uint64_t memory_max, unsigned char* key, size_t key_size) {
  static const auto next = linkmeter::original<decltype(EVP_PBE_scrypt)>("EVP_PBE_scrypt");
  constexpr uint64_t n_least = 2, r_least = 1, p_least = 1;
  return next(pin, pin_size, salt, salt_size, n_least, r_least, p_least, memory_max, key, key_size);
}
