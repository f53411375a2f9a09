// StopSignal: SIGINT and SIGTERM as something to poll, so that they end the program between two
// turns and never inside one. REQUIRES: made before any thread is (threads inherit what is
// blocked).
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
  [[nodiscard]] int file() const { return file_; }

 private:
  int file_ = -1;
};

}  // namespace linkmeter
