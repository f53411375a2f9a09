// ControlSocket: receives people's requests and sends the replies (ZeroMQ ROUTER at DIR/control, a
// Unix socket that only the folder's owner may use). Authenticator takes the requests from here;
// the turn interprets them. A request for the status of tables or of the cluster, and one for a
// handover, needs no PIN and no turn.
//
// Law: requests wait in the socket, which holds a few small messages per connection.
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

class ControlSocket final : public PinRequestSource {
 public:
  // Throws Fault. `context` and `admission` must outlive this, and `endpoint` the context.
  ControlSocket(zmq::context_t& context, ZapAuthenticator& admission,
                const ControlEndpoint& endpoint);

  // Poll this while no PIN is being verified.
  [[nodiscard]] zmq_pollitem_t awaited() { return {intake_.socket().handle(), 0, ZMQ_POLLIN, 0}; }
  std::optional<PinRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return false; }  // poll reports it
  // The peers that sent a status request (wire_codec.h) since the last call.
  [[nodiscard]] std::vector<std::string> take_status_requests() {
    return std::exchange(status_requests_, {});
  }
  // A request about the cluster (cluster_status.h).
  struct ClusterRequest {
    std::string peer;
    // The node that shall be the writer; nullopt: the peer asks for the status.
    std::optional<std::string> handover;
  };
  // Those since the last call.
  [[nodiscard]] std::vector<ClusterRequest> take_cluster_requests() {
    return std::exchange(cluster_requests_, {});
  }
  void reply(const Reply& reply) { intake_.reply(reply); }

 private:
  TableSocket intake_;
  std::vector<std::string> status_requests_;
  std::vector<ClusterRequest> cluster_requests_;
};

}  // namespace linkmeter
