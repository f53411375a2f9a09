// Software: the programs, game chapters and floor file that a house runs, as they are on disk now,
// and how they differ from what its manifest says (L2).
//
// The programs are those that stand beside the running one; it itself is read as it runs, whatever
// lies in its place by now. Libraries are the system's, and its package manager's to verify.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/integrity/manifest.h"

namespace linkmeter {

struct SoftwarePlace {
  std::filesystem::path floor;  // "": the floor file is not looked at
  std::filesystem::path catalogue;
};

// A file that is or should be there.
struct FoundFile {
  SealedKind kind = SealedKind::program;
  std::string name;
  std::filesystem::path path;
  std::optional<Digest> digest;  // nullopt: it cannot be read
  std::string trouble;           // why not
};

// Programs that are there, every chapter, the floor file if it is to be looked at. Throws Fault if
// a folder cannot be read, or a file has a name that no manifest may hold.
std::vector<FoundFile> find_software(const SoftwarePlace& place);

// Everything, as a manifest says it. Throws Fault if a file cannot be read.
std::vector<SealedFile> sealed_files(const SoftwarePlace& place);

enum class FileCondition : std::uint8_t {
  good,
  differs,
  missing,
  unreadable,
  unsealed,
  not_looked_at
};
std::string_view name(FileCondition verdict);
constexpr bool is_wrong(FileCondition verdict) {
  return verdict != FileCondition::good && verdict != FileCondition::not_looked_at;
}

struct FileVerdict {
  SealedKind kind = SealedKind::program;
  std::string name;
  std::string path;  // where it is, or was looked for
  FileCondition verdict = FileCondition::good;
  std::string trouble;
};
// "build/bin/linkmeter differs from what was sealed"
std::string text(const FileVerdict& file);

// In the manifest's order, then what is not in it.
std::vector<FileVerdict> compare(const Manifest& manifest, const SoftwarePlace& place);

// A manifest, what it is the manifest of, and how that is now.
struct SoftwareReport {
  std::string fault;         // why there is no manifest that could be believed; else ""
  Digest manifest_digest{};  // zeros: there is none
  Manifest manifest;
  std::vector<FileVerdict> files;
  [[nodiscard]] bool is_clean() const;
};
// The digest of the manifest that stands there, believed or not; nullopt: there is none.
std::optional<Digest> standing_manifest(const std::filesystem::path& data);
// `seal_key`: the public key that the journal names; "": it names none. Throws Fault as
// find_software does.
SoftwareReport verify_software(const std::filesystem::path& data, const SoftwarePlace& place,
                               std::string_view seal_key);
// What is wrong, and what to do, in one sentence; "" if nothing is.
std::string text(const SoftwareReport& report);

}  // namespace linkmeter
