// Key desk: makes the key that two managers are to put in force, and puts the file of a key in its
// place once the journal says that the key is in force.
//
// Laws: a new key is on disk, under a name of its own (DIR/keys/FILE.next-FINGERPRINT), before
// anybody proposes it; the entry comes next; the file takes its place last. So a crash between two
// of these steps leaves what settle() can finish: at the start, after every turn with requests of
// people, and once a minute.
// A key that nobody confirms in time is removed. The controller's own key takes its place at a
// start alone, because sockets keep the key that they were bound with; that start writes it into
// the operator's file and all of DIR/credentials, which agents here read again by themselves.
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
// Where a new key waits: beside the file of its kind.
std::filesystem::path next_key_path(const std::filesystem::path& data, const ReplaceKey& replace);
// Where the file of the kind stands.
std::filesystem::path key_path(const std::filesystem::path& data, KeyKind kind);
// Where a manifest waits that the next seal key has signed.
std::filesystem::path next_manifest_path(const std::filesystem::path& data, const std::string& key);

class KeyDesk {
 public:
  // `token_key`: the public key of the journal's token, as far as it is known; empty where the
  // journal's key is a file.
  explicit KeyDesk(std::filesystem::path data, std::function<std::string()> token_key = {})
      : data_(std::move(data)), token_key_(std::move(token_key)) {}

  // Where the message proposes to replace a key: makes the key, if it is one that the controller
  // makes, and says whether the signature is by the key in force. What kept it from making one, for
  // the log; "": nothing.
  [[nodiscard]] std::string prepare(const State& state, PersonMessage& message) const;
  // Puts the files of keys in force in their places, and removes what nobody waits for. Says which
  // kinds have a new file now. `is_start`: before any socket is bound. Throws Fault.
  // REQUIRES: `state` is what is committed.
  // `now`: the controller's clock.
  [[nodiscard]] std::set<KeyKind> settle(const State& state, Timestamp now, bool is_start) const;

 private:
  // Throws Fault.
  void make(const State& state, ReplaceKey& replace) const;

  std::filesystem::path data_;
  std::function<std::string()> token_key_;
};

}  // namespace linkmeter
