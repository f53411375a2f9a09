#include "controller/store/journal_signature.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/x509.h>

#include <array>
#include <memory>
#include <variant>

#include "meters/values/hex.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

// The DER prefix of every Ed25519 key (RFC 8410); the 32 bytes of the key follow.
constexpr std::string_view ed25519_prefix("\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", 12);

struct PublicKeyEnd {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using PublicKey = std::unique_ptr<EVP_PKEY, PublicKeyEnd>;

struct VerifyingEnd {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

const unsigned char* bytes_of(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): OpenSSL's word for bytes
  return reinterpret_cast<const unsigned char*>(text.data());
}

// nullptr unless `der` is exactly one key of a known kind.
PublicKey read_public(std::string_view der) {
  const unsigned char* at = bytes_of(der);
  PublicKey key(d2i_PUBKEY(nullptr, &at, static_cast<long>(der.size())));
  if (key == nullptr || at != bytes_of(der) + der.size()) return nullptr;
  if (EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_ED25519) return key;
  std::array<char, 64> group{};
  std::size_t size = 0;
  const bool is_p256 = EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_EC &&
                       EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), &size) == 1 &&
                       std::string_view(group.data(), size) == SN_X9_62_prime256v1;
  return is_p256 ? std::move(key) : nullptr;
}

}  // namespace

std::string head_text(const Head& head) {
  return "linkmeter journal head 1\nentry " + std::to_string(head.entry.value()) + "\nhash " +
         hex(head.hash) + '\n';
}

std::string public_der(const SigningKey& key) {
  return std::string(ed25519_prefix) + key.public_bytes();
}

bool is_verifiable(std::string_view der) { return read_public(der) != nullptr; }

bool is_signed_by(std::string_view text, std::string_view signature, std::string_view der) {
  const PublicKey key = read_public(der);
  if (key == nullptr) return false;
  const bool is_ed25519 = EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_ED25519;
  const std::unique_ptr<EVP_MD_CTX, VerifyingEnd> context(EVP_MD_CTX_new());
  return context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, is_ed25519 ? nullptr : EVP_sha256(), nullptr,
                              key.get()) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(text),
                          text.size()) == 1;
}

std::optional<std::string> signature_violation(const State& state, const Entry& entry) {
  const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
  const auto* replace = confirmed == nullptr ? nullptr : std::get_if<ReplaceKey>(&confirmed->act);
  if (replace != nullptr && !replace->signature.empty()) {
    const std::string text = replacement_text(*replace);
    const bool is_good = replace->kind == KeyKind::journal
                             ? is_signed_by(text, replace->signature, replace->replaces)
                             : is_signed(text, replace->signature, replace->replaces);
    if (!is_good) return "the new key is not signed by the key before";
  }
  const auto* signing = std::get_if<HeadSigned>(&entry.fact);
  if (signing == nullptr) return std::nullopt;
  const std::string& key = state.keys().of(KeyKind::journal);
  const std::string text = head_text({signing->head, signing->hash});
  if (signing->key != sha256(key) || !is_signed_by(text, signing->signature, key)) {
    return "its signature is not by the journal's key";
  }
  return std::nullopt;
}

std::uint64_t unsigned_entries(const State& state) {
  const std::uint64_t count = state.last_entry().value() - state.keys().signed_head.value();
  const bool is_its_signature = state.last_entry() == state.keys().signed_with;
  return count == 1 && is_its_signature ? 0 : count;
}

}  // namespace linkmeter
