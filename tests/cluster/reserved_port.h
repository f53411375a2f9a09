// ReservedPort: a free port of this machine. No other program gets it, and nobody listens at it,
// but a server that sets SO_REUSEADDR may, such as etcd.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "meters/values/invariant.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

class ReservedPort {
 public:
  ReservedPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    const int yes = 1;
    INVARIANT(::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) == 0);
    INVARIANT(::bind(socket_.get(), any, size) == 0);
    INVARIANT(::getsockname(socket_.get(), any, &size) == 0);
    number_ = ntohs(address.sin_port);
  }

  [[nodiscard]] std::uint16_t number() const { return number_; }
  // "http://127.0.0.1:41234".
  [[nodiscard]] std::string url(const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(number_);
  }

 private:
  FileDescriptor socket_;
  std::uint16_t number_ = 0;
};

}  // namespace linkmeter
