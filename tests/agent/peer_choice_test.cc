#include "table-agent/link/peer_choice.h"

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/support/keys.h"

#include <doctest/doctest.h>

namespace linkmeter::peer_choice_test {
namespace {

using Step = PeerChoice::Step;

const std::string a = "tcp://a:6057", b = "tcp://b:6057", c = "tcp://c:6057";
const std::string given_key = key_of("given");

Timestamp at_ms(std::int64_t milliseconds) {
  return Timestamp::from_microseconds(milliseconds * 1'000);
}

std::vector<NodeAddress> nodes(const std::vector<std::string>& endpoints) {
  std::vector<NodeAddress> all;
  for (const std::string& endpoint : endpoints) {
    const std::string name = endpoint.substr(6, 1);
    all.push_back({name, key_of(name), endpoint});
  }
  return all;
}

// Knows these nodes and is connected to the first one, which has just served it.
PeerChoice served_by_first_of(const std::vector<std::string>& endpoints) {
  PeerChoice choice({endpoints.front()});
  choice.know(key_of("a"), nodes(endpoints));
  choice.on_question(at_ms(0));
  choice.on_answer();
  choice.on_served();
  return choice;
}

// The current peer answers that it is a standby.
void refuse(PeerChoice& choice, const std::string& writer, Timestamp now) {
  choice.on_answer();
  choice.on_refused(writer, now);
}

// A house whose nodes answer within two milliseconds, at a fake clock of one millisecond. The table
// asks when it is connected, when it is told to, and with a heartbeat every 500 ms while it is
// served.
class House {
 public:
  enum class Node : std::uint8_t { serves, ended, silent };

  explicit House(const std::vector<std::string>& endpoints)
      : choice_(served_by_first_of(endpoints)), nodes_(endpoints.size(), Node::serves) {}

  std::size_t writer = 0;  // the node that serves tables, if it does; the others name it
  Node& node(std::size_t which) { return nodes_[which]; }

  void run(std::int64_t milliseconds) {
    for (const std::int64_t end = now_ms_ + milliseconds; now_ms_ < end; ++now_ms_) turn();
  }
  // How long until the writer answers again; 60 s at most.
  std::int64_t until_served() {
    const std::int64_t start = now_ms_, before = answer_count_;
    while (answer_count_ == before && now_ms_ < start + 60'000) run(1);
    return now_ms_ - start;
  }

 private:
  void turn() {
    const Timestamp now = at_ms(now_ms_);
    const std::size_t here = place();
    if (nodes_[here] == Node::ended) choice_.on_gone();
    if (answers_at_ms_ == now_ms_ && nodes_[here] == Node::serves) {
      choice_.on_answer();
      is_served_ = here == writer;
      if (is_served_) ++answer_count_;
      if (!is_served_) choice_.on_refused(endpoint_of(writer), now);
    }
    if (is_served_) choice_.on_served();
    const Step step = choice_.next(now);
    if (step == Step::connect) {
      is_served_ = false;
      choice_.on_connected();
    }
    if (step != Step::stay || (is_served_ && now_ms_ % 500 == 0)) ask(now);
  }
  void ask(Timestamp now) {
    choice_.on_question(now);
    answers_at_ms_ = now_ms_ + 2;
  }
  [[nodiscard]] static std::string endpoint_of(std::size_t node) {
    return std::vector{a, b, c}[node];
  }
  [[nodiscard]] std::size_t place() const {
    return choice_.current().endpoint == a ? 0 : choice_.current().endpoint == b ? 1 : 2;
  }

  PeerChoice choice_;
  std::vector<Node> nodes_;
  std::int64_t now_ms_ = 0;
  std::int64_t answers_at_ms_ = -1;
  std::int64_t answer_count_ = 0;
  bool is_served_ = true;
};

// Takes the next step when it is due; returns when that was.
Timestamp take_step(PeerChoice& choice, Timestamp now, Step expected) {
  const std::optional<Timestamp> wakes = choice.wakes_at(now);
  REQUIRE(wakes.has_value());
  const Timestamp then = std::max(*wakes, now);
  REQUIRE(choice.next(then) == expected);
  return then;
}

}  // namespace

TEST_CASE("with one controller there is nothing to choose") {
  PeerChoice choice({a});
  choice.know(given_key, {});
  CHECK_FALSE(choice.has_others());
  CHECK(choice.current() == NodeAddress{"", given_key, a});
  choice.on_question(at_ms(0));
  CHECK(choice.next(at_ms(10'000)) == Step::stay);
  choice.on_gone();
  CHECK(choice.next(at_ms(20'000)) == Step::stay);
  CHECK_FALSE(choice.wakes_at(at_ms(20'000)).has_value());
}

TEST_CASE("a lone standby is asked again after the pace") {
  PeerChoice choice({a});
  refuse(choice, b, at_ms(1));
  CHECK(choice.next(at_ms(100)) == Step::stay);
  CHECK(choice.next(at_ms(101)) == Step::ask);
  CHECK(choice.next(at_ms(5'000)) == Step::stay);  // it owes an answer
}

TEST_CASE("known nodes come first, then the other given endpoints, and spares in between") {
  PeerChoice choice({a, c});
  choice.know(given_key, nodes({b, a}));
  CHECK(choice.has_others());
  std::vector<NodeAddress> tried;
  Timestamp now;
  for (int peer = 0; peer < 9; ++peer) {
    tried.push_back(choice.current());
    choice.on_gone();
    now = take_step(choice, now, Step::connect);
  }
  const NodeAddress node_a{"a", key_of("a"), a}, node_b{"b", key_of("b"), b};
  const NodeAddress given_c{"", given_key, c};
  // When two rounds were in vain, the known key of a may be an old one.
  CHECK(tried ==
        std::vector<NodeAddress>{
            node_a, node_b, given_c, node_a, node_b, given_c, node_a, {"", given_key, a}, node_b});
}

// The only Welcome came while b was away: it had b's key, and the floor file has b's endpoint.
TEST_CASE("a known key without an endpoint is tried at a given endpoint that is nobody's") {
  PeerChoice choice({a, b});
  choice.know(key_of("a"), {nodes({a})[0], {"b", key_of("b"), ""}});
  choice.on_gone();
  take_step(choice, at_ms(0), Step::connect);
  CHECK(choice.current() == nodes({b})[0]);
}

TEST_CASE("a standby sends a table to each key that may be at the writer's endpoint") {
  PeerChoice choice({a, b});
  choice.know(key_of("a"), {nodes({a})[0], {"c", key_of("c"), ""}, {"b", key_of("b"), ""}});
  refuse(choice, b, at_ms(0));
  REQUIRE(choice.next(at_ms(0)) == Step::connect);
  CHECK(choice.current() == NodeAddress{"c", key_of("c"), b});
  choice.on_gone();
  take_step(choice, at_ms(0), Step::connect);
  CHECK(choice.current() == nodes({b})[0]);
}

TEST_CASE("two standbys that name each other do not keep a table from a third node") {
  PeerChoice choice = served_by_first_of({a, b, c});
  Timestamp now;
  int connections = 0;
  while (choice.current().endpoint != c && connections < 100) {
    refuse(choice, choice.current().endpoint == a ? b : a, now);
    now = take_step(choice, now, Step::connect);
    ++connections;
  }
  CHECK(connections <= 2 * (static_cast<int>(PeerChoice::redirects_max) + 1));
}

TEST_CASE("new nodes and keys leave the table where it is connected") {
  PeerChoice choice({a, b});
  choice.know(given_key, {});
  choice.on_gone();
  REQUIRE(choice.next(at_ms(0)) == Step::connect);
  REQUIRE(choice.current() == NodeAddress{"", given_key, b});
  choice.know(given_key, {{"b", given_key, b}, {"c", key_of("c"), c}});
  CHECK(choice.current() == NodeAddress{"b", given_key, b});
  choice.know(given_key, {{"b", key_of("b"), b}});  // it has another key in fact
  CHECK(choice.current() == NodeAddress{"", given_key, b});
  choice.know(key_of("new"), {});
  CHECK(choice.current() == NodeAddress{"", key_of("new"), b});
}

TEST_CASE("a node that the house has no more stays as long as the table is connected to it") {
  PeerChoice choice = served_by_first_of({a});
  choice.know(key_of("a"), nodes({a, b}));
  choice.on_gone();
  REQUIRE(choice.next(at_ms(0)) == Step::connect);
  choice.know(key_of("a"), {});
  CHECK(choice.current() == nodes({b})[0]);
  choice.on_gone();
  take_step(choice, at_ms(1), Step::connect);
  choice.know(key_of("a"), {});
  CHECK_FALSE(choice.has_others());
}

TEST_CASE("a standby that names the writer sends the table there at once") {
  PeerChoice choice = served_by_first_of({a, b, c});
  choice.on_question(at_ms(500));
  refuse(choice, c, at_ms(501));
  CHECK(choice.next(at_ms(501)) == Step::connect);
  CHECK(choice.current().endpoint == c);
  CHECK(choice.current().key == key_of("c"));
}

TEST_CASE("two standbys that name each other do not make a table spin") {
  PeerChoice choice = served_by_first_of({a, b});
  int connections = 0;
  for (std::int64_t ms = 0; ms < 10'000; ++ms) {
    refuse(choice, choice.current().endpoint == a ? b : a, at_ms(ms));
    if (choice.next(at_ms(ms)) == Step::connect) ++connections;
    if (ms == 999) CHECK(connections == 10);
  }
  // Ten a second for five seconds, then two.
  CHECK(connections == 60);
  choice.on_served();
  refuse(choice, choice.current().endpoint == a ? b : a, at_ms(10'100));
  CHECK(choice.next(at_ms(10'100)) == Step::connect);
}

TEST_CASE("a peer that is gone is left at once, and the others in order after the pace") {
  PeerChoice choice = served_by_first_of({a, b, c});
  choice.on_gone();
  CHECK(choice.next(at_ms(700)) == Step::connect);
  CHECK(choice.current().endpoint == b);
  choice.on_gone();
  CHECK(choice.next(at_ms(799)) == Step::stay);
  CHECK(choice.wakes_at(at_ms(799)) == at_ms(800));
  CHECK(choice.next(at_ms(800)) == Step::connect);
  CHECK(choice.current().endpoint == c);
}

TEST_CASE("a peer that connects again by itself is not left") {
  PeerChoice choice = served_by_first_of({a, b});
  choice.on_gone();
  choice.on_connected();
  CHECK(choice.next(at_ms(700)) == Step::stay);
}

TEST_CASE("a peer that owes an answer for a second is left, and one that answers is not") {
  PeerChoice choice = served_by_first_of({a, b});
  choice.on_question(at_ms(500));
  choice.on_question(at_ms(900));
  choice.on_answer();
  CHECK(choice.next(at_ms(9'000)) == Step::stay);  // nothing was asked, so nothing is owed
  choice.on_question(at_ms(9'000));
  choice.on_question(at_ms(9'500));
  CHECK(choice.next(at_ms(9'999)) == Step::stay);
  CHECK(choice.wakes_at(at_ms(9'999)) == at_ms(10'000));
  CHECK(choice.next(at_ms(10'000)) == Step::connect);
  CHECK(choice.current().endpoint == b);
  // A new connection owes an answer from its beginning.
  CHECK(choice.next(at_ms(10'999)) == Step::stay);
  CHECK(choice.next(at_ms(11'000)) == Step::connect);
  CHECK(choice.current().endpoint == a);
}

TEST_CASE("a shorter silence is for floors with a short lost_after") {
  PeerChoice choice({a, b}, 100'000);
  choice.on_question(at_ms(0));
  CHECK(choice.next(at_ms(99)) == Step::stay);
  CHECK(choice.next(at_ms(100)) == Step::connect);
}

// The writer was killed, its lease lasts, and the standby still names it.
TEST_CASE("a standby is asked again instead of a dead writer that it names") {
  PeerChoice choice = served_by_first_of({a, b});
  choice.on_gone();
  REQUIRE(choice.next(at_ms(0)) == Step::connect);
  for (std::int64_t ms = 5; ms < 900; ms += 101) {
    refuse(choice, a, at_ms(ms));
    CHECK(choice.next(at_ms(ms + 99)) == Step::stay);
    REQUIRE(choice.next(at_ms(ms + 100)) == Step::ask);
  }
  // After a second it may be back.
  refuse(choice, a, at_ms(1'000));
  CHECK(choice.next(at_ms(1'000)) == Step::connect);
  CHECK(choice.current().endpoint == a);
}

TEST_CASE("a writer that was slow once is believed to be the writer") {
  PeerChoice choice = served_by_first_of({a, b});
  choice.on_question(at_ms(0));
  REQUIRE(choice.next(at_ms(1'000)) == Step::connect);
  refuse(choice, a, at_ms(1'002));
  CHECK(choice.next(at_ms(1'100)) == Step::connect);
  CHECK(choice.current().endpoint == a);
  // It did not answer this time.
  REQUIRE(choice.next(at_ms(2'100)) == Step::connect);
  refuse(choice, a, at_ms(2'200));
  CHECK(choice.next(at_ms(2'200)) == Step::stay);
}

TEST_CASE("standbys that know no writer are asked for a second each") {
  PeerChoice choice = served_by_first_of({a, b, c});
  Timestamp now;
  std::string asked;
  for (int step = 0; step < 33; ++step) {
    asked += choice.current().name;
    refuse(choice, "", now);
    now = choice.wakes_at(now).value();
    REQUIRE(choice.next(now) != Step::stay);
  }
  CHECK(asked ==
        "aaaaaaaaaa"
        "bbbbbbbbbb"
        "cccccccccc"
        "aaa");
}

TEST_CASE("a peer that the table cannot follow is left, although it is connected and answers") {
  PeerChoice choice = served_by_first_of({a, b, c});
  choice.on_question(at_ms(0));
  choice.on_answer();
  choice.on_passed_over();
  choice.on_connected();
  REQUIRE(choice.next(at_ms(0)) == Step::connect);
  CHECK(choice.current().endpoint == b);
  // A standby that takes it for the writer does not send the table back at once.
  for (std::int64_t ms = 5; ms < 900; ms += 101) {
    refuse(choice, a, at_ms(ms));
    REQUIRE(choice.next(at_ms(ms + 100)) == Step::ask);
  }
  refuse(choice, a, at_ms(1'001));
  REQUIRE(choice.next(at_ms(1'001)) == Step::connect);
  CHECK(choice.current().endpoint == a);
  choice.on_passed_over();
  // The next in order is behind the last one that was tried in order.
  take_step(choice, at_ms(1'001), Step::connect);
  CHECK(choice.current().endpoint == c);
}

TEST_CASE("a peer that keeps the table waiting for people is left after a while, and found again") {
  PeerChoice choice = served_by_first_of({a, b});
  for (std::int64_t ms = 0; ms < 5'000; ms += 500) {
    choice.on_question(at_ms(ms));
    choice.on_answer();
    choice.on_waiting(at_ms(ms));
    CHECK(choice.next(at_ms(ms + 499)) == Step::stay);
  }
  CHECK(choice.wakes_at(at_ms(4'999)) == at_ms(5'000));
  REQUIRE(choice.next(at_ms(5'000)) == Step::connect);
  CHECK(choice.current().endpoint == b);
  refuse(choice, a, at_ms(5'002));
  take_step(choice, at_ms(5'002), Step::connect);
  CHECK(choice.current().endpoint == a);
  CHECK(choice.next(at_ms(5'110)) == Step::stay);
  SUBCASE("it is no writer any more") {
    choice.on_waiting(at_ms(5'200));
    refuse(choice, b, at_ms(5'300));
    CHECK(choice.is_standby());
    CHECK(choice.next(at_ms(5'300)) == Step::connect);
  }
  SUBCASE("it was a standby before") {
    refuse(choice, "", at_ms(5'200));
    choice.on_waiting(at_ms(5'250));
    CHECK_FALSE(choice.is_standby());
    CHECK(choice.next(at_ms(5'400)) == Step::stay);
  }
  SUBCASE("with one controller it waits for ever") {
    PeerChoice alone({a});
    alone.on_question(at_ms(0));
    alone.on_answer();
    alone.on_waiting(at_ms(0));
    CHECK_FALSE(alone.wakes_at(at_ms(1)).has_value());
  }
}

TEST_CASE("the key in the credentials is tried only if it is trusted") {
  PeerChoice choice({a, b, c});
  choice.know("", nodes({b}));
  Timestamp now;
  for (int peer = 0; peer < 12; ++peer) {
    CHECK(choice.current().key == key_of("b"));
    choice.on_gone();
    now = take_step(choice, now, Step::connect);
  }
}

TEST_CASE("a third node gets its turn although another one keeps naming a dead writer") {
  PeerChoice choice = served_by_first_of({a, b, c});
  Timestamp now;
  std::string tried;
  for (int step = 0; step < 40 && choice.current().name != "c"; ++step) {
    if (choice.current().name == "a") choice.on_gone();
    if (choice.current().name == "b") refuse(choice, a, now);
    now = choice.wakes_at(now).value();
    if (choice.next(now) == Step::connect) tried += choice.current().name;
  }
  CHECK(tried == "bac");
  CHECK(now < at_ms(1'500));
}

// The lease of a writer is three seconds; the last node takes over when it has ended.
TEST_CASE("a table is served soon after the takeover, whenever and however the writer was lost") {
  constexpr std::int64_t lease_ms = 3'000;
  for (const std::vector<std::string>& endpoints : {std::vector{a, b}, std::vector{a, b, c}}) {
    for (std::int64_t phase = 0; phase < 500; phase += 7) {
      for (const House::Node lost : {House::Node::ended, House::Node::silent}) {
        House house(endpoints);
        house.run(10'000 + phase);
        house.node(0) = lost;
        house.run(lease_ms);
        house.writer = endpoints.size() - 1;
        // Another node is in between, or the lost one has a second to answer in.
        CHECK(house.until_served() <= (lost == House::Node::ended ? 350 : 1'250));
        house.run(10'000);
        CHECK(house.until_served() <= 510);  // it stays there: the next heartbeat is answered
      }
    }
  }
}

TEST_CASE("a handover keeps a table waiting for a moment only") {
  for (std::int64_t phase = 0; phase < 500; phase += 7) {
    for (const std::int64_t later_ms : {0, 50}) {
      House house({a, b});
      house.run(10'000 + phase);
      house.node(0) = House::Node::ended;
      house.run(later_ms);
      house.writer = 1;
      // The standby that was asked too early is asked again after 100 ms.
      CHECK(house.until_served() <= (later_ms == 0 ? 5 : 60));
    }
  }
}

// Whatever happens: no step comes early, none is forgotten, and the current peer is one of them.
TEST_CASE("random events never make a table spin or wait for ever") {
  std::mt19937 random(7);
  const auto below = [&random](unsigned int count) { return random() % count; };
  const std::vector<std::string> all{a, b, c};
  for (int run = 0; run < 200; ++run) {
    PeerChoice choice(run % 2 == 0 ? all : std::vector{a});
    Timestamp now;
    int connections = 0;
    for (int event = 0; event < 500; ++event) {
      now = now.after(static_cast<std::int64_t>(below(40'000)));
      switch (below(10)) {
        case 0: choice.on_question(now); break;
        case 1: choice.on_answer(); break;
        case 2: refuse(choice, all[below(3)], now); break;
        case 3: refuse(choice, "", now); break;
        case 4: choice.on_gone(); break;
        case 5: choice.on_connected(); break;
        case 6: choice.know(given_key, nodes({all[below(3)], all[below(3)]})); break;
        case 7: choice.on_passed_over(); break;
        case 8: choice.on_waiting(now); break;
        case 9: {
          const auto wakes = choice.wakes_at(now);
          const Step step = choice.next(now);
          CHECK((step != Step::stay) == (wakes.has_value() && *wakes <= now));
          if (step == Step::connect) ++connections;
          break;
        }
      }
      CHECK_FALSE(choice.current().endpoint.empty());
    }
    CHECK(connections <= now.microseconds() / PeerChoice::pace_us + 1);
  }
}

// The model: at each endpoint there is a node with some key, or nobody. One node is the writer; a
// table reaches it with that key at that endpoint. All others are gone, are silent, or are standbys
// that name whatever endpoint they like.
TEST_CASE("whatever happened before, a table reaches the writer if a pair leads to it") {
  std::mt19937 random(11);
  const auto below = [&random](std::size_t count) { return random() % count; };
  const std::vector<std::string> all{a, b, c};
  for (int run = 0; run < 2'000; ++run) {
    PeerChoice choice(below(2) == 0 ? all : std::vector{a, b});
    std::vector<NodeAddress> known = nodes(all);
    for (NodeAddress& node : known) {
      if (node.endpoint != c && below(2) == 0) node.endpoint.clear();
    }
    known.resize(1 + below(3));
    choice.know(key_of("a"), known);
    const NodeAddress writer{"", known[below(known.size())].key,
                             below(4) == 0 && known.size() == 3 ? c : all[below(2)]};
    const std::size_t kind = below(4);
    Timestamp now;
    int connections = 0;
    const auto is_there = [&] {
      return choice.current().key == writer.key && choice.current().endpoint == writer.endpoint;
    };
    while (!is_there() && connections < 1'000) {
      if (below(20) == 0) choice.know(key_of("a"), known);
      switch (kind == 3 ? below(3) : kind) {
        case 0: choice.on_gone(); break;
        case 1: choice.on_question(now); break;
        case 2: refuse(choice, all[below(3)], now); break;
      }
      const auto wakes = choice.wakes_at(now);
      REQUIRE(wakes.has_value());
      now = std::max(now, *wakes);
      if (choice.next(now) == Step::connect) ++connections;
    }
    // 9 pairs at most: two rounds of at most 5 for each of 8 spares, and ten redirects between.
    CHECK(connections <= (2 * 5 + 1) * 8 * (static_cast<int>(PeerChoice::redirects_max) + 1));
    CHECK(is_there());
  }
}

}  // namespace linkmeter::peer_choice_test
