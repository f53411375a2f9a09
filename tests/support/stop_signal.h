// StopSignal: the stop signal of a program, for a test that runs its main loop. It is blocked from
// before any thread, and not left to later tests.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "proto/host/shutdown_signal.h"

namespace linkmeter {

class StopSignal {
 public:
  StopSignal() = default;
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal() {
    sigset_t signals{};
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    const timespec none{};
    while (::sigtimedwait(&signals, nullptr, &none) > 0) {
    }
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
  [[nodiscard]] const ShutdownSignal& signal() const { return signal_; }

 private:
  ShutdownSignal signal_;
};

}  // namespace linkmeter
