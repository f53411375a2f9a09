#include "proto/host/sha256.h"

#include <openssl/evp.h>

#include "meters/values/invariant.h"

namespace linkmeter {

void Sha256::ContextEnd::operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
void Sha256::AlgorithmEnd::operator()(EVP_MD* algorithm) const { EVP_MD_free(algorithm); }

Sha256::Sha256()
    : context_(EVP_MD_CTX_new()), algorithm_(EVP_MD_fetch(nullptr, "SHA256", nullptr)) {
  INVARIANT(context_ != nullptr && algorithm_ != nullptr);
}

Sha256& Sha256::begun() {
  thread_local Sha256 hash;
  INVARIANT(EVP_DigestInit_ex2(hash.context_.get(), hash.algorithm_.get(), nullptr) == 1);
  return hash;
}

void Sha256::add(const void* bytes, std::size_t size) {
  INVARIANT(EVP_DigestUpdate(context_.get(), bytes, size) == 1);
}

Digest Sha256::finish() {
  Digest digest{};
  unsigned int size = 0;
  INVARIANT(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
  INVARIANT(size == digest.size());
  return digest;
}

Digest sha256(std::string_view bytes) {
  Sha256& hash = Sha256::begun();
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

}  // namespace linkmeter
