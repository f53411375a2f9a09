#include "controller/accounting/evidence/copied_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

[[noreturn]] void cannot_copy(const std::filesystem::path& path, const char* doing) {
  throw Fault(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

// Visits the file's first bytes, a piece at a time.
template <class Visit>
void each_piece(const std::filesystem::path& path, std::uint64_t bytes_max, const Visit& visit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) cannot_copy(path, "read it");
  if (!S_ISREG(status.st_mode)) throw Fault(path.string() + ": not a file");
  std::array<char, std::size_t{1} << 16U> piece{};
  while (bytes_max > 0) {
    const std::size_t wanted = std::min<std::uint64_t>(bytes_max, piece.size());
    const ssize_t count = ::read(file.get(), piece.data(), wanted);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) cannot_copy(path, "read it");
    if (count == 0) return;
    visit(std::string_view(piece.data(), static_cast<std::size_t>(count)));
    bytes_max -= static_cast<std::uint64_t>(count);
  }
}

}  // namespace

FileDigest file_digest(const std::filesystem::path& path, std::uint64_t bytes_max,
                       const BytesDone& progress) {
  FileDigest made;
  Sha256& hash = Sha256::begun();
  each_piece(path, bytes_max, [&](std::string_view piece) {
    hash.add(piece.data(), piece.size());
    made.bytes += piece.size();
    if (progress) progress(made.bytes);
  });
  made.digest = hash.finish();
  return made;
}

FileDigest copy_synced(const std::filesystem::path& from, const std::filesystem::path& to,
                       const BytesDone& progress) {
  const Descriptor file(
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_by_owner));
  if (!file.is_open()) cannot_copy(to, "write it");
  FileDigest made;
  Sha256& hash = Sha256::begun();
  each_piece(from, std::numeric_limits<std::uint64_t>::max(), [&](std::string_view piece) {
    hash.add(piece.data(), piece.size());
    made.bytes += piece.size();
    while (!piece.empty()) {
      const ssize_t count = ::write(file.get(), piece.data(), piece.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) cannot_copy(to, "write it");
      piece.remove_prefix(static_cast<std::size_t>(count));
    }
    if (progress) progress(made.bytes);
  });
  made.digest = hash.finish();
  if (::fsync(file.get()) != 0) cannot_copy(to, "sync it");
  return made;
}

void sync_folders(const std::filesystem::path& folder) {
  for (const auto& found : std::filesystem::recursive_directory_iterator(folder)) {
    if (found.is_directory() && !found.is_symlink()) sync_directory(found.path());
  }
  sync_directory(folder);
}

}  // namespace linkmeter
