// Who is served next, and who makes room in a full queue.
#include "controller/web/fair_queue.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace linkmeter::fair_queue_test {
namespace {

using Queue = FairQueue<std::string>;

// The results of pop() until nothing waits.
std::string all(Queue& queue) {
  std::string served;
  while (const auto next = queue.pop()) served += (served.empty() ? "" : " ") + *next;
  return served;
}

// The request that is rejected; "": none.
std::string push(Queue& queue, const std::string& asker, bool is_known, const std::string& item) {
  return queue.push(asker, is_known, item).value_or("");
}

}  // namespace

TEST_CASE("clients take turns, each with its own requests in order") {
  Queue queue({10, 10, 10});
  for (const char* item : {"a1", "a2", "a3", "a4"}) push(queue, "a", true, item);
  push(queue, "b", true, "b1");
  push(queue, "c", true, "c1");
  push(queue, "b", true, "b2");
  CHECK_EQ(queue.size(), 7);
  CHECK_EQ(all(queue), "a1 b1 c1 a2 b2 a3 a4");
  CHECK(queue.empty());
}

TEST_CASE("a client that returns at once waits behind all that wait already") {
  Queue queue({10, 10, 10});
  push(queue, "a", true, "a1");
  push(queue, "b", true, "b1");
  push(queue, "c", true, "c1");
  CHECK_EQ(*queue.pop(), "a1");
  push(queue, "a", true, "a2");
  CHECK_EQ(all(queue), "b1 c1 a2");
}

TEST_CASE("anonymous clients get every fourth turn while known ones wait") {
  Queue queue({10, 10, 10});
  for (const char* item : {"k1", "k2", "k3", "k4", "k5"}) push(queue, "k", true, item);
  for (const char* item : {"x1", "x2", "x3"}) push(queue, item, false, item);
  CHECK_EQ(all(queue), "k1 k2 k3 x1 k4 k5 x2 x3");
}

TEST_CASE(
    "the places of one client are bounded, and known and anonymous clients have separate places") {
  Queue queue({3, 2, 2});
  CHECK_EQ(push(queue, "a", true, "a1"), "");
  CHECK_EQ(push(queue, "a", true, "a2"), "");
  CHECK_EQ(push(queue, "a", true, "a3"), "a3");
  CHECK_EQ(push(queue, "b", true, "b1"), "");
  CHECK_EQ(push(queue, "x", false, "x1"), "");
  CHECK_EQ(push(queue, "y", false, "y1"), "");
  CHECK_EQ(push(queue, "z", false, "z1"), "z1");
  CHECK_EQ(all(queue), "a1 b1 a2 x1 y1");
}

TEST_CASE(
    "if the queue is full, the client with the most loses its newest request to one with fewer") {
  Queue queue({4, 0, 4});
  for (const char* item : {"a1", "a2", "a3"}) push(queue, "a", true, item);
  push(queue, "b", true, "b1");
  CHECK_EQ(push(queue, "c", true, "c1"), "a3");
  CHECK_EQ(push(queue, "a", true, "a4"), "a4");  // it has the most itself
  CHECK_EQ(push(queue, "b", true, "b2"), "b2");  // it would then have as many
  CHECK_EQ(push(queue, "d", true, "d1"), "a2");
  CHECK_EQ(push(queue, "e", true, "e1"), "e1");  // everybody has one
  CHECK_EQ(push(queue, "x", false, "x1"), "x1");
  CHECK_EQ(all(queue), "a1 b1 c1 d1");
}

}  // namespace linkmeter::fair_queue_test
