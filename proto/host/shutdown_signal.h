// StopSignal: SIGINT and SIGTERM as something to poll, so that they end a program between two steps
// and never inside one. REQUIRES: made before any thread is (threads inherit what is blocked).
#pragma once

namespace linkmeter {

class StopSignal {
 public:
  // Throws Fault.
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  // Readable as soon as a signal came.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

}  // namespace linkmeter
