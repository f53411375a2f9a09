// Preloaded into a program (LD_PRELOAD): hashes PINs with scrypt's smallest cost. A hash then takes
// microseconds and a few hundred bytes, instead of a tenth of a second and 32 MiB for every PIN
// that a test sends. The program that makes hashes and the one that checks them must both load it.
#include <openssl/evp.h>

#include "tests/crash/preloaded.h"

extern "C" int EVP_PBE_scrypt(const char* pin, size_t pin_size, const unsigned char* salt,
                              size_t salt_size, uint64_t /*n*/, uint64_t /*r*/, uint64_t /*p*/,
                              uint64_t memory_max, unsigned char* key, size_t key_size) {
  static const auto next = linkmeter::original<decltype(EVP_PBE_scrypt)>("EVP_PBE_scrypt");
  constexpr uint64_t n_least = 2, r_least = 1, p_least = 1;
  return next(pin, pin_size, salt, salt_size, n_least, r_least, p_least, memory_max, key, key_size);
}
