#include "table-agent/simulator/device_host.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

namespace {

constexpr int turn_ms = 10;

Timestamp interval_time() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return Timestamp::from_microseconds(
      std::chrono::duration_cast<std::chrono::microseconds>(since).count());
}

void listen_at(const std::filesystem::path& path, Descriptor& listening) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  const std::string text = path.string();
  const auto fail = [&text](const std::string& why) {
    throw Fault("cannot listen at " + text + ": " + why);
  };
  if (text.empty() || text.size() >= sizeof at.sun_path) fail("the path is empty or too long");
  std::copy(text.begin(), text.end(), std::begin(at.sun_path));
  std::error_code ignored;
  if (std::filesystem::is_socket(path, ignored)) std::filesystem::remove(path, ignored);
  listening = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const auto* address = static_cast<const sockaddr*>(static_cast<const void*>(&at));
  if (!listening.is_open() || ::bind(listening.get(), address, sizeof at) != 0 ||
      ::listen(listening.get(), 1) != 0) {
    fail(std::strerror(errno));
  }
}

// False: the agent is gone.
bool hear(SimulatedDevice& device, int agent) {
  std::array<char, 4'096> bytes{};
  const ssize_t count = ::recv(agent, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count > 0) device.take({bytes.data(), static_cast<std::size_t>(count)}, interval_time());
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool speak(SimulatedDevice& device, int agent) {
  const std::string bytes = device.output(interval_time());
  if (bytes.empty()) return true;
  // An agent that takes nothing is not waited for: the device begins a new session with the next.
  const ssize_t count = ::send(agent, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return count == static_cast<ssize_t>(bytes.size());
}

}  // namespace

void host(SimulatedDevice& device, const std::filesystem::path& path, int stop_descriptor) {
  Descriptor listening, agent;
  listen_at(path, listening);
  while (!device.is_over()) {
    const bool has_agent = agent.is_open();
    std::array<pollfd, 2> items{
        {{has_agent ? agent.get() : listening.get(), POLLIN, 0}, {stop_descriptor, POLLIN, 0}}};
    ::poll(items.data(), items.size(), turn_ms);
    if (items[1].revents != 0) return;
    if (!has_agent) {
      agent = Descriptor(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (agent.is_open()) device.connect();
      continue;
    }
    const bool is_there = (items[0].revents == 0 || hear(device, agent.get())) &&
                          speak(device, agent.get()) && !device.drops_connection();
    if (is_there) continue;
    device.disconnect();
    agent = Descriptor();
  }
}

}  // namespace linkmeter
