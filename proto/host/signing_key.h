// SigningKey: the key (Ed25519) that signs manifests. Who has its file may say which software and
// configuration a house runs; its public half is in the journal, which the tables
// witness, so no other key can take its place. The file need not stay on the controller's machine:
// verifying needs the journal alone.
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
  // A file as write() makes it, or any PEM file with such a key; OpenSSL asks on the terminal for
  // the passphrase of one that has it. Throws Fault, also if others than its owner may read it.
  static SigningKey read(const std::filesystem::path& path);

  // PEM, mode 0600. Throws Fault.
  void write(const std::filesystem::path& path) const;
  // limits::seal_key_bytes.
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

// Is it the signature of this text by the key with these public bytes? Whatever the bytes are.
bool is_signed(std::string_view text, std::string_view signature, std::string_view public_bytes);

}  // namespace linkmeter
