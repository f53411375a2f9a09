#include "proto/host/shutdown_signal.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "proto/host/fault.h"
#include "tests/support/process_limit.h"

namespace linkmeter::shutdown_signal_test {
namespace {

// Restores this thread's signal mask.
class SignalMask {
 public:
  SignalMask() { ::pthread_sigmask(SIG_SETMASK, nullptr, &before_); }
  SignalMask(const SignalMask&) = delete;
  SignalMask& operator=(const SignalMask&) = delete;
  ~SignalMask() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

bool is_readable(const ShutdownSignal& signal) {
  pollfd asked{signal.descriptor(), POLLIN, 0};
  return ::poll(&asked, 1, 0) == 1;
}

}  // namespace

TEST_CASE("a stop signal makes the descriptor readable and does not end the program") {
  const SignalMask mask;
  const ShutdownSignal signal;
  for (const int number : {SIGTERM, SIGINT}) {
    CHECK_FALSE(is_readable(signal));
    REQUIRE_EQ(::raise(number), 0);
    CHECK(is_readable(signal));
    signalfd_siginfo told{};
    REQUIRE_EQ(::read(signal.descriptor(), &told, sizeof told), sizeof told);
    CHECK_EQ(told.ssi_signo, static_cast<unsigned>(number));
  }
  CHECK_FALSE(is_readable(signal));
}

TEST_CASE("a failure to listen for signals is a Fault") {
  const SignalMask mask;
  CHECK_THROWS_WITH_AS(under_limit(RLIMIT_NOFILE, 0, [] { const ShutdownSignal signal; }),
                       "cannot listen for signals: Too many open files", Fault);
}

}  // namespace linkmeter::shutdown_signal_test
