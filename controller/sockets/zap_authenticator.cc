#include "controller/sockets/zap_authenticator.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <zmq_addon.hpp>

#include "controller/sockets/viewer_slots.h"
#include "meters/values/invariant.h"
#include "proto/host/fault.h"
#include "proto/http/connection_limiter.h"

namespace linkmeter {

namespace {

constexpr std::array<std::string_view, ZapAuthenticator::doors> door_names{"tables", "feed",
                                                                           "control", "nodes"};
constexpr std::size_t key_bytes = 32, key_letters = 40;
constexpr std::size_t news_per_second_max = 10, news_max = 100;
constexpr const char* zap_endpoint = "inproc://zeromq.zap.01";

std::size_t place_of(ZapAuthenticator::Domain door) { return static_cast<std::size_t>(door); }

std::string z85(const zmq::message_t& key) {
  std::array<char, key_letters + 1> text{};
  if (key.size() != key_bytes) return "";
  ::zmq_z85_encode(text.data(), key.data<std::uint8_t>(), key_bytes);
  return text.data();
}

// Bytes received over the connection since it was made; 0 if it is not TCP.
std::uint64_t bytes_received(int connection) {
  tcp_info info{};
  socklen_t length = sizeof info;
  if (::getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &length) != 0) return 0;
  return info.tcpi_bytes_received;
}

// The kernel's unique number of this connection; 0 if it has none.
std::uint64_t cookie_of(int connection) {
  std::uint64_t cookie = 0;
  socklen_t length = sizeof cookie;
  return ::getsockopt(connection, SOL_SOCKET, SO_COOKIE, &cookie, &length) == 0 ? cookie : 0;
}

// Closes the connection for ZeroMQ as if the peer had, and discards the unread input, which ZeroMQ
// would still read.
void cut(int connection) {
  ::shutdown(connection, SHUT_RDWR);
  // More than the receive buffer of a feed socket.
  std::array<char, std::size_t{64} << 10U> dropped{};
  static_cast<void>(::recv(connection, dropped.data(), dropped.size(), MSG_DONTWAIT));
}

// The peer's address; "" if there is none.
std::string address_of(int connection) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  // The sockets API takes every kind of address as a sockaddr.
  auto* any = reinterpret_cast<sockaddr*>(&address);
  return ::getpeername(connection, any, &size) == 0 ? web_peer(any) : "";
}

// A ZAP request. Frames: version, request, domain, address, identity, mechanism, credentials.
struct ZapRequest {
  std::string request;
  std::string domain;
  std::string address;
  std::string key;  // "": not CURVE

  static std::optional<ZapRequest> read(const std::vector<zmq::message_t>& frames) {
    if (frames.size() < 6 || frames[0].to_string_view() != "1.0") return std::nullopt;
    ZapRequest asked{frames[1].to_string(), frames[2].to_string(), frames[3].to_string(), ""};
    if (frames[5].to_string_view() == "CURVE" && frames.size() == 7) asked.key = z85(frames[6]);
    return asked;
  }
};

}  // namespace

