#include "table-agent/link/uplink.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>
#include <zmq.hpp>

#include "meters/values/limits.h"
#include "proto/host/endpoint.h"
#include "proto/host/fault.h"
#include "proto/host/uptime.h"

namespace linkmeter {

namespace {

constexpr int handshake_max_ms = 2'000;
constexpr int last_frame_max_ms = 200;
constexpr int reconnect_interval_ms = 50;
constexpr int reconnect_interval_max_ms = 1'000;
constexpr std::chrono::milliseconds look_interval{500}, look_interval_welcome{2'000};
constexpr std::chrono::milliseconds closing_time{20};  // much more than a socket needs
constexpr std::chrono::seconds patience{3};            // more than a handshake may take

constexpr const char* monitor_address = "inproc://events";
constexpr int events_of_interest =
    ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CONNECT_RETRIED |
    ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL |
    ZMQ_EVENT_HANDSHAKE_FAILED_AUTH;

[[noreturn]] void fail(const char* what, const zmq::error_t& error) {
  throw Fault(std::string("uplink: ") + what + ": " + error.what());
}

}  // namespace

struct Uplink::Socket {
  zmq::context_t context{1};
  zmq::socket_t dealer{context, zmq::socket_type::dealer};
  zmq::socket_t monitor{context, zmq::socket_type::pair};  // what becomes of the connection

  Socket() = default;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  // The dealer must not report to a monitor that is gone: it would wait for it for ever.
  ~Socket() { ::zmq_socket_monitor(dealer.handle(), nullptr, 0); }

