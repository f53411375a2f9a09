// Where a web address is, as an open socket.
#pragma once

#include <cstdint>

#include "proto/host/file_descriptor.h"
#include "proto/host/web_address.h"

namespace linkmeter {

struct WebListening {
  Descriptor socket;
  std::uint16_t port = 0;  // that port 0 became
};

// Throws Fault with the address and the reason.
WebListening listen_at(const WebAddress& address);

}  // namespace linkmeter
