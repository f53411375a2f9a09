// FileDescriptor: an open file or socket that is closed with its owner.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace linkmeter {

class FileDescriptor {
 public:
  // Takes ownership of the result of open(2), socket(2) or accept(2). -1, their failure, means not
  // open.
  explicit FileDescriptor(int value = -1) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (value_ >= 0) ::close(value_);
  }

  [[nodiscard]] bool is_open() const { return value_ >= 0; }
  [[nodiscard]] int get() const { return value_; }
  // Writes all bytes, in as many calls as needed. False: errno gives the reason.
  [[nodiscard]] bool write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(value_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  // Gives up ownership; the caller must close the descriptor.
  [[nodiscard]] int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

}  // namespace linkmeter
