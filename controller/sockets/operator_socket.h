// Control: where people's requests come in and the answers go out (ZeroMQ ROUTER at DIR/control, a
// Unix socket that only the folder's owner may use). Authenticator takes them from here; what a
// request means is the turn's business. Who asks how the controller stands needs no PIN, and no
// turn.
//
// Law: who waits, waits in the socket, which holds a few small messages per connection.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "controller/auth/authenticator.h"
#include "controller/sockets/control_endpoint.h"
#include "controller/sockets/table_socket.h"
#include "controller/turn/message.h"

namespace linkmeter {

class Control final : public LoginSource {
 public:
  // Throws Fault. `context` and `admission` must outlive this, and `endpoint` the context.
  Control(zmq::context_t& context, Admission& admission, const ControlEndpoint& endpoint);

  // To poll for while no PIN is looked at.
  [[nodiscard]] zmq_pollitem_t awaited() { return {intake_.socket().handle(), 0, ZMQ_POLLIN, 0}; }
  std::optional<LoginRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return false; }  // a poll tells
  // Who has asked how the controller stands (status_codec.h) since the last call.
  [[nodiscard]] std::vector<std::string> take_status_askers() {
    return std::exchange(status_askers_, {});
  }
  void reply(const Reply& reply) { intake_.reply(reply); }

 private:
  Intake intake_;
  std::vector<std::string> status_askers_;  // peers
};

}  // namespace linkmeter
