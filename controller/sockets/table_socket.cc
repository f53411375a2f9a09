#include "controller/sockets/table_socket.h"

#include <sys/stat.h>

#include <chrono>
#include <utility>

#include "meters/values/limits.h"
#include "proto/host/endpoint.h"
#include "proto/host/fault.h"
#include "proto/host/local_socket.h"

namespace linkmeter {
namespace {

using std::chrono::milliseconds;

// A full turn of the longest messages would be a quarter of a gigabyte; correct ones are small.
constexpr std::size_t turn_bytes_max = std::size_t{16} << 20U;
// Messages per connection. A table may have fewer open messages, so a correct table never reaches
// it.
constexpr int messages_waiting_max = 1'024;
static_assert(messages_waiting_max >= static_cast<int>(2 * limits::messages_open_max));
constexpr int connections_waiting_max = 512;
// TCP keepalive detects a lost machine within seconds. ZeroMQ's heartbeats are not used: version
// 4.3.4 aborts the process if one arrives on a connection that was just lost. Tables send
// heartbeats of our own.
constexpr int keepalive_idle_s = 5, keepalive_interval_s = 2, keepalive_count = 3;
constexpr milliseconds linger{200};

constexpr int as_option(milliseconds duration) { return static_cast<int>(duration.count()); }

std::string text_of(const zmq::message_t& frame) {
  return {static_cast<const char*>(frame.data()), frame.size()};
}

// ZeroMQ unlinks any file at the path, and so would replace another program's socket or delete a
// file. So connect first: a socket that refuses the connection is stale.
void reject_path_in_use(const std::string& endpoint) {
  const std::string path(ipc_path(endpoint));
  if (path.empty() || path.size() > local_path_max()) return;
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return;
  if (!S_ISSOCK(found.st_mode)) throw Fault("cannot listen at " + endpoint + ": a file is there");
  if (is_listened_at(path)) {
    throw Fault("cannot listen at " + endpoint + ": in use by another program");
  }
}

}  // namespace

void listen_at(zmq::socket_t& socket, const std::string& endpoint) {
  reject_path_in_use(endpoint);
  try {
    socket.bind(endpoint);
  } catch (const zmq::error_t& error) {
    throw Fault("cannot listen at " + endpoint + ": " + error.what());
  }
}

const TableSocket::Bounds TableSocket::of_tables{limits::message_bytes_max, messages_waiting_max};

TableSocket::TableSocket(zmq::context_t& context, ZapAuthenticator& admission,
                         const std::string& endpoint, ZapAuthenticator::Domain door, Bounds bounds)
    : socket_(context, zmq::socket_type::router),
      bounds_connections_(door == ZapAuthenticator::Domain::nodes ? &admission : nullptr) {
  socket_.set(zmq::sockopt::maxmsgsize,
              static_cast<std::int64_t>(bounds.message_bytes_max) + curve_bytes);
  socket_.set(zmq::sockopt::router_mandatory, false);
  socket_.set(zmq::sockopt::rcvhwm, bounds.messages_waiting_max);
  socket_.set(zmq::sockopt::sndhwm, bounds.messages_waiting_max);
  socket_.set(zmq::sockopt::backlog, connections_waiting_max);
  socket_.set(zmq::sockopt::tcp_keepalive, 1);
  socket_.set(zmq::sockopt::tcp_keepalive_idle, keepalive_idle_s);
  socket_.set(zmq::sockopt::tcp_keepalive_intvl, keepalive_interval_s);
  socket_.set(zmq::sockopt::tcp_keepalive_cnt, keepalive_count);
  socket_.set(zmq::sockopt::handshake_ivl, as_option(bounds.handshake_max));
  socket_.set(zmq::sockopt::linger, as_option(linger));
  admission.secure_socket(socket_, door);
  listen_at(socket_, endpoint);
}

std::string TableSocket::endpoint() const { return socket_.get(zmq::sockopt::last_endpoint); }

std::vector<InboundMessage> TableSocket::drain(std::size_t messages_max) {
  std::vector<InboundMessage> taken;
  std::size_t bytes_taken = 0;
  for (std::size_t seen = 0; seen < messages_max && bytes_taken < turn_bytes_max; ++seen) {
    zmq::message_t peer;
    if (!socket_.recv(peer, zmq::recv_flags::dontwait)) break;
    zmq::message_t body, rest;
    std::size_t frames = 1;
    // ZeroMQ delivers whole messages, so the later frames are already here.
    for (bool more = peer.more(); more; ++frames) {
      zmq::message_t& frame = frames == 1 ? body : rest;
      if (!socket_.recv(frame, zmq::recv_flags::none)) break;
      more = frame.more();
    }
    if (frames != 2) {
      ++dropped_count_;
      continue;
    }
    bytes_taken += body.size();
    taken.push_back({text_of(peer), body.gets("User-Id"), text_of(body)});
    if (bounds_connections_ != nullptr) {
      bounds_connections_->note_subscription(body.get(ZMQ_SRCFD), taken.back().key,
                                             /*is_known_topic=*/true);
    }
  }
  return taken;
}

void TableSocket::reply(const Reply& reply) {
  // Unsendable replies are dropped on purpose: the table resends and gets the same reply.
  const auto to_peer = zmq::send_flags::sndmore | zmq::send_flags::dontwait;
  if (!socket_.send(zmq::buffer(reply.peer), to_peer)) return;
  socket_.send(zmq::buffer(reply.bytes), zmq::send_flags::dontwait);
}

}  // namespace linkmeter
