// Connecting: how a test's socket says who it is and whom it wants to reach.
#pragma once

#include <zmq.hpp>

#include "proto/host/credentials.h"

namespace linkmeter {

// REQUIRES: before connect.
inline void identify(zmq::socket_ref socket, const Credentials& credentials) {
  socket.set(zmq::sockopt::curve_serverkey, credentials.controller_key);
  socket.set(zmq::sockopt::curve_publickey, credentials.keys.public_key);
  socket.set(zmq::sockopt::curve_secretkey, credentials.keys.secret_key);
}

}  // namespace linkmeter
