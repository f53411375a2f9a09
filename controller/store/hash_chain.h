// Chain: walks stored entries in order and says of the first one that is not where and what it must
// be: numbers 1, 2, 3, ... without a gap, and every hash the seal of the hash before it, the number
// and the bytes as stored. An end that was cut off shows only against the head, so finish()
// compares with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/store/journal.h"
#include "meters/values/identity.h"
#include "proto/host/sha256.h"

namespace linkmeter {

// The first entry that is not right, and why, as a sentence: "entry 7: ..." without the number.
struct BadEntry {
  EntryNumber number;
  std::string why;
  friend bool operator==(const BadEntry&, const BadEntry&) = default;
};

// "entry 7: its hash is not the seal of its bytes"
std::string text(const BadEntry& bad);

class Chain {
 public:
  Chain() = default;
  // A chain that goes on after an entry that somebody else vouches for.
  explicit Chain(const Head& start) : last_(start) {}
  // Takes the next stored entry. REQUIRES: nothing was bad before.
  [[nodiscard]] std::optional<BadEntry> add(const StoredEntry& entry);
  // After the last entry: is it the journal's head?
  [[nodiscard]] std::optional<BadEntry> finish(const Head& head) const;
  [[nodiscard]] const Head& last() const { return last_; }

 private:
  Head last_;
};

// Seal: the hash chain over stored bytes.

// hash(N) = SHA-256(hash(N-1) || N as 8 bytes big-endian || bytes of entry N); hash(0) is 32 zero
// bytes.
Digest seal(const Digest& previous, EntryNumber number, std::string_view bytes);

}  // namespace linkmeter
