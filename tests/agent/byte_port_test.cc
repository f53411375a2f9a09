#include "proto/host/byte_port.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "proto/host/file_descriptor.h"
#include "tests/support/process_limit.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::byte_port_test {
namespace {

Timestamp at(std::int64_t milliseconds) {
  return Timestamp::from_microseconds(1'000 * milliseconds);
}

// A listener that the port connects to, and its end of the connection.
class Listener {
 public:
  explicit Listener(const std::string& path) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), std::begin(where.sun_path));
    listen_at(AF_UNIX, &where, sizeof where);
  }
  Listener() {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listen_at(AF_INET, &where, sizeof where);
    socklen_t size = sizeof where;
    ::getsockname(descriptor_, static_cast<sockaddr*>(static_cast<void*>(&where)), &size);
    port_ = ntohs(where.sin_port);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() {
    hang_up();
    ::close(descriptor_);
  }
  [[nodiscard]] int port() const { return port_; }
  void accept() {
    hang_up();
    connection_ = ::accept(descriptor_, nullptr, nullptr);
    REQUIRE_GE(connection_, 0);
  }
  void hang_up() {
    if (connection_ >= 0) ::close(connection_);
    connection_ = -1;
  }
  void send(const std::string& bytes) const {
    REQUIRE_EQ(::write(connection_, bytes.data(), bytes.size()), bytes.size());
  }
  [[nodiscard]] std::string receive() const {
    std::array<char, 100> bytes{};
    const ssize_t count = ::read(connection_, bytes.data(), bytes.size());
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  }

 private:
  void listen_at(int family, void* where, socklen_t size) {
    descriptor_ = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE_EQ(::bind(descriptor_, static_cast<sockaddr*>(where), size), 0);
    REQUIRE_EQ(::listen(descriptor_, 1), 0);
  }
  int descriptor_ = -1, connection_ = -1, port_ = 0;
};

// A port of this machine that is bound but does not listen: connections are refused.
class ClosedPort {
 public:
  explicit ClosedPort(int family) : socket_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_addr = in6addr_loopback;
    const bool is_four = family == AF_INET;
    void* const where = is_four ? static_cast<void*>(&four) : &six;
    socklen_t size = is_four ? sizeof four : sizeof six;
    // Without IPv6, no IPv6 port listens anyway.
    if (::bind(socket_.get(), static_cast<sockaddr*>(where), size) != 0) return;
    ::getsockname(socket_.get(), static_cast<sockaddr*>(where), &size);
    port_ = ntohs(is_four ? four.sin_port : six.sin6_port);
  }
  [[nodiscard]] int port() const { return port_; }

 private:
  FileDescriptor socket_;
  int port_ = 1;
};

// Bytes on this machine arrive soon, but not always at once.
std::string read_some(BytePort& port) {
  std::string bytes;
  for (int tries = 0; bytes.empty() && tries < 10'000; ++tries) {
    const auto part = port.read(at(0));
    if (!part) return "gone";
    bytes += *part;
    if (bytes.empty()) ::usleep(100);
  }
  return bytes;
}