// State shared by the thread and its callers. Only the thread reads sockets.
class ZapAuthenticator::Watch {
 public:
  Watch(zmq::context_t& context, KeyPair keys, std::string operator_key,
        const ViewerBounds& viewers)
      : context_(context),
        keys_(std::move(keys)),
        bounds_(viewers),
        bytes_max_(viewers.bytes_max),
        zap_(context, zmq::socket_type::rep),
        orders_(context, zmq::socket_type::pair),
        orders_receiver_(context, zmq::socket_type::pair) {
    lists_[place_of(Domain::control)].insert(std::move(operator_key));
    try {
      zap_.set(zmq::sockopt::linger, 0);
      zap_.bind(zap_endpoint);
      const std::string place = "inproc://admission";
      orders_receiver_.bind(place);
      orders_.connect(place);
    } catch (const zmq::error_t& error) {
      throw Fault(std::string("admission: ") + error.what());
    }
    thread_ = std::thread([this] { run(); });
  }
  ~Watch() {
    notify_thread("stop");
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void secure_socket(zmq::socket_ref socket, Domain door) {
    const std::string place =
        "inproc://" + std::string(name_of(door)) + "/" + std::to_string(++guarded_);
    constexpr int events = ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED |
                           ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL |
                           ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH |
                           ZMQ_EVENT_DISCONNECTED;
    try {
      socket.set(zmq::sockopt::curve_server, true);
      socket.set(zmq::sockopt::curve_secretkey, keys_.secret_key);
      socket.set(zmq::sockopt::zap_domain, std::string(name_of(door)));
    } catch (const zmq::error_t& error) {
      throw Fault(std::string("admission: ") + error.what());
    }
    if (::zmq_socket_monitor(socket.handle(), place.c_str(), events) != 0) {
      throw Fault(std::string("admission: cannot watch a socket: ") + ::zmq_strerror(errno));
    }
    notify_thread(place);
  }

  void admit(const Enrolments& enrolments) {
    std::set<std::string> tables, viewers, nodes;
    for (const auto& [name, enrolment] : enrolments.all()) {
      // A node reads the journal. It neither speaks as a table nor reads the feed.
      if (enrolment.kind == EnrolmentKind::node) {
        nodes.insert(enrolment.key);
        continue;
      }
      if (enrolment.kind == EnrolmentKind::table) tables.insert(enrolment.key);
      viewers.insert(enrolment.key);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::set<std::string>& before = lists_[place_of(Domain::feed)];
    const bool all_stay =
        std::includes(viewers.begin(), viewers.end(), before.begin(), before.end());
    lists_[place_of(Domain::tables)] = std::move(tables);
    lists_[place_of(Domain::feed)] = std::move(viewers);
    lists_[place_of(Domain::nodes)] = std::move(nodes);
    if (!all_stay) close_feed_connections();
  }

  void admit_operator(const std::string& key) {
    const std::lock_guard<std::mutex> lock(mutex_);
    lists_[place_of(Domain::control)] = {key};
  }

  [[nodiscard]] Counts counts() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return counts_;
  }

  void note_subscription(int connection, const std::string& key, bool is_known_topic) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto viewer = viewers_.find(connection);
    if (viewer == viewers_.end() || viewer->second.is_ended) return;
    viewer->second.has_subscribed = true;
    make_room(places_.subscribed(connection, key),
              "was the oldest of the key with the most connections, over the limit");
    if (is_known_topic) return;
    if (++viewer->second.unknown_topics > bounds_.unknown_topics_max) {
      end_viewer(viewer->first, viewer->second, "subscribed to too many unknown topics");
    }
  }

  void expect_topics(std::uint64_t bytes, std::size_t count) {
    constexpr std::uint64_t frame_bytes = 64;  // CURVE and ZMTP add less to a topic
    const std::lock_guard<std::mutex> lock(mutex_);
    bytes_max_ = std::min(bounds_.bytes_max, bounds_.bytes_min + 2 * (bytes + count * frame_bytes));
  }

  void note_feed_round() { feed_round_ = Clock::now().time_since_epoch().count(); }

