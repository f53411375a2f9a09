// Journal signature: what is signed of a journal, and how a signature of it is verified. Public
// keys are SubjectPublicKeyInfo in DER: Ed25519, or ECDSA on P-256 with SHA-256, which tokens
// offer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "controller/store/journal.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "proto/host/signing_key.h"

namespace linkmeter {

// What the journal's key signs: the number and the hash of an entry, which covers all before it.
std::string head_text(const Head& head);
// The public key of a file (signing_key.h), in DER.
std::string public_der(const SigningKey& key);
// Is it a public key of a kind that can be verified here? Whatever the bytes are.
bool is_verifiable(std::string_view der);
// Is it the signature of this text by this key? Whatever the bytes are.
bool is_signed_by(std::string_view text, std::string_view signature, std::string_view der);
// How many entries come after the last signed head; 0 where that is only the entry of its
// signature. Entries that came while the signature was made stand before that entry, unsigned.
std::uint64_t unsigned_entries(const State& state);

}  // namespace linkmeter
