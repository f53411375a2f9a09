// File manifest: the list of all files of a folder with size and SHA-256, what they are about, and
// the SHA-256 of the list itself. It is a file of the folder and is written last.
//
//   {"list": "linkmeter-bundle 1", "about": {...},
//    "files": [{"file": "slips/000012.pdf", "bytes": 3120, "sha256": "..."}],
//    "sha256": "of this text without this field"}
//
// It detects accidental changes, losses and additions. A person who alters a file can also rewrite
// the list. Then the hashes of the entries differ from a head that is known from another source.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "controller/store/staging_directory.h"
#include "controller/view/json.h"
#include "meters/values/identity.h"

namespace linkmeter {

// The size and digest of a file of any size, and durable copies.

struct FileDigest {
  std::uint64_t bytes = 0;
  Digest digest{};  // SHA-256
  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

// Called with the number of bytes that are done.
using BytesDone = std::function<void(std::uint64_t)>;

// The digest of the file's first bytes. Throws Fault.
FileDigest file_digest(const std::filesystem::path& path,
                       std::uint64_t bytes_max = std::numeric_limits<std::uint64_t>::max(),
                       const BytesDone& progress = {});
// Copies a file. Only the owner may read the copy. Returns the digest of the copy. The copy is
// synced, but not its name in the folder. Throws Fault, also if `to` exists.
FileDigest copy_synced(const std::filesystem::path& from, const std::filesystem::path& to,
                       const BytesDone& progress = {});
// Syncs every folder in it, and the folder itself. Throws Fault.
void sync_folders(const std::filesystem::path& folder);

struct ManifestEntry {
  std::string file;  // from the folder on: "slips/000012.pdf"
  FileDigest content;
  friend bool operator==(const ManifestEntry&, const ManifestEntry&) = default;
};

struct FileManifest {
  std::string kind;  // "linkmeter-bundle 1"
  Json about;
  std::vector<ManifestEntry> pieces;  // by name
  [[nodiscard]] const ManifestEntry* find(const std::string& file) const;
  [[nodiscard]] std::uint64_t bytes() const;  // of all pieces
};

// Progress: what is being done, how much of it is done, and how much there is.
using Steps = std::function<void(const std::string& doing, std::uint64_t done, std::uint64_t of)>;

// Every file below the folder, by name, except the list itself. Throws Fault.
std::vector<std::string> files_below(const std::filesystem::path& folder, const std::string& list);
// Lists all files that are in the folder now. Throws Fault.
FileManifest list_pieces(const std::filesystem::path& folder, const std::string& list,
                         std::string kind, Json about, const Steps& steps = {});
std::string text(const FileManifest& list);
// Throws Fault, which names the file, if it is missing, incomplete, altered or of another kind.
FileManifest read_file_manifest(const std::filesystem::path& file, const std::string& kind);

// Completes a folder under construction: lists its files, writes the list last, syncs everything
// and moves the folder to its place. Throws Fault.
FileManifest finish_folder(StagingDirectory& draft, const std::filesystem::path& place,
                           const std::string& list, std::string kind, Json about,
                           const Steps& steps = {});
// Throws Fault with this sentence if anything exists at the path.
void require_nothing_at(const std::filesystem::path& path, const std::string& sentence);
// Creates the folder unless it exists. Only its owner may open it. Throws Fault.
void make_folder(const std::filesystem::path& path);

// The differences between the folder and the list, a sentence each: "slips/000012.pdf: missing".
// Files in `passed_over` may be there without being listed.
std::vector<std::string> differences(const std::filesystem::path& folder, const std::string& list,
                                     const FileManifest& pieces, const Steps& steps = {},
                                     const std::set<std::string>& passed_over = {});

// A member of an object, if it is there and of that type.
std::optional<std::string> text_in(const Json& json, const char* key);
std::optional<std::uint64_t> number_in(const Json& json, const char* key);
std::optional<Digest> digest_in(const Json& json, const char* key);

// {"entry":N,"hash":"..."}
Json head_json(const Head& head);
// "a; b; c; and 4 more": the first few sentences.
std::string some_of(const std::vector<std::string>& sentences);

}  // namespace linkmeter
