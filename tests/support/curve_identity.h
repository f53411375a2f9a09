// Sets the identity of a test's socket and the key of the server that it connects to.
#pragma once

#include <zmq.hpp>

#include "proto/host/credentials.h"

namespace linkmeter {

// REQUIRES: called before connect.
inline void identify(zmq::socket_ref socket, const Credentials& credentials) {
  socket.set(zmq::sockopt::curve_serverkey, credentials.controller_key);
  socket.set(zmq::sockopt::curve_publickey, credentials.keys.public_key);
  socket.set(zmq::sockopt::curve_secretkey, credentials.keys.secret_key);
}

}  // namespace linkmeter
