// WriterLock: who may write to a journal's folder. One process at a time; it holds the lock on the
// file controller.lock for as long as it lives, and the lock goes with it, however it ends.
#pragma once

#include <filesystem>

namespace linkmeter {

class WriterLock {
 public:
  // Throws Fault if another process holds the lock.
  explicit WriterLock(const std::filesystem::path& folder);
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;
  ~WriterLock();

  // Does any process hold it?
  static bool is_held(const std::filesystem::path& folder);

 private:
  int file_ = -1;
};

}  // namespace linkmeter
