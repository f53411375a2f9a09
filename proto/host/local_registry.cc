#include "proto/host/local_registry.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "proto/host/atomic_file.h"
#include "proto/host/endpoint.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

using std::filesystem::path;

path state_home() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && path(state).is_absolute()) return state;
  const char* home = std::getenv("HOME");
  if (home != nullptr && path(home).is_absolute()) return path(home) / ".local" / "state";
  const passwd* user = ::getpwuid(::getuid());
  if (user == nullptr) throw Fault("this user has no home folder");
  return path(user->pw_dir) / ".local" / "state";
}

// Returns "tcp:6057" for every address of this machine, "ipc:" and the absolute path for a Unix
// socket, and any other endpoint unchanged.
std::string place_of(const std::string& endpoint) {
  const std::string_view unix_path = ipc_path(endpoint);
  if (!unix_path.empty()) {
    return "ipc:" + std::filesystem::absolute(path(unix_path)).lexically_normal().string();
  }
  const std::size_t colon = endpoint.rfind(':');
  const std::string host = endpoint.substr(0, colon);
  for (const char* here : {"tcp://127.0.0.1", "tcp://localhost", "tcp://*", "tcp://0.0.0.0",
                           "tcp://[::1]", "tcp://[::]"}) {
    if (host == here) return "tcp" + endpoint.substr(colon);
  }
  return endpoint;
}

// Escapes characters that a file name cannot contain, so different endpoints get different names.
std::string file_name(const std::string& endpoint) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string name;
  for (const char letter : place_of(endpoint)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '/' || letter == '%' || byte < ' ') {
      name += '%';
      name += digits[byte >> 4U];
      name += digits[byte & 15U];
    } else {
      name += letter;
    }
  }
  return name;
}

path folder() { return state_home() / "linkmeter" / "controllers"; }

}  // namespace

void register_controller(const std::string& endpoint, const path& data) {
  const path place = folder() / file_name(endpoint);
  std::error_code error;
  std::filesystem::create_directories(folder(), error);
  replace_atomically(place, std::filesystem::absolute(data).lexically_normal().string() + '\n',
                     readable_by_owner);
}

std::optional<path> registered_controller(const std::string& endpoint) {
  std::ifstream file(folder() / file_name(endpoint));
  std::string line;
  if (!std::getline(file, line) || line.empty()) return std::nullopt;
  return line;
}

}  // namespace linkmeter
