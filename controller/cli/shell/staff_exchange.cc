#include "controller/cli/shell/staff_exchange.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "proto/codec/big_endian.h"
#include "proto/host/local_socket.h"

namespace linkmeter::cli {

namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int length_bytes = 4;
constexpr milliseconds patience_to_connect{10'000};

std::string why_not(int code) {
  switch (code) {
    case ENOENT:
    case ECONNREFUSED: return "no controller serves this socket";
    case EACCES: return "you may not connect: only members of the socket's group may";
    case EAGAIN: return "the controller takes no connection in time";
    default: return std::strerror(code);
  }
}

// More of the answer; false: there is no more.
bool receive(const Descriptor& stream, std::string& bytes, SteadyClock::time_point until,
             const std::string& what_now) {
  const auto wait = std::chrono::ceil<milliseconds>(until - SteadyClock::now());
  pollfd item{stream.get(), POLLIN, 0};
  const int ready = ::poll(&item, 1, static_cast<int>(std::max(milliseconds(0), wait).count()));
  if (ready < 0 && errno == EINTR) return true;
  if (ready == 0) throw Unanswered("the controller does not answer" + what_now);
  std::array<char, std::size_t{64} << 10U> chunk{};
  const ssize_t count = ::recv(stream.get(), chunk.data(), chunk.size(), 0);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  bytes.append(chunk.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace

Descriptor connect_to_staff_socket(const std::filesystem::path& socket) {
  std::string path = socket.string();
  // Through the open folder, where the path is too long for a socket.
  Descriptor folder;
  if (path.size() > local_path_max()) {
    folder = Descriptor(::open(socket.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (folder.is_open()) {
      path = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + socket.filename().string();
    }
  }
  Descriptor stream = connect_local(path, patience_to_connect);
  if (!stream.is_open()) throw Fault(socket.string() + ": " + why_not(errno));
  return stream;
}

std::string staff_exchange(const std::filesystem::path& socket, const Exchange& asked) {
  const Descriptor stream = connect_to_staff_socket(socket);
  const auto until = SteadyClock::now() + asked.patience;
  const std::string frame = big_endian(asked.request.size(), length_bytes) + asked.request;
  std::size_t sent = 0;
  while (sent < frame.size()) {
    const ssize_t count =
        ::send(stream.get(), frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;  // the controller has closed it, and may have said why
    sent += static_cast<std::size_t>(count);
  }
  std::string bytes;
  while (receive(stream, bytes, until, asked.what_now)) {
    if (bytes.size() < length_bytes) continue;
    const std::uint64_t length = from_big_endian(std::string_view(bytes).substr(0, length_bytes));
    if (length > asked.answer_bytes_max) break;
    if (bytes.size() >= length_bytes + length) return bytes.substr(length_bytes, length);
  }
  throw Unanswered("the controller closed the connection without an answer" + asked.what_now);
}

}  // namespace linkmeter::cli
