#include "proto/host/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr off_t size_max = off_t{256} << 20U;

[[noreturn]] void fail_to(const std::filesystem::path& path, const char* doing) {
  throw Fault(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

// `named`: the file name for error messages.
FileDescriptor opened_new(const std::filesystem::path& path, mode_t mode,
                          const std::filesystem::path& named) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail_to(path, "make room for it");
  // The file was just created with O_EXCL, so no other process has it open.
  FileDescriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file.is_open()) fail_to(named, "write it");
  return file;
}

}  // namespace

std::optional<std::string> read_file(const std::filesystem::path& path, Links links) {
  // Without O_NONBLOCK, open() of a named pipe would block; a folder to verify may contain one.
  const int refused = links == Links::refuse ? O_NOFOLLOW : 0;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | refused));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_size > size_max) {
    errno = S_ISREG(status.st_mode) ? EFBIG : EINVAL;
    return std::nullopt;
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t read = 0;
  while (read < text.size()) {
    const ssize_t count = ::read(file.get(), text.data() + read, text.size() - read);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    read += static_cast<std::size_t>(count);
  }
  text.resize(read);
  return text;
}

FileDescriptor new_file(const std::filesystem::path& path, mode_t mode) {
  return opened_new(path, mode, path);
}

void replace_atomically(const std::filesystem::path& path, std::string_view text, mode_t mode) {
  const std::filesystem::path draft = path.string() + ".new";
  {
    const FileDescriptor file = opened_new(draft, mode, path);
    if (!file.write_all(text) || ::fchmod(file.get(), mode) != 0) fail_to(path, "write it");
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) fail_to(path, "write it");
}

void write_atomically(const std::filesystem::path& path, std::string_view text, mode_t mode) {
  const std::filesystem::path draft = path.string() + ".new";
  {
    const FileDescriptor file = opened_new(draft, mode, path);
    if (!file.write_all(text)) fail_to(path, "write it");
    if (::fsync(file.get()) != 0) fail_to(path, "sync it");
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) fail_to(path, "write it");
  sync_directory(path.has_parent_path() ? path.parent_path() : std::filesystem::path("."));
}

void sync_file(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open() || ::fsync(file.get()) != 0) fail_to(path, "sync it");
}

void sync_directory(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open()) fail_to(path, "open it");
  if (::fsync(file.get()) != 0) fail_to(path, "sync it");
}

}  // namespace linkmeter
