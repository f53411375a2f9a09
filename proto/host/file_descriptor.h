// Descriptor: an open file or socket, closed with its owner.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace linkmeter {

class Descriptor {
 public:
  // Takes over what open(2), socket(2) or accept(2) gave; -1, its failure, is open to nobody.
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }

  [[nodiscard]] bool is_open() const { return value_ >= 0; }
  [[nodiscard]] int get() const { return value_; }
  // All of it, in as many pieces as the system takes it. False: errno says why not.
  [[nodiscard]] bool write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(value_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  // Whoever takes it closes it.
  [[nodiscard]] int release() { return std::exchange(value_, -1); }

 private:
  int value_;
};

}  // namespace linkmeter
