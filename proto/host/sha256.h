// SHA-256 of a text, or of data in pieces.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "meters/values/hex.h"
#include "meters/values/identity.h"

struct evp_md_ctx_st;
struct evp_md_st;

namespace linkmeter {

// Computes one hash at a time. OpenSSL fails here only without memory or without SHA-256; the
// program cannot go on without either.
class Sha256 {
 public:
  // Returns the calling thread's object, reset for a new hash: fetching the algorithm costs more
  // than hashing an entry.
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
