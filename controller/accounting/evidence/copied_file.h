// Copied file: a file read piece by piece, however large it is: its digest, and a copy of it that
// is on the disk when it is said to be.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>

#include "meters/values/identity.h"

namespace linkmeter {

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

}  // namespace linkmeter