void talk(BytePort& port, Listener& listener) {
  for (int tries = 0; !port.open(at(1'000 + tries)) && tries < 1'000; ++tries) ::usleep(100);
  listener.accept();
  listener.send("hello\n");
  CHECK_EQ(read_some(port), "hello\n");
  port.write("there\n", at(0));
  CHECK_EQ(listener.receive(), "there\n");
}

}  // namespace

TEST_CASE("an address is one of three kinds, and TCP stays on this machine") {
  for (const char* good :
       {"unix:/run/device", "unix:device", "tcp:127.0.0.1:9000", "tcp:[::1]:9000",
        "serial:/dev/ttyUSB0", "serial:/dev/ttyUSB0:9600", "serial:/dev/ttyUSB0:115200"}) {
    CAPTURE(good);
    CHECK_EQ(device_address_mistake(good), "");
  }
  for (const char* away : {"tcp:0.0.0.0:9000", "tcp:192.168.1.7:9000", "tcp:localhost:9000",
                           "tcp:*:9000", "tcp::9000", "tcp:9000", "tcp:127.0.0.2:9000"}) {
    CAPTURE(away);
    CHECK_EQ(device_address_mistake(away),
             "is \"" + std::string(away) +
                 "\"; a device is reached by TCP on this machine only: tcp:127.0.0.1:PORT");
  }
  for (const char* port : {"tcp:127.0.0.1:0", "tcp:127.0.0.1:65536",
                           "tcp:127.0.0.1:", "tcp:[::1]:x", "tcp:127.0.0.1:90x"}) {
    CAPTURE(port);
    CHECK(device_address_mistake(port).ends_with("a port is a number from 1 to 65535"));
  }
  CHECK(device_address_mistake("unix:").ends_with("it has no path: unix:PATH"));
  CHECK(device_address_mistake("unix:" + std::string(108, 'x')).ends_with("108 bytes"));
  CHECK(device_address_mistake("serial:ttyUSB0").ends_with("serial:/dev/ttyUSB0"));
  CHECK(device_address_mistake("serial:/dev/ttyUSB0:1200").find("a speed is") != std::string::npos);
  CHECK(device_address_mistake("serial:/dev/ttyUSB0:").find("a speed is") != std::string::npos);
  CHECK(device_address_mistake("unix:/a b").ends_with("has no blanks"));
  CHECK(device_address_mistake("unix:/a\x7f"
                               "b")
            .ends_with("has no blanks"));
  CHECK(device_address_mistake("/dev/ttyUSB0").find("a device is at") != std::string::npos);
}

TEST_CASE("a Unix socket may disappear and come back") {
  const ScopedDirectory directory;
  const std::string path = directory.path() / "device";
  const auto port = open_byte_port("unix:" + path);
  CHECK_FALSE(port->open(at(0)));
  CHECK_EQ(port->descriptor(), -1);
  Listener listener(path);
  CHECK_FALSE(port->open(at(100)));  // at its own pace
  CHECK((port->wakes_at() == at(200)));
  REQUIRE(port->open(at(200)));
  talk(*port, listener);
  listener.send("last\n");
  listener.hang_up();
  CHECK_EQ(read_some(*port), "last\n");
  CHECK_EQ(read_some(*port), "gone");
  CHECK_FALSE(port->open(at(100)));
  REQUIRE(port->open(at(200)));
  talk(*port, listener);
}

TEST_CASE("a device over TCP on this machine") {
  Listener listener;
  const auto port = open_byte_port("tcp:127.0.0.1:" + std::to_string(listener.port()));
  talk(*port, listener);
}

TEST_CASE("a device that takes nothing is closed, and nothing waits for it") {
  Listener listener;
  const auto port = open_byte_port("tcp:127.0.0.1:" + std::to_string(listener.port()));
  talk(*port, listener);
  const std::string much(100'000, 'x');
  for (int times = 0; port->descriptor() >= 0 && times < 1'000; ++times) port->write(much, at(0));
  CHECK_EQ(port->descriptor(), -1);
}

TEST_CASE("a serial line is opened in raw mode (pseudo-terminal)") {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) {
    MESSAGE("this machine has no pseudo-terminals: the serial line is not tried");
    return;
  }
  const auto port = open_byte_port("serial:" + std::string(::ptsname(master)) + ":9600");
  REQUIRE(port->open(at(0)));
  // A raw line gives none of these bytes a meaning.
  const std::string sent = "1 bets open\x03\x13\r\n";
  REQUIRE_EQ(::write(master, sent.data(), sent.size()), sent.size());
  CHECK_EQ(read_some(*port), sent);
  port->write("0 ok 1\n", at(0));
  std::array<char, 100> bytes{};
  const ssize_t count = ::read(master, bytes.data(), bytes.size());
  CHECK_EQ(std::string(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))),
           "0 ok 1\n");  // neither an echo before it nor a carriage return in it
  ::close(master);
  CHECK_EQ(read_some(*port), "gone");
}

TEST_CASE("a serial line has a default speed") {
  const FileDescriptor master(::posix_openpt(O_RDWR | O_NOCTTY));
  if (!master.is_open() || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0) {
    MESSAGE("this machine has no pseudo-terminals: the serial line is not tried");
    return;
  }
  const std::string line = ::ptsname(master.get());
  for (const auto& [submitted, speed] : {std::pair("", B115200), {":9600", B9600}}) {
    const auto port = open_byte_port("serial:" + line + submitted);
    REQUIRE(port->open(at(0)));
    termios settings{};
    REQUIRE_EQ(::tcgetattr(port->descriptor(), &settings), 0);
    CHECK_EQ(::cfgetispeed(&settings), speed);
    CHECK_EQ(::cfgetospeed(&settings), speed);
  }
}

