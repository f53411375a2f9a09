// House key: a key of the house itself, and its replacement. The secret halves are files or stand
// in a token; the journal knows what is public of each key that was ever in force.
//
// Laws: a key is replaced by two managers of two departments. Where the key before can sign, the
// entry carries its signature of the new key; without that the summary says so, and both managers
// read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "meters/values/identity.h"

namespace linkmeter {

// Numbers are in the journal: for ever.
enum class KeyKind : std::uint8_t {
  seal = 1,           // signs manifests and archives; Ed25519, 32 bytes
  controller = 2,     // the controller's CURVE key; Z85
  operator_tool = 3,  // the CURVE key of `linkmeter`; Z85
  pin = 4,            // keys the seals of PINs; the SHA-256 of its text
  journal = 5,        // signs heads of the journal; SubjectPublicKeyInfo in DER
};
std::string_view name(KeyKind kind);
std::optional<KeyKind> parse_key_kind(std::string_view text);
// Can it sign, so that its signature of the next key is a proof?
constexpr bool signs(KeyKind kind) { return kind == KeyKind::seal || kind == KeyKind::journal; }

// By two persons. `key`: what is public of the new key; `replaces`: of the key in force, "" for
// none; `signature`: of replacement_text() by the key in force, "" for none.
struct ReplaceKey {
  KeyKind kind = KeyKind::journal;
  std::string key;
  std::string replaces;
  std::string signature;
  friend bool operator==(const ReplaceKey&, const ReplaceKey&) = default;
};
// What the key before signs.
std::string replacement_text(const ReplaceKey& replace);
std::string summary(const ReplaceKey& replace);
// Has the public part the form of its kind?
bool is_well_formed(const ReplaceKey& replace);

// The keys in force. A kind that is missing was never replaced, and entry 1 does not name it.
struct HouseKeys {
  struct InForce {
    std::string key;
    EntryNumber since;  // the entry that put it in force
    friend bool operator==(const InForce&, const InForce&) = default;
  };
  std::map<KeyKind, InForce> current;
  EntryNumber signed_head;  // the last entry whose hash the journal's key has signed
  EntryNumber signed_with;  // the entry that holds that signature
  // Whose PIN is still sealed with the PIN key before this one.
  std::set<Badge> before_pin_key;
  // PINs of proposals up to this one were sealed with a key before.
  ProposalNumber pins_outdated;
  // "": none that the journal names.
  [[nodiscard]] const std::string& of(KeyKind kind) const;
  [[nodiscard]] EntryNumber since(KeyKind kind) const;
  friend bool operator==(const HouseKeys&, const HouseKeys&) = default;
};

}  // namespace linkmeter
