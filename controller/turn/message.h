// Received and Reply: what the turn takes in and gives out. Bytes only: the turn knows no socket.
#pragma once

#include <string>

namespace linkmeter {

// One message as it came. `peer` is the connection, for the answer, and tells nothing of who is at
// its other end; that is `key`, the public key (Z85) that the connection proved.
struct Received {
  std::string peer;
  std::string key;
  std::string bytes;
};

// One answer. Sent only after the commit that holds what it acknowledges.
struct Reply {
  std::string peer;
  std::string bytes;
  friend bool operator==(const Reply&, const Reply&) = default;
};

}  // namespace linkmeter
