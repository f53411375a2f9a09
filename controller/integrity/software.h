// Software: the programs, game chapters and floor file of a house, as on disk now, and how they
// differ from its manifest (L2).
//
// The programs are those beside the running one. The running program is read from its executing
// image, even if its file was replaced. Libraries belong to the system; its package manager
// verifies them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/integrity/manifest.h"

namespace linkmeter {

struct SoftwarePaths {
  std::filesystem::path floor;  // "": the floor file is not checked
  std::filesystem::path catalogue;
};

// A file that exists or should exist.
struct FoundFile {
  SealedKind kind = SealedKind::program;
  std::string name;
  std::filesystem::path path;
  std::optional<Digest> digest;  // nullopt: it cannot be read
  std::string trouble;           // why not
};

// The programs, every chapter, and the floor file if it is to be checked. Throws Fault if a folder
// cannot be read, or a file has a name that a manifest may not hold.
std::vector<FoundFile> find_software(const SoftwarePaths& place);

// All files, in the manifest's form. Throws Fault if a file cannot be read.
std::vector<SealedFile> sealed_files(const SoftwarePaths& place);

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
  std::string path;  // where it is, or was expected
  FileCondition verdict = FileCondition::good;
  std::string trouble;
};
// "build/bin/linkmeter differs from what was sealed"
std::string text(const FileVerdict& file);

// In the manifest's order, then the files that are not in it.
std::vector<FileVerdict> compare(const Manifest& manifest, const SoftwarePaths& place);

// A manifest, the files that it covers, and their present condition.
struct SoftwareReport {
  std::string fault;         // why there is no valid manifest; else ""
  Digest manifest_digest{};  // zeros: there is none
  Manifest manifest;
  std::vector<FileVerdict> files;
  [[nodiscard]] bool is_clean() const;
};
// The digest of the present manifest, valid or not; nullopt: there is none.
std::optional<Digest> present_manifest_digest(const std::filesystem::path& data);
// `seal_key`: the public key that the journal names; "": it names none. Throws Fault as
// find_software() does.
SoftwareReport verify_software(const std::filesystem::path& data, const SoftwarePaths& place,
                               std::string_view seal_key);
// What is wrong and what to do, in one sentence; "" if nothing is.
std::string text(const SoftwareReport& report);

}  // namespace linkmeter
