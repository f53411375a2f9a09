// Manifest: the software and configuration that a house has approved, as a readable file
// (DIR/manifest):
//
//   linkmeter manifest 1
//   sealed 2026-11-21T09:30:00.000000Z
//   by init
//   5f1c...e2 program linkmeter-controller
//   80aa...09 chapter crazy-4.toml
//   77d0...b1 floor floor.toml
//   signature 9c0e...41
//
// The signature (Ed25519) covers everything before its line. A file that is not exactly of this
// form is rejected, so it cannot contain anything that is not understood.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meters/facts/table_command.h"
#include "proto/host/signing_key.h"

namespace linkmeter {

enum class SealedKind : std::uint8_t { program, chapter, floor };
std::string_view name(SealedKind kind);

struct SealedFile {
  SealedKind kind = SealedKind::program;
  std::string name;  // without its folder: the location is not sealed
  Digest digest{};   // SHA-256
  friend bool operator==(const SealedFile&, const SealedFile&) = default;
};

struct Manifest {
  std::string sealed_at;  // "2026-11-21T09:30:00.000000Z"
  std::string by;         // a badge, "init", or "key holder"
  std::vector<SealedFile> files;
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

// Public.
inline constexpr mode_t manifest_mode = 0644;
std::filesystem::path manifest_path(const std::filesystem::path& data);

// REQUIRES: names without control characters.
std::string signed_text(const Manifest& manifest, const SigningKey& key);
// The manifest, or what is wrong with the text: "line 4: ...", or that the signature does not match
// the public key `public_bytes`.
std::variant<Manifest, std::string> read_manifest(std::string_view text,
                                                  std::string_view public_bytes);

}  // namespace linkmeter
