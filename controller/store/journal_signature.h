// Journal signature: the signed text of a journal head, and the verification of its signature.
// Public keys are SubjectPublicKeyInfo in DER: Ed25519, or ECDSA on P-256 with SHA-256, which
// tokens support.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "controller/store/journal.h"
#include "meters/facts/entry.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "proto/host/signing_key.h"

namespace linkmeter {

// The text that the journal's key signs: the number and the hash of an entry. The hash covers all
// entries before it.
std::string head_text(const Head& head);
// The public key of a key file (signing_key.h), in DER.
std::string public_der(const SigningKey& key);
// Whether `der` is a public key of a supported kind. Accepts any bytes.
bool is_verifiable(std::string_view der);
// Whether `signature` is this key's signature of `text`. Accepts any bytes.
bool is_signed_by(std::string_view text, std::string_view signature, std::string_view der);
// Why the signature in the entry is wrong. It signs a head of the journal, or a new key of the
// house. nullopt: the signature is right, or the entry has no signature. This function does not
// compare the head with the journal. REQUIRES: the entry is valid in the state, and is not applied
// yet.
std::optional<std::string> signature_violation(const State& state, const Entry& entry);
// The number of entries after the last signed head; 0 if the only one is the entry of its
// signature. Entries that were made during signing precede that entry and are not signed.
std::uint64_t unsigned_entries(const State& state);

}  // namespace linkmeter
