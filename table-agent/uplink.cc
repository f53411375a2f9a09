#include "table-agent/uplink.h"

#include <array>
#include <cerrno>
#include <zmq.hpp>

#include "meters/edge/fault.h"
#include "meters/limits.h"

namespace linkmeter {

namespace {

constexpr int heartbeat_interval_ms = 500;
constexpr int heartbeat_timeout_ms = 2'000;
constexpr int reconnect_interval_ms = 50;
constexpr int reconnect_interval_max_ms = 1'000;

[[noreturn]] void fail(const char* what, const zmq::error_t& error) {
  throw Fault(std::string("uplink: ") + what + ": " + error.what());
}

}  // namespace

struct Uplink::Socket {
  zmq::context_t context{1};
  zmq::socket_t dealer{context, zmq::socket_type::dealer};
};

Uplink::Uplink(const std::string& endpoint, const TableId& table)
    : socket_(std::make_unique<Socket>()) {
  try {
    zmq::socket_t& dealer = socket_->dealer;
    dealer.set(zmq::sockopt::routing_id, table.text());
    // What is not sent at the end is in the outbox.
    dealer.set(zmq::sockopt::linger, 0);
    dealer.set(zmq::sockopt::immediate, true);
    dealer.set(zmq::sockopt::maxmsgsize, static_cast<std::int64_t>(limits::message_bytes_max));
    dealer.set(zmq::sockopt::heartbeat_ivl, heartbeat_interval_ms);
    dealer.set(zmq::sockopt::heartbeat_timeout, heartbeat_timeout_ms);
    dealer.set(zmq::sockopt::heartbeat_ttl, heartbeat_timeout_ms);
    dealer.set(zmq::sockopt::handshake_ivl, heartbeat_timeout_ms);
    dealer.set(zmq::sockopt::reconnect_ivl, reconnect_interval_ms);
    dealer.set(zmq::sockopt::reconnect_ivl_max, reconnect_interval_max_ms);
    dealer.connect(endpoint);
  } catch (const zmq::error_t& error) {
    fail(("cannot connect to " + endpoint).c_str(), error);
  }
}

Uplink::~Uplink() = default;

bool Uplink::send(std::string_view frame) {
  try {
    return socket_->dealer.send(zmq::buffer(frame), zmq::send_flags::dontwait).has_value();
  } catch (const zmq::error_t& error) {
    fail("send", error);
  }
}

std::optional<std::string> Uplink::receive() {
  try {
    zmq::message_t message;
    if (!socket_->dealer.recv(message, zmq::recv_flags::dontwait)) return std::nullopt;
    // A reply is one frame. Of anything longer the last frame is taken, and the agent will ignore
    // it.
    while (message.more()) {
      if (!socket_->dealer.recv(message, zmq::recv_flags::none)) break;
    }
    return message.to_string();
  } catch (const zmq::error_t& error) {
    fail("receive", error);
  }
}

Uplink::Ready Uplink::wait(Until until, Others others, std::chrono::milliseconds timeout) {
  const short events = until == Until::receivable ? ZMQ_POLLIN : ZMQ_POLLIN | ZMQ_POLLOUT;
  std::array<zmq::pollitem_t, 3> items{{{socket_->dealer.handle(), 0, events, 0},
                                        {nullptr, others.stop, ZMQ_POLLIN, 0},
                                        {nullptr, others.play, ZMQ_POLLIN, 0}}};
  try {
    zmq::poll(items.data(), items.size(), timeout);
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) fail("poll", error);
    return {};
  }
  return {(items[0].revents & ZMQ_POLLIN) != 0, (items[0].revents & ZMQ_POLLOUT) != 0,
          (items[1].revents & ZMQ_POLLIN) != 0};
}

}  // namespace linkmeter
