#include "table-agent/stop_signal.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

#include "meters/codec/fault.h"

namespace linkmeter {

StopSignal::StopSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  const int blocked = ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (blocked != 0 || descriptor_ < 0) throw Fault("cannot wait for signals");
}

StopSignal::~StopSignal() { ::close(descriptor_); }

}  // namespace linkmeter
