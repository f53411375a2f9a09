#include "controller/sockets/control_socket.h"

#include <sys/stat.h>

#include <utility>

#include "controller/auth/pin.h"
#include "meters/values/limits.h"
#include "proto/codec/cluster_status.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

constexpr TableSocket::Bounds socket_bounds{limits::control_request_bytes_max, 16};

// Only the owner may connect, from the moment that the socket exists.
class PrivateFiles {
 public:
  PrivateFiles() : before_(::umask(S_IXUSR | S_IRWXG | S_IRWXO)) {}
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;
  ~PrivateFiles() { ::umask(before_); }

 private:
  mode_t before_;
};

TableSocket private_intake(zmq::context_t& context, ZapAuthenticator& admission,
                           const std::string& endpoint) {
  const PrivateFiles made_here;
  return TableSocket(context, admission, endpoint, ZapAuthenticator::Domain::control,
                     socket_bounds);
}

}  // namespace

ControlSocket::ControlSocket(zmq::context_t& context, ZapAuthenticator& admission,
                             const ControlEndpoint& endpoint)
    : intake_(private_intake(context, admission, endpoint.text())) {}

std::optional<PinRequest> ControlSocket::next() {
  for (InboundMessage& received : intake_.drain(1)) {
    if (is_status_request(received.bytes)) {
      status_requests_.push_back(std::move(received.peer));
      return std::nullopt;
    }
    auto handover = decode_handover_request(received.bytes);
    if (handover || is_cluster_request(received.bytes)) {
      cluster_requests_.push_back({std::move(received.peer), std::move(handover)});
      return std::nullopt;
    }
    std::optional<ControlRequest> request = decode_control_request(received.bytes);
    forget(received.bytes);
    if (!request) return PinRequest{OperatorRequest{received.peer, {}, false, {}}, {}};
    if (auto* recover = std::get_if<Recover>(&request->act)) {
      for (std::string& code : request->codes) {
        recover->codes.push_back(recovery_digest(code));
        forget(code);
      }
    }
    return PinRequest{
        OperatorRequest{received.peer, std::move(request->badge), false, std::move(request->act)},
        std::move(request->pin), std::move(request->new_pin), std::move(request->witness_pin)};
  }
  return std::nullopt;
}

}  // namespace linkmeter
