// ProcessLimit: lowers one system limit of this process (getrlimit) while it lives, so that a call
// fails that hardly ever does.
#pragma once

#include <signal.h>
#include <sys/resource.h>

#include <cerrno>
#include <exception>
#include <system_error>

namespace linkmeter {

class ProcessLimit {
 public:
  // ProcessLimit(RLIMIT_NOFILE, 0): no file can be opened. ProcessLimit(RLIMIT_FSIZE, 0): nothing
  // can be written to a file.
  ProcessLimit(__rlimit_resource resource, rlim_t most) : resource_(resource) {
    const bool known = ::getrlimit(resource_, &before_) == 0;
    rlimit lower = before_;
    lower.rlim_cur = most;
    if (!known || ::setrlimit(resource_, &lower) != 0) {
      throw std::system_error(errno, std::generic_category());
    }
    // A write over the limit fails instead of ending the process.
    signal_before_ = ::signal(SIGXFSZ, SIG_IGN);
  }
  ProcessLimit(const ProcessLimit&) = delete;
  ProcessLimit& operator=(const ProcessLimit&) = delete;
  ~ProcessLimit() {
    ::setrlimit(resource_, &before_);
    ::signal(SIGXFSZ, signal_before_);
  }

 private:
  __rlimit_resource resource_;
  rlimit before_{};
  sighandler_t signal_before_ = SIG_DFL;
};

// Rethrows the call's exception after the limit is restored, because a sanitizer opens files to
// look at an exception.
template <class Call>
void under_limit(__rlimit_resource resource, rlim_t most, const Call& call) {
  std::exception_ptr thrown;
  {
    const ProcessLimit limit(resource, most);
    try {
      call();
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace linkmeter
