#include "tests/bench/audience.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "proto/host/fault.h"

namespace linkmeter::bench {
namespace {

constexpr int wait_ms = 50;

FileDescriptor connected(std::uint16_t port, const std::string& link) {
  FileDescriptor sign(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(port);
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string asked =
      "GET /events/signs?link=" + link + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  if (::connect(sign.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0 ||
      ::send(sign.get(), asked.data(), asked.size(), MSG_NOSIGNAL) !=
          static_cast<ssize_t>(asked.size())) {
    throw Fault(std::string("a sign cannot connect: ") + std::strerror(errno));
  }
  return sign;
}

}  // namespace

Audience::Audience(const std::string& url, const std::string& link, std::size_t signs)
    : ready_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (signs == 0) return;
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  for (std::size_t at = 0; at < signs; ++at) {
    signs_.push_back(connected(port, link));
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.fd = signs_.back().get();
    ::epoll_ctl(ready_.get(), EPOLL_CTL_ADD, wanted.data.fd, &wanted);
  }
  thread_ = std::thread([this] { work(); });
}

Audience::~Audience() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void Audience::work() {
  std::array<epoll_event, 64> ready{};
  std::array<char, 65'536> bytes{};
  constexpr std::string_view mark = "event: meter";
  while (!stopping_) {
    const int count =
        ::epoll_wait(ready_.get(), ready.data(), static_cast<int>(ready.size()), wait_ms);
    for (int at = 0; at < count; ++at) {
      const int sign = ready[static_cast<std::size_t>(at)].data.fd;
      const ssize_t got = ::recv(sign, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (got <= 0) {
        ::epoll_ctl(ready_.get(), EPOLL_CTL_DEL, sign, nullptr);
        ++lost_;
        continue;
      }
      bytes_ += static_cast<std::uint64_t>(got);
      const std::string_view text(bytes.data(), static_cast<std::size_t>(got));
      for (std::size_t found = text.find(mark); found != std::string_view::npos;
           found = text.find(mark, found + 1)) {
        ++events_;
      }
    }
  }
}

}  // namespace linkmeter::bench
