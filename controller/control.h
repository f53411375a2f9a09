// Control: where people's requests come in and the answers go out (ZeroMQ ROUTER at DIR/control, a
// Unix socket that only the folder's owner may use). It has every PIN looked at beside the turn;
// what the request means is the turn's business. Who asks how the controller stands needs no PIN,
// and no turn.
//
// Laws: one request at a time, from its PIN to its turn: so each PIN is held against what the
// person has at that moment, and five wrong ones lock, however fast they come. Who waits, waits in
// the socket, which holds a few small messages per connection. A stranger's PIN takes as long as a
// real one.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "controller/control_endpoint.h"
#include "controller/intake.h"
#include "controller/person_request.h"
#include "controller/pin_check.h"
#include "controller/received.h"
#include "meters/state.h"

namespace linkmeter {

class Control {
 public:
  // Throws Fault. `context` must outlive this, and `endpoint` the context.
  Control(zmq::context_t& context, const ControlEndpoint& endpoint);

  // To poll for; another one after every take().
  [[nodiscard]] zmq_pollitem_t awaited();
  // The request whose PIN has been looked at, if there is one. Otherwise has the next one looked
  // at, if none is. REQUIRES: `state` is what is committed.
  [[nodiscard]] std::optional<PersonRequest> take(const State& state);
  // Who has asked how the controller stands (status_codec.h) since the last call.
  [[nodiscard]] std::vector<std::string> take_status_askers() {
    return std::exchange(status_askers_, {});
  }
  void reply(const Reply& reply) { intake_.reply(reply); }

 private:
  // Has the PIN of what was received looked at; what is no request is given at once.
  std::optional<PersonRequest> begin(const Received& received, const State& state);

  Intake intake_;
  PinCheck check_;
  std::optional<PersonRequest> looked_at_;  // by check_, at this moment
  std::vector<std::string> status_askers_;  // peers
};

}  // namespace linkmeter