  // REQUIRES: before the dealer connects.
  void watch() {
    if (::zmq_socket_monitor(dealer.handle(), monitor_address, events_of_interest) != 0) {
      throw zmq::error_t();
    }
    monitor.set(zmq::sockopt::linger, 0);
    monitor.set(zmq::sockopt::rcvhwm, 0);  // the dealer waits for room here, too
    monitor.connect(monitor_address);
  }
};

Uplink::Uplink(PeerChoice peers, Source credentials, const KnownNodes& nodes)
    : peers_(std::move(peers)),
      source_(std::move(credentials)),
      credentials_(source_()),
      looked_at_(uptime()),
      last_heard_at_(looked_at_) {
  know(nodes);
  connect();
}

Uplink::Uplink(const std::string& endpoint, Source credentials)
    : peers_({endpoint}),
      source_(std::move(credentials)),
      credentials_(source_()),
      looked_at_(uptime()),
      last_heard_at_(looked_at_) {
  choose();
  connect();
}

void Uplink::know(const KnownNodes& nodes) {
  nodes_ = &nodes;
  choose();
}

std::string Uplink::trusted_key() const {
  return credentials_ && !has_replaced_credentials() ? credentials_->controller_key : "";
}

std::vector<NodeAddress> Uplink::usable_nodes() const {
  return nodes_ != nullptr ? nodes_->list(link().credentials) : std::vector<NodeAddress>();
}

void Uplink::choose() { peers_.know(trusted_key(), usable_nodes()); }

bool Uplink::has_replaced_credentials() const {
  return credentials_ && nodes_ != nullptr &&
         mark_of(*credentials_) == nodes_->replaced_credentials();
}

void Uplink::pass_over() {
  is_passed_over_ = true;
  peers_.on_passed_over();
}

KnownNodes::Link Uplink::link() const {
  return {credentials_ ? mark_of(*credentials_) : "", connected_key_};
}

void Uplink::connect() {
  if (!credentials_) return;
  const NodeAddress& peer = peers_.current();
  if (!close_socket() && has_host_name(peer.endpoint)) return peers_.on_gone();
  socket_ = std::make_unique<Socket>();
  connected_key_ = peer.key;
  is_passed_over_ = false;
  try {
    zmq::socket_t& dealer = socket_->dealer;
    socket_->watch();
    dealer.set(zmq::sockopt::curve_serverkey, peer.key);
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
    dealer.connect(peer.endpoint);
  } catch (const zmq::error_t& error) {
    // Only ZeroMQ knows each address that cannot exist, and another node may have named this one.
    if (!has_others()) fail(("cannot connect to " + peer.endpoint).c_str(), error);
    peers_.on_gone();
  }
}

bool Uplink::close_socket() {
  try {
    if (socket_) {
      closing_.push_back(
          std::async(std::launch::async, [old = std::move(socket_)]() mutable { old.reset(); }));
    }
  } catch (const std::system_error&) {
    // There is no thread for it, and it has been closed here.
  }
  std::erase_if(closing_, [](const std::future<void>& one) {
    return one.wait_for(closing_time) == std::future_status::ready;
  });
  return closing_.empty();
}

bool Uplink::update(Timestamp now, bool is_welcome) {
  if (is_welcome) peers_.on_served();
  if (look_for_credentials(now, is_welcome)) return true;
  if (!credentials_) return false;
  if (socket_) note_events();
  const PeerChoice::Step step = peers_.next(now);
  if (step == PeerChoice::Step::connect) connect();
  return step != PeerChoice::Step::stay;
}

std::optional<Timestamp> Uplink::wakes_at(Timestamp now) const {
  return credentials_ ? peers_.wakes_at(now) : std::nullopt;
}

void Uplink::note_events() {
  try {
    zmq::message_t event, endpoint;  // an event is two frames
    while (socket_->monitor.recv(event, zmq::recv_flags::dontwait)) {
      if (!socket_->monitor.recv(endpoint, zmq::recv_flags::none)) return;
      std::uint16_t kind = 0;
      if (event.size() >= sizeof(kind)) std::memcpy(&kind, event.data(), sizeof(kind));
      if (kind == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
        peers_.on_connected();
      } else {
        peers_.on_gone();
      }
    }
  } catch (const zmq::error_t& error) {
    fail("monitor", error);
  }
}

bool Uplink::look_for_credentials(Timestamp now, bool is_welcome) {
  const std::chrono::microseconds moment(now.microseconds());
  if (moment - looked_at_ < (is_welcome ? look_interval_welcome : look_interval)) return false;
  looked_at_ = moment;
  std::optional<Credentials> found = source_();
  const bool is_changed = found && found != credentials_;
  if (is_changed) {
    credentials_ = std::move(found);
    peers_.begin_again(trusted_key(), usable_nodes(), now);
  }
  // A connection to a host that vanished may stay silent for 15 minutes, and ZeroMQ never retries
  // after a refused or broken handshake.
  const bool is_silent = !is_welcome && !has_others() && moment - last_heard_at_ >= patience;
  if (!is_changed && !is_silent) return false;
  last_heard_at_ = moment;
  connect();
  return is_changed;
}

Uplink::~Uplink() = default;

bool Uplink::send(std::string_view frame) {
  if (!socket_) return false;
  if (is_passed_over_) return true;  // it is as lost; another controller gets everything again
  peers_.on_question(Timestamp::from_microseconds(uptime().count()));
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
    while (socket_->dealer.recv(message, zmq::recv_flags::dontwait)) {
      // A reply is one frame. Of a longer message the agent gets the last frame, and ignores it.
      while (message.more()) {
        if (!socket_->dealer.recv(message, zmq::recv_flags::none)) break;
      }
      if (is_passed_over_) continue;
      last_heard_at_ = uptime();
      peers_.on_answer();
      return message.to_string();
    }
    return std::nullopt;
  } catch (const zmq::error_t& error) {
    fail("receive", error);
  }
}

Uplink::Ready Uplink::wait(Until until, Others others, std::chrono::milliseconds timeout) {
  const short events = until == Until::receivable ? ZMQ_POLLIN : ZMQ_POLLIN | ZMQ_POLLOUT;
  std::array<zmq::pollitem_t, 5> items{
      {{nullptr, others.stop, ZMQ_POLLIN, 0},
       {nullptr, others.driver, ZMQ_POLLIN, 0},
       {nullptr, others.panel, ZMQ_POLLIN, 0},
       {socket_ ? socket_->dealer.handle() : nullptr, 0, events, 0},
       {socket_ ? socket_->monitor.handle() : nullptr, 0, ZMQ_POLLIN, 0}}};
  try {
    zmq::poll(items.data(), socket_ ? items.size() : items.size() - 2, timeout);
  } catch (const zmq::error_t& error) {
    if (error.num() != EINTR) fail("poll", error);
    return {};
  }
  return {(items[3].revents & ZMQ_POLLOUT) != 0, (items[0].revents & ZMQ_POLLIN) != 0};
}

}  // namespace linkmeter
