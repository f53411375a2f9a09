// SHA-256, of bytes at hand or piece by piece.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "meters/values/hex.h"
#include "meters/values/identity.h"

struct evp_md_ctx_st;
struct evp_md_st;

namespace linkmeter {

// One hash at a time. OpenSSL can fail here only without memory or without SHA-256: neither can go
// on.
class Sha256 {
 public:
  // The calling thread's, begun anew: fetching the algorithm costs more than hashing an entry.
  static Sha256& begun();

  void add(const void* bytes, std::size_t size);
  Digest finish();

 private:
  struct ContextEnd {
    void operator()(evp_md_ctx_st* context) const;
  };
  struct AlgorithmEnd {
    void operator()(evp_md_st* algorithm) const;
  };
  Sha256();

  std::unique_ptr<evp_md_ctx_st, ContextEnd> context_;
  std::unique_ptr<evp_md_st, AlgorithmEnd> algorithm_;
};

Digest sha256(std::string_view bytes);

}  // namespace linkmeter
