#include "controller/sockets/control_endpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "proto/host/fault.h"

namespace linkmeter {

ControlEndpoint::ControlEndpoint(const std::filesystem::path& directory)
    : directory_(directory), folder_(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
  if (!folder_.is_open())
    throw Fault(directory.string() + ": cannot open it: " + std::strerror(errno));
}

std::string ControlEndpoint::text() const {
  // If /proc is not mounted, the folder's own path must be short enough.
  const std::string opened = "/proc/self/fd/" + std::to_string(folder_.get());
  return "ipc://" + (::access(opened.c_str(), F_OK) == 0 ? opened : directory_.string()) +
         "/control";
}

}  // namespace linkmeter
