// EventBroker: what was published last on every topic; and WebListener: how far one reader of
// server-sent events has come. No sockets, no threads, no clock.
//
// Law: a reader gets the latest of each of its topics and never an older one after a newer; what
// was published while it was slow, and replaced since, it does not get.
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
    std::string data;  // in lines of their own; ages are marked
    std::uint64_t version = 0;
    Moment published;
  };

  void publish(const std::string& topic, const std::string& event_name, const std::string& data,
               std::uint64_t id, Moment now);
  // nullptr: nothing yet. Stays where it is.
  [[nodiscard]] const Topic* find(const std::string& topic) const;
  // The data alone, ages filled in.
  [[nodiscard]] std::optional<std::string> latest(const std::string& topic, Moment now) const;
  // The event as it is sent, ages filled in.
  static std::string event(const Topic& topic, Moment now);

 private:
  std::map<std::string, Topic, std::less<>> topics_;
};

class WebListener {
 public:
  using Moment = EventBroker::Moment;

  explicit WebListener(std::vector<std::string> topics)
      : topics_(std::move(topics)), seen_(topics_.size(), 0) {}

  // At most `bytes_max` bytes of what comes next; "" where there is nothing.
  std::string_view read(const EventBroker& topics, std::size_t bytes_max, Moment now);
  // A comment comes next, where nothing else does: so that one who is gone is found.
  void beat();
  [[nodiscard]] const std::vector<std::string>& topics() const { return topics_; }

 private:
  std::vector<std::string> topics_;
  std::vector<std::uint64_t> seen_;          // the version of each
  std::size_t next_ = 0;                     // whose turn it is
  std::string sending_ = "retry: 1000\n\n";  // a browser that lost us comes back after a second
  std::size_t sent_ = 0;                     // bytes of it
};

}  // namespace linkmeter
