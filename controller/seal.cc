#include "controller/seal.h"

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "meters/check.h"

namespace linkmeter {
namespace {

struct ContextEnd {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

struct AlgorithmEnd {
  void operator()(EVP_MD* algorithm) const { EVP_MD_free(algorithm); }
};

// One hash at a time, on a context that is made once per thread: fetching the algorithm costs more
// than hashing an entry. OpenSSL can fail here only without memory or without SHA-256: neither can
// go on.
class Sha256 {
 public:
  Sha256() { CHECK(context_ != nullptr && algorithm_ != nullptr); }

  void start() { CHECK(EVP_DigestInit_ex2(context_.get(), algorithm_.get(), nullptr) == 1); }
  void add(const void* bytes, std::size_t size) {
    CHECK(EVP_DigestUpdate(context_.get(), bytes, size) == 1);
  }
  Digest finish() {
    Digest digest{};
    unsigned int size = 0;
    CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
    CHECK(size == digest.size());
    return digest;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, ContextEnd> context_{EVP_MD_CTX_new()};
  std::unique_ptr<EVP_MD, AlgorithmEnd> algorithm_{EVP_MD_fetch(nullptr, "SHA256", nullptr)};
};

Sha256& started_hash() {
  thread_local Sha256 hash;
  hash.start();
  return hash;
}

}  // namespace

Digest sha256(std::string_view bytes) {
  Sha256& hash = started_hash();
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

Digest seal(const Digest& previous, EntryNumber number, std::string_view bytes) {
  std::array<std::uint8_t, 8> big_endian{};
  for (std::size_t at = 0; at < big_endian.size(); ++at) {
    big_endian[at] = static_cast<std::uint8_t>(number.value() >> (56 - 8 * at));
  }
  Sha256& hash = started_hash();
  hash.add(previous.data(), previous.size());
  hash.add(big_endian.data(), big_endian.size());
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

std::string hex(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::uint8_t byte : digest) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

}  // namespace linkmeter
