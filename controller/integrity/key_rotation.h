// KeyRotation: makes the key that two managers are to put in force, and installs its file once the
// journal has put the key in force.
//
// Laws: the new key is written to disk under its own name (DIR/keys/FILE.next-FINGERPRINT) before
// it is proposed; the entry comes next; the file is installed last. So after a crash between two of
// these steps settle() can finish: at the start, after every turn with requests of people, and once
// a minute. A key that is not confirmed in time is removed. The controller's own key is installed
// only at a start, because sockets keep the key that they were bound with. That start also writes
// it into the operator's file and all of DIR/credentials, which agents on this machine read again
// by themselves.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "meters/facts/house_key.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// The first 16 hexadecimal digits of its SHA-256.
std::string key_fingerprint(const std::string& key);
// The path of a new key before installation: beside the file of its kind.
std::filesystem::path next_key_path(const std::filesystem::path& data, const ReplaceKey& replace);
// The path of the installed key of this kind.
std::filesystem::path key_path(const std::filesystem::path& data, KeyKind kind);
// The path of a manifest signed by the next seal key, before installation.
std::filesystem::path next_manifest_path(const std::filesystem::path& data, const std::string& key);

class KeyRotation {
 public:
  explicit KeyRotation(std::filesystem::path data) : data_(std::move(data)) {}

  // The journal's key is in a token, not in a file. `token_key` returns its public key; "": not
  // known yet.
  void set_token_key(std::function<std::string()> token_key) { token_key_ = std::move(token_key); }

  // If the message proposes to replace a key: makes the key, if the controller makes keys of this
  // kind, and reports whether the signature is by the key in force. Returns why no key could be
  // made, for the log; "": no error.
  [[nodiscard]] std::string prepare(const State& state, PersonMessage& message) const;
  // Installs the files of keys in force, and removes abandoned ones. Returns the kinds with a new
  // file. `now`: the controller's clock. `is_start`: no socket is bound yet. Throws Fault.
  // REQUIRES: `state` is committed.
  [[nodiscard]] std::set<KeyKind> settle(const State& state, Timestamp now, bool is_start) const;

 private:
  // Throws Fault.
  void make(const State& state, ReplaceKey& replace) const;

  std::filesystem::path data_;
  std::function<std::string()> token_key_;
};

}  // namespace linkmeter
