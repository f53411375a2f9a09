// Credentials: what a client needs to connect to a controller, in one file: its identity, its key
// pair, and the controller's public key. Keys are CURVE keys in Z85.
//
// Laws: a secret key is stored in this file only. Only the owner may read the file (0600); a file
// that others can read is refused. An existing file is overwritten only on request.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace linkmeter {

// The bytes that CURVE adds to a frame: "\7MESSAGE", a nonce, an authenticator and the flags. A
// limit on the length of received frames must include them.
inline constexpr std::int64_t curve_bytes = 8 + 8 + 16 + 1;

struct KeyPair {
  std::string public_key;
  std::string secret_key;
  friend bool operator==(const KeyPair&, const KeyPair&) = default;
};

// Generates a random key pair.
KeyPair make_key_pair();

struct Credentials {
  std::string kind;  // "table", "viewer", "operator", or "controller" for the controller's own keys
  std::string name;  // "C4-01"
  KeyPair keys;
  std::string controller_key;  // public
  friend bool operator==(const Credentials&, const Credentials&) = default;
};

// "C4-01.credentials". An id may contain a slash but never a percent sign.
std::string credentials_file_name(const std::string& name);

// Throws Fault with the file name if the file exists or cannot be written or synced.
void write_credentials(const std::filesystem::path& path, const Credentials& credentials);
// Like write_credentials(), but replaces an existing file in one step. Throws Fault.
void replace_credentials(const std::filesystem::path& path, const Credentials& credentials);
// Throws Fault with the file name and the mistake in it.
Credentials read_credentials(const std::filesystem::path& path);

}  // namespace linkmeter
