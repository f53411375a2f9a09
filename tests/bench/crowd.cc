#include "tests/bench/crowd.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "proto/host/fault.h"

namespace linkmeter::bench {
namespace {

constexpr std::size_t half_open_count = 1'000, large_count = 8;
constexpr std::size_t frame_bytes = 10'000'000;

// One stranger's connection, and how much of its data was accepted.
class Stranger {
 public:
  Stranger() = default;
  Stranger(const Stranger&) = delete;
  Stranger& operator=(const Stranger&) = delete;
  ~Stranger() { end(); }

  [[nodiscard]] int file() const { return file_; }
  // False: there is no connection now.
  bool connect(std::uint16_t port) {
    end();
    file_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (::connect(file_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) end();
    return file_ >= 0;
  }
  void end() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    said_ = 0;
  }
  // Returns the number of bytes that were accepted.
  std::size_t say(const std::string& all) {
    const ssize_t count =
        ::send(file_, all.data() + said_, all.size() - said_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count <= 0) return 0;
    said_ += static_cast<std::size_t>(count);
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] bool has_more(const std::string& all) const { return said_ < all.size(); }
  // Reads the incoming bytes; false at the end of the connection.
  [[nodiscard]] bool is_still_there() const {
    std::array<char, 4'096> bytes{};
    const ssize_t count = ::recv(file_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }

 private:
  int file_ = -1;
  std::size_t said_ = 0;
};

std::string words(Crowd::Kind kind) {
  std::string said("\xff\0\0\0\0\0\0\0\1\x7f", 10);
  if (kind == Crowd::Kind::half_open) return said;
  said += std::string("\3\1CURVE", 7);
  said.resize(64);
  said += '\6';  // a long command
  for (int place = 7; place >= 0; --place) said += static_cast<char>(frame_bytes >> (8 * place));
  return said + std::string(frame_bytes, 'x');
}

}  // namespace

Crowd::Crowd(const std::string& endpoint, Kind kind) {
  if (kind == Kind::none) return;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_max < 2 * half_open_count) {
    throw Fault("this process may not have enough files for a crowd");
  }
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
  const auto port = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  thread_ = std::thread([this, port, kind] { work(port, kind); });
  const std::size_t all = kind == Kind::half_open ? half_open_count : large_count;
  while (connections_ < all) std::this_thread::yield();
}

Crowd::~Crowd() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

void Crowd::work(std::uint16_t port, Kind kind) {
  // Real strangers have their own machines, so this thread must not take processor time from the
  // tables. The work that they cause in the controller and its kernel still counts.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 19);
  const std::string all = words(kind);
  std::vector<Stranger> strangers(kind == Kind::half_open ? half_open_count : large_count);
  while (!stopping_) {
    std::vector<pollfd> items;
    for (Stranger& one : strangers) {
      if (one.file() < 0 && one.connect(port)) ++connections_;
      if (one.has_more(all)) bytes_ += one.say(all);
      const auto events = static_cast<short>(one.has_more(all) ? POLLIN | POLLOUT : POLLIN);
      items.push_back({one.file(), events, 0});
    }
    ::poll(items.data(), items.size(), 10);
    for (std::size_t at = 0; at < items.size(); ++at) {
      const bool is_told = (items[at].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
      if (is_told && !strangers[at].is_still_there()) strangers[at].end();
    }
  }
}

}  // namespace linkmeter::bench
