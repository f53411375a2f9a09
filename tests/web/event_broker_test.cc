#include "proto/http/event_broker.h"

#include <doctest/doctest.h>
#include <string>

#include "proto/http/server.h"

namespace linkmeter::event_broker_test {
namespace {

using std::chrono::milliseconds;
const EventBroker::Moment start{};

std::string everything(WebListener& listener, const EventBroker& topics,
                       std::size_t bytes_max = 1'000) {
  std::string all;
  for (std::string_view piece = listener.read(topics, bytes_max, start); !piece.empty();
       piece = listener.read(topics, bytes_max, start)) {
    all += piece;
  }
  return all;
}

}  // namespace

TEST_CASE("a reader gets the latest of each topic once, in pieces of any size") {
  for (const std::size_t bytes : {1U, 2U, 7U, 1'000U}) {
    EventBroker topics;
    topics.publish("a", "meter", "1", 1, start);
    topics.publish("a", "meter", "2", 2, start);
    topics.publish("b", "floor", "3", 0, start);
    WebListener listener({"b", "a", "never"});
    CHECK_EQ(everything(listener, topics, bytes),
             "retry: 1000\n\nevent: floor\ndata: 3\n\nid: 2\nevent: meter\ndata: 2\n\n");
    CHECK_EQ(everything(listener, topics, bytes), "");
  }
}

TEST_CASE("a topic that is forgotten is as if nothing was published") {
  EventBroker topics;
  topics.publish("nodes", "nodes", "1", 1, start);
  topics.publish("floor", "floor", "2", 1, start);
  topics.forget("nodes");
  topics.forget("never");
  CHECK_FALSE(topics.latest("nodes", start).has_value());
  CHECK_EQ(topics.latest("floor", start), "2");
  WebListener listener({"nodes"});
  CHECK_EQ(everything(listener, topics), "retry: 1000\n\n");
  topics.publish("nodes", "nodes", "3", 1, start);
  CHECK_EQ(topics.latest("nodes", start), "3");
}

TEST_CASE("an event that has begun is sent completely, and then the latest") {
  EventBroker topics;
  WebListener listener({"a"});
  everything(listener, topics);
  topics.publish("a", "meter", "first", 0, start);
  std::string read(listener.read(topics, 20, start));
  topics.publish("a", "meter", "second", 0, start);
  topics.publish("a", "meter", "third", 0, start);
  read += everything(listener, topics);
  CHECK_EQ(read, "event: meter\ndata: first\n\nevent: meter\ndata: third\n\n");
}

TEST_CASE("one busy topic does not delay the others") {
  EventBroker topics;
  WebListener listener({"busy", "rare"});
  everything(listener, topics);
  topics.publish("busy", "meter", "1", 0, start);
  topics.publish("rare", "meter", "2", 0, start);
  CHECK_NE(listener.read(topics, 1'000, start).find("data: 1"), std::string::npos);
  topics.publish("busy", "meter", "3", 0, start);
  CHECK_NE(listener.read(topics, 1'000, start).find("data: 2"), std::string::npos);
  CHECK_NE(listener.read(topics, 1'000, start).find("data: 3"), std::string::npos);
}

TEST_CASE("data of several lines is sent as data") {
  EventBroker topics;
  topics.publish("a", "meter", "1\n\nevent: other", 0, start);
  CHECK_EQ(EventBroker::event(*topics.find("a"), start),
           "event: meter\ndata: 1\ndata: \ndata: event: other\n\n");
}

TEST_CASE("ages grow, are rounded up, and are never negative") {
  EventBroker topics;
  topics.publish("a", "meter", "<" + std::string(web_age_mark) + ">", 0, start);
  CHECK_EQ(*topics.latest("a", start), "<0>");
  CHECK_EQ(*topics.latest("a", start + std::chrono::microseconds(1)), "<1>");
  CHECK_EQ(*topics.latest("a", start + milliseconds(1'234)), "<1234>");
  CHECK_EQ(*topics.latest("a", start - milliseconds(1)), "<0>");
  CHECK_FALSE(topics.latest("b", start).has_value());
}

TEST_CASE("a heartbeat comes only if nothing else is sent") {
  EventBroker topics;
  WebListener listener({"a"});
  listener.beat();
  CHECK_EQ(everything(listener, topics), "retry: 1000\n\n");
  listener.beat();
  CHECK_EQ(everything(listener, topics), ":\n\n");
}

}  // namespace linkmeter::event_broker_test
