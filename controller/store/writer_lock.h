// WriterLock: the lock of the one process that may write to a journal's folder. It locks the file
// controller.lock for the life of the process; the system releases it when the process ends.
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

  // Whether any process holds it.
  static bool is_held(const std::filesystem::path& folder);

 private:
  int file_ = -1;
};

}  // namespace linkmeter
