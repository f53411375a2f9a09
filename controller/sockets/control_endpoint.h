// ControlEndpoint: where people's requests come in: the Unix socket DIR/control. It is named
// through the open folder, because the path of a socket may not be longer than 107 bytes, and that
// of a folder may. REQUIRES: outlives every socket that is bound or connected to it.
#pragma once

#include <filesystem>
#include <string>

namespace linkmeter {

class ControlEndpoint {
 public:
  // Throws Fault.
  explicit ControlEndpoint(const std::filesystem::path& directory);
  ControlEndpoint(const ControlEndpoint&) = delete;
  ControlEndpoint& operator=(const ControlEndpoint&) = delete;
  ~ControlEndpoint();

  // "ipc://..."
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path directory_;
  int folder_ = -1;
};

}  // namespace linkmeter
