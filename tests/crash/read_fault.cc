// Preloaded into a program (LD_PRELOAD): the first read of the file $LINKMETER_READ_FAULT succeeds,
// and every later read of it fails with EIO, as on a disk with a bad sector.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/crash/preloaded.h"

namespace {

bool is_file_with_fault(int file) {
  const char* const fault = std::getenv("LINKMETER_READ_FAULT");
  if (fault == nullptr) return false;
  std::array<char, 4096> target{};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
  return std::string_view(target.data(), length < 0 ? 0 : static_cast<std::size_t>(length)) ==
         fault;
}

}  // namespace

extern "C" {

ssize_t read(int file, void* bytes, size_t length) {
  static const auto next = linkmeter::original<decltype(read)>("read");
  static bool has_read = false;
  if (is_file_with_fault(file)) {
    if (has_read) {
      errno = EIO;
      return -1;
    }
    has_read = true;
  }
  return next(file, bytes, length);
}

}  // extern "C"
