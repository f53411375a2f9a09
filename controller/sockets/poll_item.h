// Poll items: what the main thread waits for with zmq_poll().
#pragma once

#include <zmq.h>

#include "controller/auth/authenticator.h"
#include "controller/sockets/control_socket.h"

namespace linkmeter {

// Until the descriptor is readable.
inline zmq_pollitem_t readable(int descriptor) { return {nullptr, descriptor, ZMQ_POLLIN, 0}; }

// Until there is work for the authenticator. While a PIN is verified, requests wait in the control
// socket.
inline zmq_pollitem_t request_input(const Authenticator& authenticator, ControlSocket& operators) {
  if (authenticator.is_busy()) return readable(authenticator.descriptor());
  return operators.awaited();
}

}  // namespace linkmeter
