#include "proto/http/event_broker.h"

#include <algorithm>

#include "proto/http/message.h"

namespace linkmeter {
namespace {

void append_with_ages(std::string_view text, std::chrono::milliseconds age, std::string& to) {
  while (true) {
    const std::size_t mark = text.find(web_age_mark);
    to += text.substr(0, mark);
    if (mark == std::string_view::npos) return;
    to += std::to_string(age.count());
    text.remove_prefix(mark + web_age_mark.size());
  }
}

std::chrono::milliseconds age_of(const EventBroker::Topic& topic, EventBroker::Moment now) {
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(now - topic.published));
}

}  // namespace

void EventBroker::publish(const std::string& topic, const std::string& event_name,
                          const std::string& data, std::uint64_t id, Moment now) {
  Topic& latest = topics_[topic];
  latest.head = id == 0 ? "" : "id: " + std::to_string(id) + "\n";
  latest.head += "event: " + event_name + "\n";
  latest.data = data;
  latest.published = now;
  ++latest.version;
}

const EventBroker::Topic* EventBroker::find(const std::string& topic) const {
  const auto found = topics_.find(topic);
  return found == topics_.end() ? nullptr : &found->second;
}

std::optional<std::string> EventBroker::latest(const std::string& topic, Moment now) const {
  const Topic* found = find(topic);
  if (found == nullptr) return std::nullopt;
  std::string text;
  append_with_ages(found->data, age_of(*found, now), text);
  return text;
}

std::string EventBroker::event(const Topic& topic, Moment now) {
  std::string text = topic.head;
  std::string_view rest = topic.data;
  while (true) {
    const std::size_t end = rest.find('\n');
    text += "data: ";
    append_with_ages(rest.substr(0, end), age_of(topic, now), text);
    text += '\n';
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return text + '\n';
}

std::string_view WebListener::read(const EventBroker& topics, std::size_t bytes_max, Moment now) {
  for (std::size_t looked = 0; sent_ == sending_.size() && looked < topics_.size(); ++looked) {
    const std::size_t at = next_;
    next_ = (next_ + 1) % topics_.size();
    const EventBroker::Topic* topic = topics.find(topics_[at]);
    if (topic == nullptr || topic->version == seen_[at]) continue;
    seen_[at] = topic->version;
    sending_ = EventBroker::event(*topic, now);
    sent_ = 0;
  }
  const std::string_view piece = std::string_view(sending_).substr(sent_, bytes_max);
  sent_ += piece.size();
  return piece;
}

void WebListener::beat() {
  if (sent_ != sending_.size()) return;
  sending_ = ":\n\n";
  sent_ = 0;
}

}  // namespace linkmeter