TEST_CASE("bytes that a device does not accept at once are sent later") {
  const ScopedDirectory directory;
  const std::string path = directory.path() / "device";
  Listener listener(path);
  const auto port = open_byte_port("unix:" + path);
  talk(*port, listener);
  CHECK_FALSE(port->wakes_at().has_value());
  const std::string part(10'000, 'x');
  std::size_t sent = 0;
  for (; !port->wakes_at() && sent < 10'000'000; sent += part.size()) port->write(part, at(5));
  CHECK((port->wakes_at() == at(15)));
  REQUIRE_GE(port->descriptor(), 0);
  std::size_t received = 0;
  for (int tries = 0; received < sent && tries < 1'000'000; ++tries) {
    received += listener.receive().size();
    port->write("", at(20));
  }
  CHECK_EQ(received, sent);
  CHECK_FALSE(port->wakes_at().has_value());
}

TEST_CASE("one turn reads a bounded amount from a device that sends a lot") {
  const ScopedDirectory directory;
  const std::string path = directory.path() / "device";
  Listener listener(path);
  const auto port = open_byte_port("unix:" + path);
  talk(*port, listener);
  listener.send(std::string(100'000, 'x'));
  const auto first = port->read(at(0));
  REQUIRE(first.has_value());
  CHECK_GE(first->size(), 65'536);
  CHECK_LT(first->size(), 70'000);
  const auto rest = port->read(at(0));
  REQUIRE(rest.has_value());
  CHECK_EQ(first->size() + rest->size(), 100'000);
}

TEST_CASE("a lost device is detected by a read and by a write") {
  const ScopedDirectory directory;
  const std::string path = directory.path() / "device";
  Listener listener(path);
  const auto port = open_byte_port("unix:" + path);
  talk(*port, listener);
  listener.hang_up();
  port->write("nobody\n", at(0));
  CHECK_EQ(port->descriptor(), -1);
  CHECK((port->wakes_at() == at(200)));
  CHECK_FALSE(port->read(at(1)).has_value());
  port->write("nobody\n", at(1));  // writing to a closed port has no effect
  CHECK_FALSE(port->open(at(199)));
  // Closing a connection with unread bytes of ours resets it.
  REQUIRE(port->open(at(200)));
  talk(*port, listener);
  port->write("unread\n", at(0));
  listener.hang_up();
  CHECK_EQ(read_some(*port), "gone");
}

TEST_CASE("a TCP connection that does not answer is awaited; a refused one fails at once") {
  const ClosedPort closed(AF_INET);
  const auto refused = open_byte_port("tcp:127.0.0.1:" + std::to_string(closed.port()));
  // The refusal takes only moments: until then the port checks again after 10 ms, from then on it
  // waits.
  int now = 0;
  for (; now < 10'000; now += 10) {
    REQUIRE_FALSE(refused->open(at(now)));
    if (refused->wakes_at() == at(now + 200)) break;
    ::usleep(100);
  }
  CHECK((refused->wakes_at() == at(now + 200)));
  CHECK_EQ(refused->descriptor(), -1);
  // Two connections wait to be accepted and fill the queue: the next one gets no answer.
  Listener listener;
  const std::string address = "tcp:127.0.0.1:" + std::to_string(listener.port());
  const auto one = open_byte_port(address), two = open_byte_port(address),
             third = open_byte_port(address);
  for (BytePort* port : {one.get(), two.get()}) {
    for (int tries = 0; !port->open(at(tries)) && tries < 1'000; ++tries) ::usleep(100);
  }
  CHECK_FALSE(third->open(at(0)));
  CHECK_EQ(third->descriptor(), -1);
  CHECK((third->wakes_at() == at(10)));
  CHECK_FALSE(third->open(at(10)));
  CHECK((third->wakes_at() == at(20)));
}

TEST_CASE(
    "without IPv6 or without file descriptors no device is reached, and the port tries again") {
  const ClosedPort closed(AF_INET6);
  const auto far = open_byte_port("tcp:[::1]:" + std::to_string(closed.port()));
  CHECK_FALSE(far->open(at(0)));
  CHECK_EQ(far->descriptor(), -1);
  Listener listener;
  const auto port = open_byte_port("tcp:127.0.0.1:" + std::to_string(listener.port()));
  {
    const ProcessLimit nothing(RLIMIT_NOFILE, 0);
    CHECK_FALSE(port->open(at(0)));
    CHECK((port->wakes_at() == at(200)));
  }
  talk(*port, listener);
}

TEST_CASE("a regular file or a missing path is not a serial line") {
  const auto port = open_byte_port("serial:/dev/null");
  CHECK_FALSE(port->open(at(0)));
  CHECK_EQ(port->descriptor(), -1);
  const ScopedDirectory directory;
  const auto none = open_byte_port("serial:" + (directory.path() / "none").string());
  CHECK_FALSE(none->open(at(0)));
  CHECK((none->wakes_at() == at(200)));
}

}  // namespace linkmeter::byte_port_test
