#include "proto/host/shutdown_signal.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

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
  descriptor_ = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
  if (descriptor_ < 0)
    throw Fault(std::string("cannot listen for signals: ") + std::strerror(errno));
}

ShutdownSignal::~ShutdownSignal() { ::close(descriptor_); }

}  // namespace linkmeter
