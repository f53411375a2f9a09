// ShutdownSignal: SIGINT and SIGTERM as a descriptor to poll, so that a signal ends a program
// between two steps and never inside one. REQUIRES: constructed before any thread starts, because
// threads inherit the blocked signals.
#pragma once

#include "proto/host/file_descriptor.h"

namespace linkmeter {

class ShutdownSignal {
 public:
  // Throws Fault.
  ShutdownSignal();

  // Readable once a signal has arrived.
  [[nodiscard]] int descriptor() const { return signals_.get(); }

 private:
  FileDescriptor signals_;
};

}  // namespace linkmeter
