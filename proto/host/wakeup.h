// Wakeup: lets one thread wake another that polls its descriptor (eventfd(2)).
#pragma once

#include <sys/eventfd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

class Wakeup {
 public:
  // Throws Fault.
  Wakeup() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_.is_open()) {
      throw Fault(std::string("cannot make an eventfd: ") + std::strerror(errno));
    }
  }
  // Readable from signal() until clear().
  [[nodiscard]] int descriptor() const { return event_.get(); }
  void signal() const { ::eventfd_write(event_.get(), 1); }
  // Call it before looking for work: work that comes later signals again.
  void clear() const {
    eventfd_t count = 0;
    ::eventfd_read(event_.get(), &count);
  }

 private:
  FileDescriptor event_;
};

}  // namespace linkmeter
