#include "proto/host/byte_port.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "meters/values/invariant.h"
#include "meters/values/number.h"

namespace linkmeter {

namespace {

constexpr std::string_view unix_kind = "unix:";
constexpr std::string_view tcp_kind = "tcp:";
constexpr std::string_view serial_kind = "serial:";
constexpr std::string_view loopback_4 = "127.0.0.1";
constexpr std::string_view loopback_6 = "[::1]";
constexpr std::size_t path_size = sizeof(sockaddr_un::sun_path);
constexpr std::int64_t reopen_us = 200'000;
constexpr std::int64_t flush_us = 10'000;
constexpr std::size_t turn_bytes_max = 65'536;
constexpr std::size_t unwritten_bytes_max = 65'536;
constexpr unsigned baud_default = 115'200;

constexpr std::array<std::pair<unsigned, speed_t>, 8> bauds{{{9'600, B9600},
                                                             {19'200, B19200},
                                                             {38'400, B38400},
                                                             {57'600, B57600},
                                                             {115'200, B115200},
                                                             {230'400, B230400},
                                                             {460'800, B460800},
                                                             {921'600, B921600}}};

std::optional<speed_t> find_baud(std::uint64_t baud) {
  for (const auto& [known, speed] : bauds) {
    if (known == baud) return speed;
  }
  return std::nullopt;
}

// Splits the part after "tcp:" into HOST and PORT.
std::pair<std::string_view, std::string_view> split_tcp(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return {address, {}};
  return {address.substr(0, colon), address.substr(colon + 1)};
}

// Splits the part after "serial:" into DEVICE and BAUD. BAUD may be "".
std::pair<std::string, std::string_view> split_serial(std::string_view address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string_view::npos) return {std::string(address), {}};
  return {std::string(address.substr(0, colon)), address.substr(colon + 1)};
}

std::string unix_mistake(std::string_view path) {
  if (path.empty()) return "it has no path: unix:PATH";
  if (path.size() < path_size) return "";
  return "its path is not shorter than " + std::to_string(path_size) + " bytes";
}

std::string tcp_mistake(std::string_view address) {
  constexpr unsigned port_max = 65'535;
  const auto [host, port] = split_tcp(address);
  if (host != loopback_4 && host != loopback_6) {
    return "a device is reached by TCP on this machine only: tcp:127.0.0.1:PORT";
  }
  const auto number = parse_number(port);
  if (!number || *number < 1 || *number > port_max) return "a port is a number from 1 to 65535";
  return "";
}

std::string serial_mistake(std::string_view address) {
  const auto [path, baud] = split_serial(address);
  if (!path.starts_with('/')) return "a serial line is a path: serial:/dev/ttyUSB0";
  if (path.size() == address.size()) return "";
  const auto number = parse_number(baud);
  if (number && find_baud(*number)) return "";
  return "a speed is 9600, 19200, 38400, 57600, 115200, 230400, 460800 or 921600";
}

std::string mistake(const std::string& address) {
  const std::string_view text = address;
  const bool has_blank = std::any_of(text.begin(), text.end(), [](char letter) {
    return static_cast<unsigned char>(letter) <= ' ' || letter == '\x7f';
  });
  if (has_blank) return "the address of a device has no blanks";
  if (text.starts_with(unix_kind)) return unix_mistake(text.substr(unix_kind.size()));
  if (text.starts_with(tcp_kind)) return tcp_mistake(text.substr(tcp_kind.size()));
  if (text.starts_with(serial_kind)) return serial_mistake(text.substr(serial_kind.size()));
  return "a device is at unix:PATH, tcp:127.0.0.1:PORT or serial:/dev/ttyUSB0:115200";
}

class DescriptorPort final : public BytePort {
 public:
  explicit DescriptorPort(std::string address) : address_(std::move(address)) {}
  DescriptorPort(const DescriptorPort&) = delete;
  DescriptorPort& operator=(const DescriptorPort&) = delete;
  ~DescriptorPort() override { drop(); }

  bool open(Timestamp now) override {
    if (descriptor_ < 0) {
      if (now < open_due_) return false;
      open_due_ = now.after(reopen_us);
      begin();
      if (descriptor_ < 0) return false;
    }
    if (!is_connected_) await_connection(now);
    return is_connected_;
  }

  std::optional<std::string> read(Timestamp now) override {
    std::string bytes;
    std::array<char, 4'096> part{};
    while (descriptor_ >= 0 && bytes.size() < turn_bytes_max) {
      const ssize_t count = ::read(descriptor_, part.data(), part.size());
      if (count > 0) {
        bytes.append(part.data(), static_cast<std::size_t>(count));
        continue;
      }
      if (count < 0 && errno == EINTR) continue;
      if (count < 0 && errno == EAGAIN) break;
      // End of stream. Return the bytes before it first; the next call reports the end.
      if (!bytes.empty()) break;
      close(now);
    }
    if (descriptor_ < 0) return std::nullopt;
    return bytes;
  }

  void write(std::string_view bytes, Timestamp now) override {
    if (descriptor_ < 0) return;
    unwritten_ += bytes;
    while (!unwritten_.empty()) {
      const ssize_t count =
          is_serial() ? ::write(descriptor_, unwritten_.data(), unwritten_.size())
                      : ::send(descriptor_, unwritten_.data(), unwritten_.size(), MSG_NOSIGNAL);
      if (count > 0) {
        unwritten_.erase(0, static_cast<std::size_t>(count));
      } else if (errno == EAGAIN) {
        break;
      } else if (errno != EINTR) {
        return close(now);
      }
    }
    if (unwritten_.size() > unwritten_bytes_max) return close(now);
    flush_due_ = now.after(flush_us);
  }

  void close(Timestamp now) override {
    drop();
    open_due_ = now.after(reopen_us);
  }

  [[nodiscard]] int descriptor() const override { return is_connected_ ? descriptor_ : -1; }

  [[nodiscard]] std::optional<Timestamp> wakes_at() const override {
    if (descriptor_ < 0) return open_due_;
    if (!is_connected_ || !unwritten_.empty()) return flush_due_;
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_serial() const { return address_.starts_with(serial_kind); }

  void drop() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    is_connected_ = false;
    unwritten_.clear();
  }

  void begin() {
    const std::string_view address = address_;
    if (is_serial()) {
      begin_serial(address.substr(serial_kind.size()));
    } else if (address.starts_with(unix_kind)) {
      begin_unix(address.substr(unix_kind.size()));
    } else {
      begin_tcp(address.substr(tcp_kind.size()));
    }
  }

  void begin_unix(std::string_view path) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    std::copy(path.begin(), path.end(), std::begin(to.sun_path));
    connect_to(AF_UNIX, &to, sizeof to);
  }

  void begin_tcp(std::string_view address) {
    const auto [host, port_text] = split_tcp(address);
    const auto port = static_cast<std::uint16_t>(parse_number(port_text).value_or(0));
    if (host == loopback_4) {
      sockaddr_in to{};
      to.sin_family = AF_INET;
      to.sin_port = htons(port);
      to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      connect_to(AF_INET, &to, sizeof to);
    } else {
      sockaddr_in6 to{};
      to.sin6_family = AF_INET6;
      to.sin6_port = htons(port);
      to.sin6_addr = in6addr_loopback;
      connect_to(AF_INET6, &to, sizeof to);
    }
    const int on = 1;
    if (descriptor_ >= 0) ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }

  void connect_to(int family, const void* to, socklen_t size) {
    descriptor_ = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor_ < 0) return;
    if (::connect(descriptor_, static_cast<const sockaddr*>(to), size) == 0) {
      is_connected_ = true;
    } else if (errno != EINPROGRESS) {
      drop();
    }
  }

  // Checks whether a TCP connection that was started is established.
  void await_connection(Timestamp now) {
    flush_due_ = now.after(flush_us);
    pollfd asked{descriptor_, POLLOUT, 0};
    if (::poll(&asked, 1, 0) <= 0) return;
    int error = 0;
    socklen_t size = sizeof error;
    if (::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
      close(now);
    } else {
      is_connected_ = true;
    }
  }

  // Raw mode: eight bits, no parity, no echo, no flow control, no translation.
  void begin_serial(std::string_view address) {
    const auto [path, baud] = split_serial(address);
    descriptor_ = ::open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor_ < 0) return;
    termios settings{};
    if (::tcgetattr(descriptor_, &settings) != 0) return drop();  // not a serial line
    ::cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;
    settings.c_cflag &= ~static_cast<tcflag_t>(CRTSCTS | CSTOPB);
    const speed_t speed =
        find_baud(baud.empty() ? baud_default : parse_number(baud).value_or(0)).value_or(B115200);
    ::cfsetispeed(&settings, speed);
    ::cfsetospeed(&settings, speed);
    if (::tcsetattr(descriptor_, TCSANOW, &settings) != 0) return drop();
    ::tcflush(descriptor_, TCIFLUSH);  // drop bytes from before the connection
    is_connected_ = true;
  }

  std::string address_;
  int descriptor_ = -1;
  bool is_connected_ = false;
  std::string unwritten_;
  Timestamp open_due_, flush_due_;
};

}  // namespace

std::string device_address_mistake(const std::string& address) {
  const std::string why = mistake(address);
  return why.empty() ? "" : "is \"" + address + "\"; " + why;
}

std::unique_ptr<BytePort> open_byte_port(const std::string& address) {
  INVARIANT(device_address_mistake(address).empty());
  return std::make_unique<DescriptorPort>(address);
}

}  // namespace linkmeter
