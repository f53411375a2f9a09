#include "table-agent/link/uplink.h"

#include <array>
#include <cerrno>
#include <utility>
#include <zmq.hpp>

#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "proto/host/uptime.h"

namespace linkmeter {

namespace {

constexpr int handshake_max_ms = 2'000;
constexpr int last_frame_max_ms = 200;
constexpr int reconnect_interval_ms = 50;
constexpr int reconnect_interval_max_ms = 1'000;
constexpr std::chrono::milliseconds look_interval{500};
constexpr std::chrono::seconds patience{3};  // more than a handshake may take

[[noreturn]] void fail(const char* what, const zmq::error_t& error) {
  throw Fault(std::string("uplink: ") + what + ": " + error.what());
}

}  // namespace

struct Uplink::Socket {
  zmq::context_t context{1};
  zmq::socket_t dealer{context, zmq::socket_type::dealer};
};

Uplink::Uplink(std::string endpoint, Source credentials)
    : endpoint_(std::move(endpoint)),
      source_(std::move(credentials)),
      credentials_(source_()),
      looked_at_(uptime()),
      last_heard_at_(looked_at_) {
  connect();
}

void Uplink::connect() {
  if (!credentials_) return;
  socket_ = std::make_unique<Socket>();
  try {
    zmq::socket_t& dealer = socket_->dealer;
    dealer.set(zmq::sockopt::curve_serverkey, credentials_->controller_key);
    dealer.set(zmq::sockopt::curve_publickey, credentials_->keys.public_key);
    dealer.set(zmq::sockopt::curve_secretkey, credentials_->keys.secret_key);
    // Frames that are not sent at the end are in the outbox.
    dealer.set(zmq::sockopt::linger, 0);
    dealer.set(zmq::sockopt::immediate, true);
    dealer.set(zmq::sockopt::maxmsgsize,
               static_cast<std::int64_t>(limits::message_bytes_max) + curve_bytes);
    dealer.set(zmq::sockopt::handshake_ivl, handshake_max_ms);
    dealer.set(zmq::sockopt::reconnect_ivl, reconnect_interval_ms);
    dealer.set(zmq::sockopt::reconnect_ivl_max, reconnect_interval_max_ms);
    dealer.connect(endpoint_);
  } catch (const zmq::error_t& error) {
    fail(("cannot connect to " + endpoint_).c_str(), error);
  }
}

void Uplink::retry(std::chrono::microseconds now) {
  if (now - looked_at_ < look_interval) return;
  looked_at_ = now;
  std::optional<Credentials> found = source_();
  const bool is_other = found && found != credentials_;
  if (is_other) credentials_ = std::move(found);
  // A connection to a host that vanished may stay silent for 15 minutes, and ZeroMQ never retries
  // after a refused or broken handshake.
  if (!is_other && now - last_heard_at_ < patience) return;
  last_heard_at_ = now;
  connect();
}

Uplink::~Uplink() = default;

bool Uplink::send(std::string_view frame) {
  if (!socket_) return false;
  try {
    return socket_->dealer.send(zmq::buffer(frame), zmq::send_flags::dontwait).has_value();
  } catch (const zmq::error_t& error) {
    fail("send", error);
  }
}

void Uplink::send_last(std::string_view frame) {
  if (!send(frame)) return;
  try {
    socket_->dealer.set(zmq::sockopt::linger, last_frame_max_ms);
  } catch (const zmq::error_t& error) {
    fail("send", error);
  }
}

std::optional<std::string> Uplink::receive() {
  if (!socket_) return std::nullopt;
  try {
    zmq::message_t message;
    if (!socket_->dealer.recv(message, zmq::recv_flags::dontwait)) return std::nullopt;
    last_heard_at_ = uptime();
    // A reply is one frame. Of a longer message the agent gets the last frame, and ignores it.
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
  std::array<zmq::pollitem_t, 4> items{
      {{nullptr, others.stop, ZMQ_POLLIN, 0},
       {nullptr, others.driver, ZMQ_POLLIN, 0},
       {nullptr, others.panel, ZMQ_POLLIN, 0},
       {socket_ ? socket_->dealer.handle() : nullptr, 0, events, 0}}};
  try {
    zmq::poll(items.data(), socket_ ? items.size() : items.size() - 1, timeout);
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) fail("poll", error);
    return {};
  }
  return {(items[3].revents & ZMQ_POLLOUT) != 0, (items[0].revents & ZMQ_POLLIN) != 0};
}

}  // namespace linkmeter
