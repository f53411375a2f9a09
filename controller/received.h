// Received and Reply: what the turn takes in and gives out. Bytes only: the turn knows no socket.
#pragma once

#include <string>

namespace linkmeter {

// One message as it came. `peer` is the name the other side connected under: its table id.
struct Received {
  std::string peer;
  std::string bytes;
};

// One answer. Sent only after the commit that holds what it acknowledges.
struct Reply {
  std::string peer;
  std::string bytes;
  friend bool operator==(const Reply&, const Reply&) = default;
};

}  // namespace linkmeter
