// Relay: a man in the middle between a table and the controller. It forwards both directions,
// records what the table sends, and can change one byte of it. It has no thread: the test calls
// pump().
#pragma once

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

namespace linkmeter {

// "tcp://127.0.0.1:7001"
inline sockaddr_in address_of(const std::string& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int port = std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

// A bare TCP connection.
class Wire {
 public:
  explicit Wire(int file) : file_(file) {}
  explicit Wire(const std::string& endpoint)
      : file_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in address = address_of(endpoint);
    REQUIRE(::connect(file_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  ~Wire() {
    if (file_ >= 0) ::close(file_);
  }

  [[nodiscard]] int file() const { return file_; }
  // REQUIRES: no file was taken yet.
  void take(int file) { file_ = file; }
  // Bytes that the other end does not read are ignored.
  void send(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t some = ::send(file_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (some <= 0) return;
      sent += static_cast<std::size_t>(some);
    }
  }
  // The bytes that arrive within that time; "" also at the end.
  [[nodiscard]] std::string receive(std::chrono::milliseconds wait) {
    pollfd item{file_, POLLIN, 0};
    if (::poll(&item, 1, static_cast<int>(wait.count())) <= 0) return "";
    std::array<char, 65'536> bytes{};
    const ssize_t length = ::recv(file_, bytes.data(), bytes.size(), 0);
    if (length > 0) return {bytes.data(), static_cast<std::size_t>(length)};
    has_ended_ = true;
    return "";
  }
  // The other end has closed it.
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] bool ends_within(std::chrono::milliseconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!has_ended_ && std::chrono::steady_clock::now() < until) {
      static_cast<void>(receive(std::chrono::milliseconds(50)));
    }
    return has_ended_;
  }

 private:
  int file_;
  bool has_ended_ = false;
};

class Relay {
 public:
  static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

  // Changes this byte of the table's stream.
  explicit Relay(const std::string& controller, std::size_t changed_at = nothing)
      : controller_(controller),
        changed_at_(changed_at),
        listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    const sockaddr_in address = address_of("tcp://127.0.0.1:0");
    REQUIRE(::bind(listening_.file(), reinterpret_cast<const sockaddr*>(&address),
                   sizeof(address)) == 0);
    REQUIRE(::listen(listening_.file(), 1) == 0);
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay() = default;

  [[nodiscard]] std::string endpoint() const {
    sockaddr_in address{};
    socklen_t length = sizeof(address);
    REQUIRE(::getsockname(listening_.file(), reinterpret_cast<sockaddr*>(&address), &length) == 0);
    return "tcp://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  // Forwards the waiting bytes. Only the first connection is accepted.
  void pump(std::chrono::milliseconds wait = std::chrono::milliseconds(2)) {
    if (table_.file() < 0) {
      table_.take(::accept4(listening_.file(), nullptr, nullptr, SOCK_CLOEXEC));
      return;
    }
    std::string said = table_.receive(wait);
    const std::size_t before = said_.size();
    said_ += said;
    if (changed_at_ >= before && changed_at_ < said_.size()) said[changed_at_ - before] ^= 1;
    controller_.send(said);
    table_.send(controller_.receive(wait));
  }
  [[nodiscard]] bool has_ended() const { return controller_.has_ended() || table_.has_ended(); }
  // All bytes from the table, unchanged.
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  Wire controller_;
  std::size_t changed_at_;
  Wire listening_;
  Wire table_{-1};
  std::string said_;
};

}  // namespace linkmeter
