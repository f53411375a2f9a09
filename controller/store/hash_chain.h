// HashChain: walks stored entries in order and reports the first invalid one. Numbers must be 1, 2,
// 3, ... without a gap, and every hash must be the chain hash of the hash before it, the number and
// the stored bytes. A truncated end shows only in a comparison with the head, so finish() compares
// with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/store/journal.h"
#include "meters/values/identity.h"
#include "proto/host/sha256.h"

namespace linkmeter {

// The first invalid entry, and the reason as a sentence: "entry 7: ..." without the number.
struct BadEntry {
  EntryNumber number;
  std::string why;
  friend bool operator==(const BadEntry&, const BadEntry&) = default;
};

// "entry 7: it is missing"
std::string text(const BadEntry& bad);

class HashChain {
 public:
  HashChain() = default;
  // A chain that continues after an entry that was verified elsewhere.
  explicit HashChain(const Head& start) : last_(start) {}
  // Adds the next stored entry. REQUIRES: no entry before it was invalid.
  [[nodiscard]] std::optional<BadEntry> add(const StoredEntry& entry);
  // Call after the last entry: whether it is the journal's head.
  [[nodiscard]] std::optional<BadEntry> finish(const Head& head) const;
  [[nodiscard]] const Head& last() const { return last_; }

 private:
  Head last_;
};

// chain_hash(): the hash chain over stored bytes.

// hash(N) = SHA-256(hash(N-1) || N as 8 bytes big-endian || bytes of entry N); hash(0) is 32 zero
// bytes.
Digest chain_hash(const Digest& previous, EntryNumber number, std::string_view bytes);

}  // namespace linkmeter
