#include "proto/host/shutdown_signal.h"

#include <signal.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "proto/host/fault.h"

namespace linkmeter {

ShutdownSignal::ShutdownSignal() {
  sigset_t signals{};
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signals_ = FileDescriptor(signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!signals_.is_open())
    throw Fault(std::string("cannot listen for signals: ") + std::strerror(errno));
}

}  // namespace linkmeter
