// Preloaded into a controller or an agent (LD_PRELOAD): the disk under its journal or outbox fails
// as the number in the file $LINKMETER_DISK_FAULT says (preloaded.h). 0: it works. A positive
// number: every write fails with that errno (ENOSPC: full; EROFS: read-only; EIO: lost). A negative
// number: writes succeed and every sync fails. A number of at least 10,000: every sync succeeds,
// and takes so many microseconds longer.
#include <fcntl.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "tests/crash/preloaded.h"

namespace {

constexpr std::int64_t slowness_min = 10'000;

bool is_store(int file) {
  std::array<char, 4096> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  const std::string_view path(target.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
  return path.ends_with("/journal/data.mdb") || path.ends_with(".outbox/data.mdb");
}

// The errno with which this call must fail; 0: none.
int fault(int file, bool is_sync) {
  static const volatile std::int64_t* const ruling =
      linkmeter::ruling_number("LINKMETER_DISK_FAULT");
  const std::int64_t number = *ruling;
  const bool is_slow = number >= slowness_min;
  if (number == 0 || (number < 0 || is_slow) != is_sync || !is_store(file)) return 0;
  if (is_slow) {
    std::this_thread::sleep_for(std::chrono::microseconds(number));
    return 0;
  }
  return static_cast<int>(number < 0 ? -number : number);
}

template <class Call>
auto failing(int file, bool is_sync, const Call& call) -> decltype(call()) {
  const int error = fault(file, is_sync);
  if (error == 0) return call();
  errno = error;
  return -1;
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t length) {
  static const auto next = linkmeter::original<decltype(write)>("write");
  return failing(file, false, [&] { return next(file, bytes, length); });
}

ssize_t pwrite(int file, const void* bytes, size_t length, off_t place) {
  static const auto next = linkmeter::original<decltype(pwrite)>("pwrite");
  return failing(file, false, [&] { return next(file, bytes, length, place); });
}

ssize_t writev(int file, const iovec* parts, int count) {
  static const auto next = linkmeter::original<decltype(writev)>("writev");
  return failing(file, false, [&] { return next(file, parts, count); });
}

ssize_t pwritev(int file, const iovec* parts, int count, off_t place) {
  static const auto next = linkmeter::original<decltype(pwritev)>("pwritev");
  return failing(file, false, [&] { return next(file, parts, count, place); });
}

int fdatasync(int file) {
  static const auto next = linkmeter::original<decltype(fdatasync)>("fdatasync");
  return failing(file, true, [&] { return next(file); });
}

int fsync(int file) {
  static const auto next = linkmeter::original<decltype(fsync)>("fsync");
  return failing(file, true, [&] { return next(file); });
}

}  // extern "C"
