// FeedPublisher: the feed's socket (ZeroMQ XPUB) and the thread that serves it. A subscriber can
// load only this thread and the socket's own ZeroMQ context, never the turn.
//
// Laws: publish() never waits and holds at most one frame per topic: a newer frame replaces one
// that is not sent yet. A new subscriber receives the latest frame of each topic that it subscribed
// to. XPUB keeps every subscription in memory, and walks all of them when a connection ends. So a
// connection with too many subscriptions to unknown topics is closed
// (ZapAuthenticator::note_subscription), and the queue of subscriptions for this thread is short.
// The thread reports each of its rounds to ZapAuthenticator, which accepts no new connection while
// a report is late.
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
#include "proto/host/wakeup.h"

namespace linkmeter {

class FeedPublisher {
 public:
  static constexpr std::string_view topic_prefix = "meter/";
  // The shortest interval between frames sent again for new subscribers.
  static constexpr std::chrono::milliseconds resend_interval{20};

  // Binds at once and starts the thread. Throws Fault. `context` should serve nothing else;
  // `context` and `admission` must outlive this.
  FeedPublisher(zmq::context_t& context, ZapAuthenticator& admission, const std::string& endpoint,
                std::vector<std::string> topics);
  ~FeedPublisher();
  FeedPublisher(const FeedPublisher&) = delete;
  FeedPublisher& operator=(const FeedPublisher&) = delete;

  // The bound address, with the port that replaced a "*".
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  // Hands over the newest frame, which begins with its topic. `topic` is the index in `topics`.
  void publish(std::size_t topic, std::string frame);

 private:
  using Clock = std::chrono::steady_clock;
  struct Topic {
    std::string name;
    std::string latest;  // frame; "": none yet
    bool is_asked = false;
    bool is_new = false;  // `latest` is not sent yet
    Clock::time_point sent = {};
  };

  void run();
  // False: stop.
  bool serve();
  void take_handed_over();
  void take_subscriptions();
  // Whether a link has this topic. If so, its latest frame is sent again.
  bool take_subscription(std::string_view topic);
  void send_due(Clock::time_point now);
  [[nodiscard]] std::chrono::milliseconds time_until_due(Clock::time_point now) const;

  ZapAuthenticator& admission_;
  zmq::socket_t socket_;  // owned by the thread once it runs
  Wakeup wake_;
  std::string endpoint_;
  std::vector<Topic> topics_;  // owned by the thread
  std::size_t topic_bytes_max_ = 0;

  std::mutex mutex_;
  std::vector<std::optional<std::string>> handed_over_;  // by topic
  bool has_handed_over_ = false;
  bool is_stopping_ = false;

  std::thread thread_;  // last member: it uses all of the above
};

}  // namespace linkmeter
