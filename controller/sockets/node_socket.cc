#include "controller/sockets/node_socket.h"

#include <cstdint>

#include "meters/values/limits.h"

namespace linkmeter {

zmq::socket_t node_socket(zmq::context_t& context, const KeyPair& keys, const std::string& endpoint,
                          const std::string& server_key) {
  constexpr int node_keepalive_s = 5;
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::tcp_keepalive, 1);
  socket.set(zmq::sockopt::tcp_keepalive_idle, node_keepalive_s);
  socket.set(zmq::sockopt::maxmsgsize,
             static_cast<std::int64_t>(limits::entry_reply_bytes_max) + curve_bytes);
  socket.set(zmq::sockopt::rcvhwm, 2);
  socket.set(zmq::sockopt::curve_serverkey, server_key);
  socket.set(zmq::sockopt::curve_publickey, keys.public_key);
  socket.set(zmq::sockopt::curve_secretkey, keys.secret_key);
  socket.connect(endpoint);
  return socket;
}

}  // namespace linkmeter
