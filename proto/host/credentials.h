// Credentials: what one side needs to connect to a controller, as one file to carry: who it is, its
// key pair, and the controller's public key. Keys are CURVE's, in Z85.
//
// Laws: a secret key stands in this file and nowhere else; the file is its owner's alone (0600),
// one that others may read is refused; nothing writes over a file unless it is asked to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace linkmeter {

// What CURVE adds to a frame: "\7MESSAGE", a nonce, a seal and the flags. A bound on the length of
// what is received is of the frame with these.
inline constexpr std::int64_t curve_bytes = 8 + 8 + 16 + 1;

struct KeyPair {
  std::string public_key;
  std::string secret_key;
  friend bool operator==(const KeyPair&, const KeyPair&) = default;
};

// A new one, of chance.
KeyPair make_key_pair();

struct Credentials {
  std::string kind;  // "table", "viewer", "operator", or "controller", whose own they are
  std::string name;  // "C4-01"
  KeyPair keys;
  std::string controller_key;  // public
  friend bool operator==(const Credentials&, const Credentials&) = default;
};

// "C4-01.credentials"; an id may hold a slash, and never a percent sign.
std::string credentials_file_name(const std::string& name);

// Throws Fault that names the file: it is there already, cannot be written or synced.
void write_credentials(const std::filesystem::path& path, const Credentials& credentials);
// The same over a file that is there, in one step. Throws Fault.
void replace_credentials(const std::filesystem::path& path, const Credentials& credentials);
// Throws Fault that names the file and what is wrong in it.
Credentials read_credentials(const std::filesystem::path& path);

}  // namespace linkmeter
