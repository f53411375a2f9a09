// Pin key: the key of a house's PIN hashes (pin.h). It is stored in DIR/keys/pin.key, readable by
// its owner only (0600), and in backups; never in the journal, in evidence or in an archive.
#pragma once

#include <filesystem>
#include <string>

#include "meters/state/state.h"

namespace linkmeter {

std::filesystem::path pin_key_path(const std::filesystem::path& directory);
// Throws Fault. REQUIRES: DIR/keys exists and holds no key.
void write_pin_key(const std::filesystem::path& directory, const std::string& key);
// The journal's fingerprint of a key: its SHA-256, as bytes.
std::string pin_key_mark(const std::string& key);
// Copies the key to DIR/keys/pin.key.before, for PIN hashes that still use it. Does nothing if
// there is no key. Throws Fault.
void store_pin_key(const std::filesystem::path& directory);
void delete_stored_pin_key(const std::filesystem::path& directory);
// The stored previous key. "": none. Throws Fault, also if others may read the file.
std::string stored_pin_key(const std::filesystem::path& directory);
// The key. A folder without one gets one, unless any PIN hash is keyed already: then the key was
// lost, and no PIN could be verified. Throws Fault, also if others may read the file.
std::string pin_key(const std::filesystem::path& directory, const State& state);

}  // namespace linkmeter
