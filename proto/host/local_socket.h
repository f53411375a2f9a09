// Unix stream sockets, addressed by their paths.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "proto/host/file_descriptor.h"

namespace linkmeter {

// The longest path that a Unix socket can have.
[[nodiscard]] std::size_t local_path_max();
// Whether a program may be listening at the path. False if the file does not exist, or if it is a
// socket that an ended program left behind. Throws Fault.
[[nodiscard]] bool is_listened_at(const std::string& path);
// Connects a stream socket to the program that listens at the path. Waits while that program has
// too many pending connections. If the result is not open, errno gives the reason.
[[nodiscard]] FileDescriptor connect_local(const std::string& path,
                                           std::chrono::milliseconds patience);
// Returns a nonblocking stream socket that is bound to the path. It listens only after listen(2).
// If the result is not open, errno gives the reason.
[[nodiscard]] FileDescriptor bind_local(const std::string& path);

}  // namespace linkmeter
