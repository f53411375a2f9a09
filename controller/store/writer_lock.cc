#include "controller/store/writer_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

std::filesystem::path lock_path(const std::filesystem::path& folder) {
  return folder / "controller.lock";
}

}  // namespace

WriterLock::WriterLock(const std::filesystem::path& folder)
    : file_(::open(lock_path(folder).c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)) {
  if (file_ < 0) {
    throw Fault(lock_path(folder).string() + ": cannot open it: " + std::strerror(errno));
  }
  // is_held() holds the lock for an instant: retry.
  constexpr int tries_max = 20;
  constexpr int pause_ms = 10;
  bool held = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
  for (int tries = 1; !held && tries < tries_max; ++tries) {
    ::poll(nullptr, 0, pause_ms);
    held = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
  }
  if (held) return;
  ::close(file_);
  throw Fault("journal " + folder.string() + " is in use by another controller");
}

WriterLock::~WriterLock() { ::close(file_); }

bool WriterLock::is_held(const std::filesystem::path& folder) {
  const int file = ::open(lock_path(folder).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return held;
}

}  // namespace linkmeter
