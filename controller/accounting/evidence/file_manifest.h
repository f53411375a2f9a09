// Piece list: what a folder holds, in a file of it that is written last: every file with its size
// and SHA-256, what the whole is about, and the SHA-256 of the list itself.
//
//   {"list": "linkmeter-bundle 1", "about": {...},
//    "files": [{"file": "slips/000012.pdf", "bytes": 3120, "sha256": "..."}],
//    "sha256": "of this text without this field"}
//
// It finds what was changed, lost or put in by accident or unknowingly. Who alters a piece on
// purpose can make the list anew: then the entries' hashes say so, held against a head that is
// known from elsewhere.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "controller/view/json.h"
#include "meters/values/identity.h"

namespace linkmeter {

// Copied file: a file read piece by piece, however large it is: its digest, and a copy of it that
// is on the disk when it is said to be.

struct FileDigest {
  std::uint64_t bytes = 0;
  Digest digest{};  // SHA-256
  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

// How many bytes are done, of the file at hand.
using BytesDone = std::function<void(std::uint64_t)>;

// Of the file's first bytes. Throws Fault.
FileDigest file_digest(const std::filesystem::path& path,
                       std::uint64_t bytes_max = std::numeric_limits<std::uint64_t>::max(),
                       const BytesDone& progress = {});
// Only its owner may read the copy. The digest is of what was written. Durable but for the folder's
// entry. Throws Fault, also if anything stands at `to`.
FileDigest copy_synced(const std::filesystem::path& from, const std::filesystem::path& to,
                       const BytesDone& progress = {});
// Every folder in it, and itself. Throws Fault.
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

// How far long work has come: in words what is done, how much of it, and how much it is in all.
using Steps = std::function<void(const std::string& doing, std::uint64_t done, std::uint64_t of)>;

// Every file below the folder, by name, but the list itself. Throws Fault.
std::vector<std::string> files_below(const std::filesystem::path& folder, const std::string& list);
// Lists all that stands in the folder now. Throws Fault.
FileManifest list_pieces(const std::filesystem::path& folder, const std::string& list,
                         std::string kind, Json about, const Steps& steps = {});
std::string text(const FileManifest& list);
// Throws Fault that names the file if it is not there, not whole, altered or of another kind.
FileManifest read_file_manifest(const std::filesystem::path& file, const std::string& kind);

// What in the folder is not as the list says, a sentence each: "slips/000012.pdf: missing". What
// is `passed_over` may stand there besides.
std::vector<std::string> differences(const std::filesystem::path& folder, const std::string& list,
                                     const FileManifest& pieces, const Steps& steps = {},
                                     const std::set<std::string>& passed_over = {});

// {"entry":N,"hash":"..."}
Json head_json(const Head& head);
// "a; b; c; and 4 more": of many, as many as a person reads.
std::string some_of(const std::vector<std::string>& sentences);

}  // namespace linkmeter
