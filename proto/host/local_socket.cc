#include "proto/host/local_socket.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

std::optional<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  if (path.empty() || path.size() > local_path_max()) {
    errno = ENAMETOOLONG;
    return std::nullopt;
  }
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the system's way to say it
  return reinterpret_cast<const sockaddr*>(&address);
}

}  // namespace

std::size_t local_path_max() { return sizeof(sockaddr_un::sun_path) - 1; }

bool is_listened_at(const std::string& path) {
  const auto address = address_of(path);
  const FileDescriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!address || !probe.is_open()) {
    throw Fault(path + ": cannot ask who listens there: " + std::strerror(errno));
  }
  // Any other failure shows that a program listens: a full queue, or another type of socket.
  return ::connect(probe.get(), generic(*address), sizeof(*address)) == 0 ||
         (errno != ECONNREFUSED && errno != ENOENT);
}

FileDescriptor connect_local(const std::string& path, std::chrono::milliseconds patience) {
  const auto address = address_of(path);
  if (!address) return FileDescriptor();
  FileDescriptor stream(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!stream.is_open()) return stream;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
  timeval most{};
  most.tv_sec = seconds.count();
  most.tv_usec = std::chrono::microseconds(patience - seconds).count();
  // The timeout applies to connect(2) and to each send.
  ::setsockopt(stream.get(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  if (::connect(stream.get(), generic(*address), sizeof(*address)) == 0) return stream;
  const int why = errno;
  stream = FileDescriptor();
  errno = why;
  return stream;
}

FileDescriptor bind_local(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return FileDescriptor();
  FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.is_open() || ::bind(socket.get(), generic(*address), sizeof(*address)) == 0) {
    return socket;
  }
  const int why = errno;
  socket = FileDescriptor();
  errno = why;
  return socket;
}

}  // namespace linkmeter
