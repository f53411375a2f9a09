// Node socket: a connection to another node's EntryServer (entry_server.h).
#pragma once

#include <string>
#include <zmq.hpp>

#include "proto/host/credentials.h"

namespace linkmeter {

// `keys`: this node's own; `server_key`: the other's public key, as enrolled. Throws zmq::error_t.
[[nodiscard]] zmq::socket_t node_socket(zmq::context_t& context, const KeyPair& keys,
                                        const std::string& endpoint, const std::string& server_key);

}  // namespace linkmeter
