// ShutdownSignal: SIGINT and SIGTERM as a descriptor to poll, so that a signal ends a program
// between two steps and never inside one. REQUIRES: constructed before any thread starts, because
// threads inherit the blocked signals.
#pragma once

namespace linkmeter {

class ShutdownSignal {
 public:
  // Throws Fault.
  ShutdownSignal();
  ShutdownSignal(const ShutdownSignal&) = delete;
  ShutdownSignal& operator=(const ShutdownSignal&) = delete;
  ~ShutdownSignal();

  // Readable once a signal has arrived.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace linkmeter
