#include "proto/host/signing_key.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::size_t signature_bytes = 64;

struct FreeMemoryBio {
  void operator()(BIO* memory) const { BIO_free(memory); }
};
using MemoryBio = std::unique_ptr<BIO, FreeMemoryBio>;

struct DigestEnd {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using DigestContext = std::unique_ptr<EVP_MD_CTX, DigestEnd>;

const unsigned char* as_bytes(std::string_view text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): OpenSSL's word for bytes
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* as_bytes(std::string& text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
  return reinterpret_cast<unsigned char*>(text.data());
}

}  // namespace

void SigningKey::KeyEnd::operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }

SigningKey SigningKey::generate() {
  EVP_PKEY* key = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
  if (key == nullptr) throw Fault("the system gives no random numbers for a key");
  return SigningKey(key);
}

SigningKey SigningKey::read(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & 077U) != 0) {
    throw Fault(path.string() + ": others than its owner may read this key; chmod 600 it, and " +
                "think about who has");
  }
  const auto text = read_file(path);
  if (!text) throw Fault(path.string() + ": cannot read the key: " + std::strerror(errno));
  const MemoryBio memory(BIO_new_mem_buf(text->data(), static_cast<int>(text->size())));
  INVARIANT(memory != nullptr);
  SigningKey key(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr));
  if (key.key_ == nullptr || EVP_PKEY_get_id(key.key_.get()) != EVP_PKEY_ED25519) {
    throw Fault(path.string() + ": not a private key of Ed25519 in PEM");
  }
  return key;
}

void SigningKey::write(const std::filesystem::path& path) const {
  const MemoryBio memory(BIO_new(BIO_s_mem()));
  INVARIANT(memory != nullptr);
  INVARIANT(PEM_write_bio_PrivateKey(memory.get(), key_.get(), nullptr, nullptr, 0, nullptr,
                                     nullptr) == 1);
  const char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  write_atomically(path, std::string_view(text, static_cast<std::size_t>(size)), 0600);
}

std::string SigningKey::public_bytes() const {
  std::string bytes(limits::seal_key_bytes, '\0');
  std::size_t size = bytes.size();
  INVARIANT(EVP_PKEY_get_raw_public_key(key_.get(), as_bytes(bytes), &size) == 1);
  INVARIANT(size == bytes.size());
  return bytes;
}

std::string SigningKey::sign(std::string_view text) const {
  const DigestContext context(EVP_MD_CTX_new());
  INVARIANT(context != nullptr);
  INVARIANT(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1);
  std::string signature(signature_bytes, '\0');
  std::size_t size = signature.size();
  INVARIANT(
      EVP_DigestSign(context.get(), as_bytes(signature), &size, as_bytes(text), text.size()) == 1);
  INVARIANT(size == signature.size());
  return signature;
}

bool is_signed(std::string_view text, std::string_view signature, std::string_view public_bytes) {
  if (signature.size() != signature_bytes || public_bytes.size() != limits::seal_key_bytes) {
    return false;
  }
  EVP_PKEY* const key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                                    as_bytes(public_bytes), public_bytes.size());
  const DigestContext context(EVP_MD_CTX_new());
  const bool is_good = key != nullptr && context != nullptr &&
                       EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key) == 1 &&
                       EVP_DigestVerify(context.get(), as_bytes(signature), signature.size(),
                                        as_bytes(text), text.size()) == 1;
  EVP_PKEY_free(key);
  return is_good;
}

}  // namespace linkmeter
