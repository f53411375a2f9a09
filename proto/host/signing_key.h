// SigningKey: the Ed25519 key that signs manifests. The holder of its file decides which software
// and configuration a house runs. Its public half is in the journal, which the tables witness, so
// no other key can replace it. The file need not stay on the controller's machine: verification
// needs only the journal.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;  // OpenSSL's EVP_PKEY

namespace linkmeter {

class SigningKey {
 public:
  static SigningKey generate();
  // Reads a file from write(), or any PEM file with an Ed25519 key. OpenSSL asks on the terminal
  // for the passphrase of an encrypted key. Throws Fault, also if users other than the owner may
  // read it.
  static SigningKey read(const std::filesystem::path& path);

  // PEM, mode 0600. Throws Fault.
  void write(const std::filesystem::path& path) const;
  // limits::seal_key_bytes long.
  [[nodiscard]] std::string public_bytes() const;
  // 64 bytes.
  [[nodiscard]] std::string sign(std::string_view text) const;

 private:
  struct KeyEnd {
    void operator()(evp_pkey_st* key) const;
  };
  explicit SigningKey(evp_pkey_st* key) : key_(key) {}

  std::unique_ptr<evp_pkey_st, KeyEnd> key_;
};

// Whether `signature` signs this text with the key of these public bytes. Accepts any bytes.
bool is_signed(std::string_view text, std::string_view signature, std::string_view public_bytes);

}  // namespace linkmeter
