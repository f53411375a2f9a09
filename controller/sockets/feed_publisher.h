// FeedPublisher: the feed's socket (ZeroMQ XPUB) and the thread that serves it. Whatever a
// subscriber does, it costs this thread and the socket's own ZeroMQ context, never the turn.
//
// Laws: publish() never waits and holds at most one frame per topic: a newer frame takes the place
// of one that is not sent yet. A new subscriber is sent the latest frame of each topic that it
// asked for. XPUB keeps every subscription in memory, and when a connection ends it walks all of
// them. So a connection that asks for too many topics that do not exist is ended
// (Admission::note_subscription), and few subscriptions wait for this thread. The thread reports
// each of its rounds to Admission. While a report is late, Admission accepts no new connection.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "controller/sockets/zap_authenticator.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

class FeedPublisher {
 public:
  static constexpr std::string_view topic_prefix = "meter/";
  // At most so often is a frame sent again because somebody subscribed.
  static constexpr std::chrono::milliseconds resend_interval{20};

  // Binds at once and starts the thread. Throws Fault. `context` should serve nothing else;
  // `context` and `admission` must outlive this.
  FeedPublisher(zmq::context_t& context, Admission& admission, const std::string& endpoint,
                std::vector<std::string> topics);
  ~FeedPublisher();
  FeedPublisher(const FeedPublisher&) = delete;
  FeedPublisher& operator=(const FeedPublisher&) = delete;

  // With the port that a "*" became.
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  // Hands over the newest frame, which begins with its topic. `topic` is its place in `topics`.
  void publish(std::size_t topic, std::string frame);

 private:
  using Clock = std::chrono::steady_clock;
  struct Topic {
    std::string name;
    std::string latest;  // frame; "": none yet
    bool is_asked = false;
    bool is_new = false;  // `latest` was not sent yet
    Clock::time_point sent = {};
  };

  void run();
  // False: stop.
  bool serve();
  void take_handed_over();
  void take_subscriptions();
  // Does any link have such a topic? Then its latest frame is sent again.
  bool take_subscription(std::string_view topic);
  void send_due(Clock::time_point now);
  [[nodiscard]] std::chrono::milliseconds time_until_due(Clock::time_point now) const;
  void wake() const;

  Admission& admission_;
  zmq::socket_t socket_;  // the thread's, once that runs
  Descriptor wake_;
  std::string endpoint_;
  std::vector<Topic> topics_;  // the thread's
  std::size_t topic_bytes_max_ = 0;

  std::mutex mutex_;
  std::vector<std::optional<std::string>> handed_over_;  // by topic
  bool has_handed_over_ = false;
  bool is_stopping_ = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace linkmeter