  [[nodiscard]] std::vector<std::string> take_log_lines() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_ != nullptr) rethrow_failure(failure_);
    std::vector<std::string> news = std::exchange(news_, {});
    if (hidden_ > 0 && this_second() != news_second_) {
      news.push_back(std::to_string(std::exchange(hidden_, 0)) + " more, not shown");
    }
    return news;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    zmq::socket_t monitor;
    bool is_feed = false, is_of_nodes = false;
  };
  // A connection to the feed, or of a node.
  struct Viewer {
    bool is_node = false;
    std::uint64_t cookie = 0;
    Clock::time_point since = {};
    bool has_subscribed = false;
    std::uint64_t bytes_seen = 0;  // since it was made
    std::uint64_t bytes = 0;       // the part that has not refilled
    std::uint32_t unknown_topics = 0;
    bool is_ended = false;  // closed by us; its last event is still to come
  };

  static std::string_view name_of(Domain door) { return door_names[place_of(door)]; }

  void notify_thread(const std::string& order) {
    orders_.send(zmq::buffer(order), zmq::send_flags::none);
  }

  // Runs until it is stopped, or until the context ends: then no further connection is accepted.
  void run() {
    for (bool goes_on = true; goes_on;) {
      try {
        const ReadingScope reads;
        goes_on = serve();
      } catch (const zmq::error_t& error) {
        goes_on = error.num() != ETERM;
      } catch (const std::exception&) {  // take_log_lines() rethrows it
        const std::lock_guard<std::mutex> lock(mutex_);
        failure_ = std::current_exception();
        goes_on = false;
      }
    }
  }

  [[noreturn]] static void rethrow_failure(const std::exception_ptr& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      throw Fault(std::string("admission: its thread has ended: ") + error.what());
    }
  }

  bool serve() {
    std::vector<zmq::pollitem_t> items{{orders_receiver_.handle(), 0, ZMQ_POLLIN, 0},
                                       {zap_.handle(), 0, ZMQ_POLLIN, 0}};
    for (Watched& watched : watched_) {
      items.push_back({watched.monitor.handle(), 0, ZMQ_POLLIN, 0});
    }
    zmq::poll(items, time_until_check());
    // Monitor events first: reading them too slowly would block ZeroMQ's own thread, and a
    // connection must be known here before its key is admitted.
    bool saw_all = true;
    for (std::size_t at = 2; at < items.size(); ++at) {
      if (items[at].revents != 0) saw_all = note_events(watched_[at - 2]) && saw_all;
    }
    if (items[1].revents != 0 && saw_all) answer();
    check_viewers();
    return items[0].revents == 0 || obey();
  }

  bool obey() {
    zmq::message_t order;
    if (!orders_receiver_.recv(order) || order.to_string_view() == "stop") return false;
    const std::string place = order.to_string();
    const std::lock_guard<std::mutex> lock(mutex_);
    Watched& watched = watched_.emplace_back();
    watched.is_feed = place.starts_with("inproc://" + std::string(name_of(Domain::feed)));
    watched.is_of_nodes = place.starts_with("inproc://" + std::string(name_of(Domain::nodes)));
    zmq::socket_t& monitor = watched.monitor;
    monitor = zmq::socket_t(context_, zmq::socket_type::pair);
    monitor.set(zmq::sockopt::linger, 0);
    monitor.set(zmq::sockopt::rcvhwm, 0);
    monitor.connect(place);
    return true;
  }

  void answer() {
    std::vector<zmq::message_t> frames;
    if (!zmq::recv_multipart(zap_, std::back_inserter(frames), zmq::recv_flags::dontwait)) return;
    const std::optional<ZapRequest> request = ZapRequest::read(frames);
    const bool is_known = request && may_enter(*request);
    if (!is_known) note_refused(request);
    const bool is_now = is_known && is_in_rate(*request);
    // RFC 27: 300 means that the peer should retry. ZeroMQ then closes the connection without a
    // reply, and its viewers reconnect; after 400 they never do.
    const std::array<std::string, 6> reply{"1.0",
                                           request ? request->request : "",
                                           is_now ? "200" : (is_known ? "300" : "400"),
                                           is_now ? "OK" : (is_known ? "later" : "not enrolled"),
                                           is_now ? request->key : "",
                                           ""};
    for (std::size_t at = 0; at < reply.size(); ++at) {
      zap_.send(zmq::buffer(reply[at]),
                at + 1 < reply.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
    }
  }

  bool may_enter(const ZapRequest& request) const {
    const auto door = std::find(door_names.begin(), door_names.end(), request.domain);
    if (door == door_names.end() || request.key.empty()) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    return lists_[static_cast<std::size_t>(door - door_names.begin())].contains(request.key);
  }

  // Whether the connection is within the rate. Only the feed has a rate.
  bool is_in_rate(const ZapRequest& request) {
    if (request.domain != name_of(Domain::feed)) return true;
    const Clock::time_point now = Clock::now();
    const Clock::time_point round{Clock::duration(feed_round_.load())};
    const bool is_late = round != Clock::time_point() && round + bounds_.late_after < now;
    const ViewerRate::Answer answer =
        is_late ? ViewerRate::Answer::all_too_often : rate_.ask(request.key, now);
    if (answer == ViewerRate::Answer::accepted) return true;
    const std::lock_guard<std::mutex> lock(mutex_);
    ++counts_.viewers_ended;
    if (answer == ViewerRate::Answer::key_too_often) {
      add_news("key " + request.key + " from " + request.address +
               " connects to the feed too often");
    }
    return false;
  }

  void note_refused(const std::optional<ZapRequest>& request) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!request || request->key.empty()) {
      ++counts_.without_key;
      add_news("a peer without a key" + (request ? " at " + request->address : std::string()));
    } else {
      ++counts_.key_unknown;
      add_news("key " + request->key + " from " + request->address + " is not enrolled for " +
               request->domain);
    }
  }

  // False: there may be more.
  bool note_events(Watched& watched) {
    constexpr int at_once = 256;
    zmq::message_t event, endpoint;
    const std::lock_guard<std::mutex> lock(mutex_);
    for (int seen = 0; seen < at_once; ++seen) {
      if (!watched.monitor.recv(event, zmq::recv_flags::dontwait)) return true;
      if (!watched.monitor.recv(endpoint)) return true;
      std::uint16_t kind = 0;
      std::uint32_t value = 0;
      if (event.size() < sizeof kind + sizeof value) continue;
      std::memcpy(&kind, event.data(), sizeof kind);
      std::memcpy(&value, event.data<char>() + sizeof kind, sizeof value);
      note_event(kind, value, endpoint.to_string());
      if (!watched.is_feed && !watched.is_of_nodes) continue;
      if (kind == ZMQ_EVENT_ACCEPTED) {
        take_viewer(static_cast<int>(value), watched.is_of_nodes);
      }
      if (kind == ZMQ_EVENT_DISCONNECTED) forget_viewer(static_cast<int>(value));
    }
    return false;
  }

  // Closes the connections at the socket. Skips descriptors that the system has reused.
  void close_feed_connections() {
    for (const auto& [connection, viewer] : viewers_) {
      if (!viewer.is_node && cookie_of(connection) == viewer.cookie) cut(connection);
    }
  }

  void take_viewer(int connection, bool is_node) {
    Viewer& viewer = viewers_[connection] = Viewer{is_node};
    viewer.cookie = cookie_of(connection);
    viewer.since = Clock::now();
    make_room(places_.arrived(connection, address_of(connection)),
              "was the oldest of the address with the most new connections, over the limit");
  }

  void forget_viewer(int connection) {
    viewers_.erase(connection);
    places_.ended(connection);
  }

  void make_room(std::optional<int> connection, const std::string& why) {
    if (!connection) return;
    const auto viewer = viewers_.find(*connection);
    if (viewer != viewers_.end()) end_viewer(viewer->first, viewer->second, why);
  }

  void end_viewer(int connection, Viewer& viewer, const std::string& why) {
    if (std::exchange(viewer.is_ended, true)) return;
    places_.ended(connection);
    if (cookie_of(connection) == viewer.cookie) cut(connection);
    ++counts_.viewers_ended;
    add_news((viewer.is_node ? "a node's connection that " : "a connection to the feed that ") +
             why);
  }

  [[nodiscard]] std::chrono::milliseconds time_until_check() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (viewers_.empty()) return std::chrono::milliseconds(-1);
    const auto due =
        std::chrono::ceil<std::chrono::milliseconds>(looked_ + bounds_.interval - Clock::now());
    return std::max(std::chrono::milliseconds(0), due);
  }

  // ZeroMQ reads all waiting input before it reports any, so the bytes are checked separately.
  void check_viewers() {
    const Clock::time_point now = Clock::now();
    if (now < looked_ + bounds_.interval) return;
    const auto passed = std::min<std::chrono::milliseconds>(
        std::chrono::duration_cast<std::chrono::milliseconds>(now - looked_),
        std::chrono::hours(1));
    looked_ = now;
    const auto grown_back =
        bounds_.bytes_per_second * static_cast<std::uint64_t>(passed.count()) / 1'000;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::uint64_t all = 0;
    for (auto& [connection, viewer] : viewers_) {
      const std::uint64_t seen = bytes_received(connection);
      viewer.bytes -= std::min(viewer.bytes, grown_back);
      if (seen > viewer.bytes_seen) viewer.bytes += seen - viewer.bytes_seen;
      viewer.bytes_seen = seen;
      if (viewer.bytes > bytes_max_) {
        end_viewer(connection, viewer, "sent more than a viewer may send");
      }
      if (!viewer.has_subscribed && viewer.since + bounds_.arriving_time_max < now) {
        end_viewer(connection, viewer,
                   viewer.is_node ? "asked nothing in time" : "did not subscribe in time");
      }
      if (!viewer.is_ended) all += viewer.bytes;
    }
    while (all > bounds_.all_bytes_max) {
      const auto most = std::max_element(
          viewers_.begin(), viewers_.end(), [](const auto& left, const auto& right) {
            return !right.second.is_ended &&
                   (left.second.is_ended || left.second.bytes < right.second.bytes);
          });
      all -= most->second.bytes;
      end_viewer(most->first, most->second, "sent the most when all together exceeded the limit");
    }
  }

  void note_event(std::uint16_t kind, std::uint32_t value, const std::string& endpoint) {
    switch (kind) {
      case ZMQ_EVENT_ACCEPTED: ++counts_.connected; break;
      case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: ++counts_.admitted; break;
      case ZMQ_EVENT_DISCONNECTED: ++counts_.disconnected; break;
      case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL:
        ++counts_.handshake_expired;
        add_news("a connection to " + endpoint + " did not finish its handshake");
        break;
      case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL:
        if (value == ZMQ_PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH) {
          ++counts_.without_key;
          add_news("a peer without a key at " + endpoint);
          break;
        }
        ++counts_.handshake_failed;
        add_news("a connection to " + endpoint + " failed its handshake");
        break;
      default: break;  // ZAP refusals are counted in the ZAP handler
    }
  }

  static std::chrono::seconds this_second() {
    return std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now().time_since_epoch());
  }

  void add_news(std::string line) {
    const std::chrono::seconds second = this_second();
    if (second != std::exchange(news_second_, second)) shown_in_second_ = 0;
    if (shown_in_second_ < news_per_second_max && news_.size() < news_max) {
      ++shown_in_second_;
      news_.push_back(std::move(line));
    } else {
      ++hidden_;
    }
  }

  zmq::context_t& context_;
  const KeyPair keys_;
  const ViewerBounds bounds_;
  std::uint64_t bytes_max_;  // of one viewer
  std::atomic<Clock::rep> feed_round_{0};
  ViewerRate rate_{bounds_.rate_of_key, bounds_.rate_of_all};  // owned by the thread
  zmq::socket_t zap_;
  zmq::socket_t orders_, orders_receiver_;
  int guarded_ = 0;

  mutable std::mutex mutex_;
  std::vector<Watched> watched_;   // only the thread reads from its sockets
  std::map<int, Viewer> viewers_;  // by descriptor
  ViewerSlots places_{bounds_.arriving_max, bounds_.connections_max,
                      bounds_.connections_of_key_max};
  Clock::time_point looked_ = {};  // last check of the bytes; owned by the thread
  std::array<std::set<std::string>, doors> lists_;
  Counts counts_;
  std::vector<std::string> news_;
  std::chrono::seconds news_second_{};
  std::size_t shown_in_second_ = 0;
  std::uint64_t hidden_ = 0;
  std::exception_ptr failure_ = nullptr;  // why the thread has ended

  std::thread thread_;  // last member: it uses all of the above
};

