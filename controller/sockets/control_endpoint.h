// ControlEndpoint: the address of the Unix socket DIR/control, which receives operator requests. It
// is addressed through the open folder, because a socket's path is limited to 107 bytes and a
// folder's is not. REQUIRES: outlives every socket that is bound or connected to it.
#pragma once

#include <filesystem>
#include <string>

#include "proto/host/file_descriptor.h"

namespace linkmeter {

class ControlEndpoint {
 public:
  // Throws Fault.
  explicit ControlEndpoint(const std::filesystem::path& directory);

  // "ipc://..."
  [[nodiscard]] std::string text() const;

 private:
  std::filesystem::path directory_;
  FileDescriptor folder_;
};

}  // namespace linkmeter
