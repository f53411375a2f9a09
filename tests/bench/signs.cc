#include "tests/bench/signs.h"

#include <arpa/inet.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string_view>
#include <vector>

#include "meters/edge/fault.h"

namespace linkmeter::bench {
namespace {

int connected(std::uint16_t port) {
  const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  if (::connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    return file;
  }
  ::close(file);
  throw Fault("a sign cannot connect");
}

}  // namespace

Signs::Signs(const std::string& url, const std::string& link, std::size_t count) {
  if (count == 0) return;
  poll_ = ::epoll_create1(EPOLL_CLOEXEC);
  const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  const std::string request = "GET /events/signs?link=" + link +
                              " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
  for (std::size_t sign = 0; sign < count; ++sign) {
    const int file = connected(port);
    if (::send(file, request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size())) {
      throw Fault("a sign cannot ask");
    }
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.fd = file;
    ::epoll_ctl(poll_, EPOLL_CTL_ADD, file, &wanted);
  }
  thread_ = std::thread([this, count] { work(count); });
  constexpr std::chrono::seconds patience{30};
  const auto until = std::chrono::steady_clock::now() + patience;
  while (updates_ < count) {
    if (std::chrono::steady_clock::now() > until || lost_ > 0) throw Fault("signs get no updates");
    std::this_thread::yield();
  }
}

Signs::~Signs() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
  if (poll_ >= 0) ::close(poll_);
}

void Signs::work(std::size_t count) {
  // Signs are machines of their own: what they do takes no processor from the tables here.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 19);
  std::vector<epoll_event> ready(count);
  std::vector<char> bytes(65'536);
  constexpr int wait_ms = 20;
  while (!stopping_) {
    const int told = ::epoll_wait(poll_, ready.data(), static_cast<int>(ready.size()), wait_ms);
    for (int at = 0; at < told; ++at) {
      const int file = ready[static_cast<std::size_t>(at)].data.fd;
      const ssize_t size = ::recv(file, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (size <= 0) {
        ++lost_;
        ::close(file);
        continue;
      }
      bytes_ += static_cast<std::uint64_t>(size);
      std::string_view text(bytes.data(), static_cast<std::size_t>(size));
      constexpr std::string_view begin = "\ndata:";
      for (std::size_t found = text.find(begin); found != std::string_view::npos;
           found = text.find(begin, found + 1)) {
        ++updates_;
      }
    }
  }
}

}  // namespace linkmeter::bench
