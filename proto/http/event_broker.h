// EventBroker: the latest event of every topic. WebListener: the position of one reader of
// server-sent events. No sockets, threads or clock.
//
// Law: a reader gets the latest event of each of its topics, and never an older one after a newer
// one. A slow reader skips events that were replaced meanwhile.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace linkmeter {

class EventBroker {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  struct Topic {
    std::string head;  // the event's lines before its data
    std::string data;  // with marks where ages belong
    std::uint64_t version = 0;
    Moment published;
  };

  void publish(const std::string& topic, const std::string& event_name, const std::string& data,
               std::uint64_t id, Moment now);
  // As if nothing was published. REQUIRES: it has no reader any more that goes on.
  void forget(const std::string& topic) { topics_.erase(topic); }
  // nullptr: nothing was published. The pointer stays valid until forget().
  [[nodiscard]] const Topic* find(const std::string& topic) const;
  // The data only, with ages filled in.
  [[nodiscard]] std::optional<std::string> latest(const std::string& topic, Moment now) const;
  // The event as it is sent, with ages filled in.
  static std::string event(const Topic& topic, Moment now);

 private:
  std::map<std::string, Topic, std::less<>> topics_;
};

class WebListener {
 public:
  using Moment = EventBroker::Moment;

  explicit WebListener(std::vector<std::string> topics)
      : topics_(std::move(topics)), seen_(topics_.size(), 0) {}

  // The next bytes to send, at most `bytes_max`; "": none.
  std::string_view read(const EventBroker& topics, std::size_t bytes_max, Moment now);
  // Sends a comment next, unless an event is being sent: it detects a reader that is gone.
  void beat();
  [[nodiscard]] const std::vector<std::string>& topics() const { return topics_; }

 private:
  std::vector<std::string> topics_;
  std::vector<std::uint64_t> seen_;          // the version that was sent, by topic
  std::size_t next_ = 0;                     // the next topic to look at
  std::string sending_ = "retry: 1000\n\n";  // a browser reconnects after a second
  std::size_t sent_ = 0;                     // bytes of it
};

}  // namespace linkmeter
