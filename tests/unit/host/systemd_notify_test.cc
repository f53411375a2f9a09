// What a service manager receives, through a socket in its place.
#include "proto/host/systemd_notify.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "proto/host/file_descriptor.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::systemd_notify_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Receives the notifications of this process while the object lives.
class Manager {
 public:
  explicit Manager(const char* watchdog_us = nullptr)
      : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    const std::string path = folder_.path() / "notify";
    REQUIRE_LT(path.size(), sizeof where.sun_path);
    std::copy(path.begin(), path.end(), std::begin(where.sun_path));
    REQUIRE_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&where), sizeof where), 0);
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    if (watchdog_us != nullptr) ::setenv("WATCHDOG_USEC", watchdog_us, 1);
  }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;
  ~Manager() {
    ::unsetenv("NOTIFY_SOCKET");
    ::unsetenv("WATCHDOG_USEC");
  }
  // The next notification; "" if there is none.
  [[nodiscard]] std::string heard() const {
    std::array<char, 1'000> bytes{};
    const ssize_t size = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  }

 private:
  ScopedDirectory folder_;
  FileDescriptor socket_;
};

}  // namespace

TEST_CASE("the status is one line, sent when it changes") {
  const Manager manager;
  SystemdNotify notice;
  notice.ready("two tables\nSTOPPING=1\x7f");
  CHECK_EQ(manager.heard(), "READY=1\nSTATUS=two tables STOPPING=1 ");
  notice.status("two tables STOPPING=1\t");
  CHECK_EQ(manager.heard(), "");
  notice.status("three tables");
  CHECK_EQ(manager.heard(), "STATUS=three tables");
  notice.status("three tables");
  CHECK_EQ(manager.heard(), "");
  notice.stopping();
  CHECK_EQ(manager.heard(), "STOPPING=1");
}

TEST_CASE("the watchdog is notified at half of its interval, and due() says when") {
  const Manager manager("2000000");
  SystemdNotify notice;
  notice.beat(seconds(5));
  CHECK_EQ(manager.heard(), "WATCHDOG=1");
  CHECK((notice.time_until_beat(seconds(5)) == seconds(1)));
  notice.beat(seconds(6) - microseconds(1));
  CHECK_EQ(manager.heard(), "");
  CHECK((notice.time_until_beat(seconds(6) - microseconds(1)) == milliseconds(1)));
  CHECK((notice.time_until_beat(seconds(7)) == milliseconds(0)));
  notice.beat(seconds(6));
  CHECK_EQ(manager.heard(), "WATCHDOG=1");
}

TEST_CASE("without a watchdog nothing is notified") {
  const Manager manager;
  SystemdNotify notice;
  notice.beat(seconds(5));
  CHECK_EQ(manager.heard(), "");
  CHECK((notice.time_until_beat(seconds(5)) >= std::chrono::minutes(1)));
}

}  // namespace linkmeter::systemd_notify_test
