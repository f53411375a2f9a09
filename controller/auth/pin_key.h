// PinKey: what a house keys the seals of its PINs with (pin.h). It stands in DIR/keys/pin.key, for
// its owner's eyes only (0600), and in backups; never in the journal, in evidence or in an archive.
#pragma once

#include <filesystem>
#include <string>

#include "meters/state/state.h"

namespace linkmeter {

std::filesystem::path pin_key_path(const std::filesystem::path& directory);
// Throws Fault. REQUIRES: DIR/keys is there, and no key in it.
void write_pin_key(const std::filesystem::path& directory, const std::string& key);
// What the journal says of a key: its SHA-256, as bytes.
std::string pin_key_mark(const std::string& key);
// Keeps the key beside its place (DIR/keys/pin.key.before), for PINs that are still sealed with it;
// does nothing where there is none. Throws Fault.
void keep_pin_key(const std::filesystem::path& directory);
void forget_kept_pin_key(const std::filesystem::path& directory);
// The kept one; "": none. Throws Fault, also if others may use the file.
std::string kept_pin_key(const std::filesystem::path& directory);
// The key; a folder that has none yet gets one, unless somebody's seal is keyed already: then it
// was lost, and nobody's PIN could be looked at. Throws Fault, also if others may use the file.
std::string pin_key(const std::filesystem::path& directory, const State& state);

}  // namespace linkmeter
