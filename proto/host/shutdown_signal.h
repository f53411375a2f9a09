// ShutdownSignal: SIGINT and SIGTERM as something to poll, so that they end a program between two
// steps and never inside one. REQUIRES: made before any thread is (threads inherit what is
// blocked).
#pragma once

namespace linkmeter {

class ShutdownSignal {
 public:
  // Throws Fault.
  ShutdownSignal();
  ShutdownSignal(const ShutdownSignal&) = delete;
  ShutdownSignal& operator=(const ShutdownSignal&) = delete;
  ~ShutdownSignal();

  // Readable as soon as a signal came.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace linkmeter
