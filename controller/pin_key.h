// PinKey: what a house keys the seals of its PINs with (pin.h). It stands in DIR/keys/pin.key, for
// its owner's eyes only (0600), and in backups; never in the journal, in evidence or in an archive.
#pragma once

#include <filesystem>
#include <string>

#include "meters/state.h"

namespace linkmeter {

std::filesystem::path pin_key_path(const std::filesystem::path& directory);
// Throws Fault. REQUIRES: DIR/keys is there, and no key in it.
void write_pin_key(const std::filesystem::path& directory, const std::string& key);
// The key; a folder that has none yet gets one, unless somebody's seal is keyed already: then it
// was lost, and nobody's PIN could be looked at. Throws Fault, also if others may use the file.
std::string pin_key(const std::filesystem::path& directory, const State& state);

}  // namespace linkmeter
