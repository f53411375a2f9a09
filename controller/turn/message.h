// InboundMessage and Reply: input and output of the turn. Bytes only: the turn knows no socket.
#pragma once

#include <string>

namespace linkmeter {

// One received message. `peer` is the connection, for the reply; it does not identify the sender.
// `key` does: the public key (Z85) that the connection proved.
struct InboundMessage {
  std::string peer;
  std::string key;
  std::string bytes;
};

// One reply. Sent only after the commit of what it acknowledges.
struct Reply {
  std::string peer;
  std::string bytes;
  friend bool operator==(const Reply&, const Reply&) = default;
};

}  // namespace linkmeter