ZapAuthenticator::ZapAuthenticator(zmq::context_t& context, KeyPair keys, std::string operator_key,
                                   const ViewerBounds& viewers)
    : watch_(std::make_unique<Watch>(context, std::move(keys), std::move(operator_key), viewers)) {}

ZapAuthenticator::~ZapAuthenticator() = default;

void ZapAuthenticator::secure_socket(zmq::socket_ref socket, Domain door) {
  watch_->secure_socket(socket, door);
}
const ZapAuthenticator::ViewerBounds ZapAuthenticator::viewer_bounds{};
const ZapAuthenticator::ViewerBounds ZapAuthenticator::node_bounds{
    .connections_max = 64,
    .connections_of_key_max = 8,
    .arriving_max = 64,
    .bytes_max = std::numeric_limits<std::uint64_t>::max(),
    .all_bytes_max = std::numeric_limits<std::uint64_t>::max()};

ZapAuthenticator::Counts operator+(const ZapAuthenticator::Counts& left,
                                   const ZapAuthenticator::Counts& right) {
  return {left.connected + right.connected,
          left.admitted + right.admitted,
          left.key_unknown + right.key_unknown,
          left.without_key + right.without_key,
          left.handshake_failed + right.handshake_failed,
          left.handshake_expired + right.handshake_expired,
          left.disconnected + right.disconnected,
          left.viewers_ended + right.viewers_ended};
}

void ZapAuthenticator::note_subscription(int connection, const std::string& key,
                                         bool is_known_topic) {
  watch_->note_subscription(connection, key, is_known_topic);
}
void ZapAuthenticator::expect_topics(std::uint64_t bytes, std::size_t count) {
  watch_->expect_topics(bytes, count);
}
void ZapAuthenticator::note_feed_round() { watch_->note_feed_round(); }
void ZapAuthenticator::admit(const Enrolments& enrolments) { watch_->admit(enrolments); }
void ZapAuthenticator::admit_operator(const std::string& key) { watch_->admit_operator(key); }
ZapAuthenticator::Counts ZapAuthenticator::counts() const { return watch_->counts(); }
std::vector<std::string> ZapAuthenticator::take_log_lines() { return watch_->take_log_lines(); }

}  // namespace linkmeter
