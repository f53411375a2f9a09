#include "controller/store/hash_chain.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace linkmeter {

std::string text(const BadEntry& bad) {
  return "entry " + std::to_string(bad.number.value()) + ": " + bad.why;
}

std::optional<BadEntry> HashChain::add(const StoredEntry& entry) {
  const EntryNumber expected = last_.entry.next();
  if (entry.number > expected) return BadEntry{expected, "it is missing"};
  if (entry.number < expected) {
    return BadEntry{expected, "a record that is not an entry stands in its place"};
  }
  if (entry.hash != chain_hash(last_.hash, entry.number, entry.bytes)) {
    return BadEntry{expected, "its hash does not match its bytes and the hash before it"};
  }
  last_ = {entry.number, entry.hash};
  return std::nullopt;
}

std::optional<BadEntry> HashChain::finish(const Head& head) const {
  if (last_.entry < head.entry) {
    return BadEntry{last_.entry.next(), "it is missing: by its head the journal ends with " +
                                            std::to_string(head.entry.value())};
  }
  if (last_.entry > head.entry) {
    return BadEntry{head.entry.next(), "it stands after the head"};
  }
  if (last_.hash != head.hash) return BadEntry{head.entry, "its hash is not the head's"};
  return std::nullopt;
}

Digest chain_hash(const Digest& previous, EntryNumber number, std::string_view bytes) {
  std::array<std::uint8_t, 8> big_endian{};
  for (std::size_t at = 0; at < big_endian.size(); ++at) {
    big_endian[at] = static_cast<std::uint8_t>(number.value() >> (56 - 8 * at));
  }
  Sha256& hash = Sha256::begun();
  hash.add(previous.data(), previous.size());
  hash.add(big_endian.data(), big_endian.size());
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

}  // namespace linkmeter
