// Local socket: Unix stream sockets by their paths.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "proto/host/file_descriptor.h"

namespace linkmeter {

// The longest path that a Unix socket can have.
[[nodiscard]] std::size_t local_path_max();
// May somebody listen at the path? A socket file at which nobody listens was left behind by a
// program that has ended. False also where there is no file. Throws Fault.
[[nodiscard]] bool is_listened_at(const std::string& path);
// A stream connected to whoever listens at the path. Waits while that program has too many
// connections to take. Not open: errno says why not.
[[nodiscard]] FileDescriptor connect_local(const std::string& path,
                                           std::chrono::milliseconds patience);
// A stream socket that is bound to the path, not blocking, and listens only after listen(2).
// Not open: errno says why not.
[[nodiscard]] FileDescriptor bind_local(const std::string& path);

}  // namespace linkmeter
