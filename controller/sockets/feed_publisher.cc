#include "controller/sockets/feed_publisher.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <utility>

#include "controller/sockets/table_socket.h"
#include "meters/values/limits.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

using std::chrono::milliseconds;

// The longest topic with its zero byte, and ZMTP's prefix: "\1", or since 3.1 the command's name.
constexpr std::string_view subscription_prefix_longest = "\x09SUBSCRIBE";
constexpr auto subscription_bytes_max =
    static_cast<std::int64_t>(subscription_prefix_longest.size() +
                              FeedPublisher::topic_prefix.size() + limits::name_length_max + 1);
// CURVE's messages before any subscription are longer (RFC 26, INITIATE: 257 and the socket's
// metadata).
constexpr std::int64_t peer_bytes_max = 512;
static_assert(subscription_bytes_max + curve_bytes <= peer_bytes_max);

constexpr int subscriptions_per_round_max = 1'024;
// Subscriptions per subscriber that wait for this thread: XPUB buffers them even for a connection
// that was closed meanwhile.
constexpr int subscriptions_waiting_max = 8;
// A subscriber that acknowledges nothing for this long is disconnected: its cable was pulled.
constexpr int unanswered_max_ms = 30'000;
// Between two rounds, even without work.
constexpr milliseconds round_interval{100};
// Frames per subscriber; further frames are dropped for it. A new subscriber gets every link at
// once.
constexpr int frames_waiting_min = 64;
constexpr int socket_receive_bytes = 32 << 10;
constexpr int linger_ms = 0;

int frames_waiting_max(std::size_t topics) {
  return std::max(frames_waiting_min, 2 * static_cast<int>(topics));
}

}  // namespace

FeedPublisher::FeedPublisher(zmq::context_t& context, ZapAuthenticator& admission,
                             const std::string& endpoint, std::vector<std::string> topics)
    : admission_(admission), socket_(context, zmq::socket_type::xpub), handed_over_(topics.size()) {
  std::uint64_t topic_bytes = 0;
  for (std::string& topic : topics) {
    topic_bytes += topic.size();
    topic_bytes_max_ = std::max(topic_bytes_max_, topic.size());
    topics_.push_back(Topic{std::move(topic), ""});
  }
  socket_.set(zmq::sockopt::xpub_verbose, true);
  socket_.set(zmq::sockopt::sndhwm, frames_waiting_max(topics_.size()));
  socket_.set(zmq::sockopt::rcvhwm, subscriptions_waiting_max);
  socket_.set(zmq::sockopt::tcp_maxrt, unanswered_max_ms);
  socket_.set(zmq::sockopt::rcvbuf, socket_receive_bytes);
  socket_.set(zmq::sockopt::maxmsgsize, peer_bytes_max);
  socket_.set(zmq::sockopt::handshake_ivl, static_cast<int>(TableSocket::handshake_max.count()));
  socket_.set(zmq::sockopt::linger, linger_ms);
  admission.expect_topics(topic_bytes, topics_.size());
  admission.secure_socket(socket_, ZapAuthenticator::Domain::feed);
  listen_at(socket_, endpoint);
  endpoint_ = socket_.get(zmq::sockopt::last_endpoint);
  thread_ = std::thread([this] { run(); });
}

FeedPublisher::~FeedPublisher() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_stopping_ = true;
  }
  wake_.signal();
  thread_.join();
}

void FeedPublisher::publish(std::size_t topic, std::string frame) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    handed_over_[topic] = std::move(frame);
    if (std::exchange(has_handed_over_, true)) return;  // the thread is awake or will be
  }
  wake_.signal();
}

// Runs until it is stopped, or until the context ends. Any other error ends only one round: a sign
// without updates shows that itself, and the tables continue.
void FeedPublisher::run() {
  for (bool goes_on = true; goes_on;) {
    try {
      goes_on = serve();
    } catch (const zmq::error_t& error) {
      goes_on = error.num() != ETERM;
      if (goes_on) spdlog::error("feed: {}", error.what());
    } catch (const std::exception& fault) {
      spdlog::error("feed: {}", fault.what());
    }
  }
}

bool FeedPublisher::serve() {
  std::array<zmq_pollitem_t, 2> items = {
      {{nullptr, wake_.descriptor(), ZMQ_POLLIN, 0}, {socket_.handle(), 0, ZMQ_POLLIN, 0}}};
  const int ready = ::zmq_poll(items.data(), static_cast<int>(items.size()),
                               time_until_due(Clock::now()).count());
  if (ready < 0 && errno != EINTR) throw zmq::error_t();
  // Read subscriptions first: a viewer that subscribed before a frame is sent receives that frame.
  take_subscriptions();
  admission_.note_feed_round();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_stopping_) return false;
  }
  take_handed_over();
  send_due(Clock::now());
  return true;
}

void FeedPublisher::take_handed_over() {
  wake_.clear();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!std::exchange(has_handed_over_, false)) return;
  for (std::size_t at = 0; at < topics_.size(); ++at) {
    if (!handed_over_[at]) continue;
    topics_[at].latest = std::move(*handed_over_[at]);
    topics_[at].is_new = true;
    handed_over_[at].reset();
  }
}

void FeedPublisher::take_subscriptions() {
  for (int seen = 0; seen < subscriptions_per_round_max; ++seen) {
    zmq::message_t frame;
    if (!socket_.recv(frame, zmq::recv_flags::dontwait)) return;
    const std::string_view bytes = frame.to_string_view();
    if (!bytes.empty() && bytes.front() == '\0') continue;  // an unsubscription
    // -1 if ZeroMQ made the message itself.
    const int connection = ::zmq_msg_get(frame.handle(), ZMQ_SRCFD);
    const char* key = ::zmq_msg_gets(frame.handle(), "User-Id");
    const bool is_known = bytes.starts_with('\1') && take_subscription(bytes.substr(1));
    admission_.note_subscription(connection, key == nullptr ? "" : key, is_known);
  }
}

bool FeedPublisher::take_subscription(std::string_view topic) {
  bool is_known = false;
  if (topic.size() <= topic_bytes_max_) {
    for (Topic& one : topics_) {
      if (!one.name.starts_with(topic)) continue;
      one.is_asked = true;
      is_known = true;
    }
  }
  return is_known;
}

void FeedPublisher::send_due(Clock::time_point now) {
  for (Topic& topic : topics_) {
    const bool is_due = topic.is_new || (topic.is_asked && !topic.latest.empty() &&
                                         topic.sent + resend_interval <= now);
    if (!is_due) continue;
    // XPUB never waits: a frame that a subscriber has no room for is dropped for that subscriber.
    socket_.send(zmq::buffer(topic.latest), zmq::send_flags::dontwait);
    topic.sent = now;
    topic.is_new = topic.is_asked = false;
  }
}

milliseconds FeedPublisher::time_until_due(Clock::time_point now) const {
  milliseconds wait = round_interval;
  for (const Topic& topic : topics_) {
    if (!topic.is_asked || topic.latest.empty()) continue;
    const auto due = std::chrono::ceil<milliseconds>(topic.sent + resend_interval - now);
    const milliseconds until = std::max(milliseconds(0), due);
    wait = std::min(wait, until);
  }
  return wait;
}

}  // namespace linkmeter
