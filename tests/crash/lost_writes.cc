// Preloaded into a program (LD_PRELOAD): records the changes to its files that are not synced, so
// that a power cut can lose them (crash/write_log.h has the variables). With $LINKMETER_LOST_NOSYNC
// it opens LMDB with MDB_NOSYNC: the judge must find that program's losses.
//
// It records the calls that the programs and LMDB use here; without MDB_WRITEMAP nothing is written
// through the map. It ignores locks, sockets and pipes.
#include <fcntl.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/crash/preloaded.h"
#include "tests/crash/write_log.h"

namespace {

using linkmeter::original;
using linkmeter::WriteLog;

std::string path_of(int file) {
  std::array<char, 4096> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  return {target.data(), length < 0 ? 0 : static_cast<std::size_t>(length)};
}

std::string absolute(const char* path) {
  if (*path == '/') return path;
  std::array<char, 4096> folder{};
  if (::getcwd(folder.data(), folder.size()) == nullptr) ::abort();
  return std::string(folder.data()) + '/' + path;
}

bool is_there(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

// `place`: -1 is the file's current position.
template <class Write>
ssize_t watched_write(int file, off_t place, std::size_t length, const Write& write) {
  if (!WriteLog::watches(path_of(file))) return write();
  WriteLog& log = WriteLog::of_this_program();
  const int flags = ::fcntl(file, F_GETFL);
  const int from = (flags & O_APPEND) != 0 ? SEEK_END : SEEK_CUR;
  const WriteLog::Number number =
      log.will_write(file, place < 0 ? ::lseek(file, 0, from) : place, length);
  log.step();
  const ssize_t result = write();
  const int error = errno;
  if (result < 0 || (flags & O_DSYNC) != 0) log.settle(number);
  log.step();
  errno = error;
  return result;
}

template <class Sync>
int watched_sync(int file, const Sync& sync) {
  if (!WriteLog::watches(path_of(file) + "/")) return sync();
  WriteLog& log = WriteLog::of_this_program();
  log.step();
  const WriteLog::Number last = log.last();
  const int result = sync();
  const int error = errno;
  if (result == 0) log.settle_all(file, last);
  log.step();
  errno = error;
  return result;
}

// A change of a folder: `will` records it.
template <class Will, class Change>
auto watched_change(const std::string& path, const Will& will, const Change& change) {
  if (!WriteLog::watches(path)) return change();
  WriteLog& log = WriteLog::of_this_program();
  const WriteLog::Number number = will(log);
  log.step();
  const auto result = change();
  const int error = errno;
  if (result == decltype(result)(-1)) log.settle(number);
  log.step();
  errno = error;
  return result;
}

template <class Change>
int watched_making(const char* path, const Change& change) {
  const std::string whole = absolute(path);
  if (is_there(whole)) return change();
  return watched_change(
      whole, [&](WriteLog& log) { return log.will_make(whole); }, change);
}

template <class Change>
int watched_removal(const char* path, const Change& change) {
  const std::string whole = absolute(path);
  return watched_change(
      whole, [&](WriteLog& log) { return log.will_remove(whole); }, change);
}

template <class Change>
int watched_move(const char* from, const char* to, const Change& change) {
  const std::string old_path = absolute(from), new_path = absolute(to);
  return watched_change(
      new_path, [&](WriteLog& log) { return log.will_move(old_path, new_path); }, change);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  static const auto next = original<decltype(open)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  const auto change = [&] { return next(path, flags, mode); };
  return (flags & O_CREAT) != 0 ? watched_making(path, change) : change();
}

FILE* fopen64(const char* path, const char* mode) {
  static const auto next = original<decltype(fopen64)>("fopen64");
  FILE* file = nullptr;
  const auto change = [&] {
    file = next(path, mode);
    return file == nullptr ? -1 : 0;
  };
  *mode == 'r' ? change() : watched_making(path, change);
  return file;
}

int mkdir(const char* path, mode_t mode) {
  static const auto next = original<decltype(mkdir)>("mkdir");
  return watched_making(path, [&] { return next(path, mode); });
}

int rename(const char* from, const char* to) {
  static const auto next = original<decltype(rename)>("rename");
  return watched_move(from, to, [&] { return next(from, to); });
}

int renameat2(int from_at, const char* from, int to_at, const char* to, unsigned int flags) {
  static const auto next = original<decltype(renameat2)>("renameat2");
  return watched_move(from, to, [&] { return next(from_at, from, to_at, to, flags); });
}

int unlink(const char* path) {
  static const auto next = original<decltype(unlink)>("unlink");
  return watched_removal(path, [&] { return next(path); });
}

int unlinkat(int folder, const char* path, int flags) {
  static const auto next = original<decltype(unlinkat)>("unlinkat");
  const std::string whole =
      *path == '/' || folder == AT_FDCWD ? path : path_of(folder) + '/' + path;
  return watched_removal(whole.c_str(), [&] { return next(folder, path, flags); });
}

int remove(const char* path) {
  static const auto next = original<decltype(remove)>("remove");
  return watched_removal(path, [&] { return next(path); });
}

ssize_t write(int file, const void* bytes, size_t length) {
  static const auto next = original<decltype(write)>("write");
  return watched_write(file, -1, length, [&] { return next(file, bytes, length); });
}

ssize_t pwrite(int file, const void* bytes, size_t length, off_t place) {
  static const auto next = original<decltype(pwrite)>("pwrite");
  return watched_write(file, place, length, [&] { return next(file, bytes, length, place); });
}

ssize_t writev(int file, const iovec* parts, int count) {
  static const auto next = original<decltype(writev)>("writev");
  std::size_t length = 0;
  for (int at = 0; at < count; ++at) length += parts[at].iov_len;
  return watched_write(file, -1, length, [&] { return next(file, parts, count); });
}

int fdatasync(int file) {
  static const auto next = original<decltype(fdatasync)>("fdatasync");
  return watched_sync(file, [&] { return next(file); });
}

int fsync(int file) {
  static const auto next = original<decltype(fsync)>("fsync");
  return watched_sync(file, [&] { return next(file); });
}

int mdb_env_open(MDB_env* environment, const char* path, unsigned int flags, mdb_mode_t mode) {
  static const auto next = original<decltype(mdb_env_open)>("mdb_env_open");
  const unsigned int more = std::getenv("LINKMETER_LOST_NOSYNC") == nullptr ? 0 : MDB_NOSYNC;
  return next(environment, path, flags | more, mode);
}

}  // extern "C"
