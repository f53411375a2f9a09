// House key: a key of the house itself, and its replacement. The secret keys are in files or in a
// token; the journal holds the public part of each key that was ever in force.
//
// Laws: two managers of two departments replace a key. If the old key can sign, the entry holds its
// signature of the new key. Without that signature, the summary says so, and both managers read it.
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

// The journal holds these numbers: they never change.
enum class KeyKind : std::uint8_t {
  seal = 1,           // signs manifests and archives; Ed25519, 32 bytes
  controller = 2,     // the controller's CURVE key; Z85
  operator_tool = 3,  // the CURVE key of `linkmeter`; Z85
  pin = 4,            // the key of PIN hashes; the SHA-256 of its text
  journal = 5,        // signs heads of the journal; SubjectPublicKeyInfo in DER
};
std::string_view name(KeyKind kind);
std::optional<KeyKind> parse_key_kind(std::string_view text);
// Whether a key of this kind can sign its successor.
constexpr bool signs(KeyKind kind) { return kind == KeyKind::seal || kind == KeyKind::journal; }

// By two persons. `key`: the public part of the new key. `replaces`: that of the key in force, ""
// for none. `signature`: of replacement_text() by the key in force, "" for none.
struct ReplaceKey {
  KeyKind kind = KeyKind::journal;
  std::string key;
  std::string replaces;
  std::string signature;
  friend bool operator==(const ReplaceKey&, const ReplaceKey&) = default;
};
// The text that the old key signs.
std::string replacement_text(const ReplaceKey& replace);
std::string summary(const ReplaceKey& replace);
// Whether the public part has the form of its kind.
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
  // Persons whose PIN is still hashed with the previous PIN key.
  std::set<Badge> before_pin_key;
  // PINs in proposals up to this one were hashed with an earlier key.
  ProposalNumber pins_outdated;
  // "": the journal names none.
  [[nodiscard]] const std::string& of(KeyKind kind) const;
  [[nodiscard]] EntryNumber since(KeyKind kind) const;
  friend bool operator==(const HouseKeys&, const HouseKeys&) = default;
};

}  // namespace linkmeter
