#include "controller/sockets/meter_feed.h"

#include <doctest/doctest.h>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "meters/values/limits.h"
#include "proto/host/fault.h"
#include "proto/wire.pb.h"
#include "tests/support/curve_identity.h"
#include "tests/support/gate.h"
#include "tests/support/memory_journal.h"
#include "tests/support/one_table_house.h"
#include "tests/wire/relay.h"

namespace linkmeter::meter_feed_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::chrono::seconds patience{20};
constexpr std::chrono::seconds lost_after{2};

constexpr std::string_view link_topic("meter/LINK\0", 11);

// A floor, its feed, and a subscriber; the test sets the time.
struct World {
  explicit World(const ZapAuthenticator::ViewerBounds& viewers = ZapAuthenticator::viewer_bounds)
      : gate(viewers) {}
  MemoryJournal journal;
  OneTableHouse floor{journal};
  Gate gate;
  Credentials sign = gate.viewer("feed");
  Moment now{Timestamp::from_microseconds(1'700'000'000'000'000), microseconds(0)};
  TablePresence presence{1, lost_after, now};
  MeterFeed feed{gate.context(), gate.admission(), "tcp://127.0.0.1:*", floor.state(), presence};

  void pass(microseconds time) {
    now.uptime += time;
    now.as_of = Timestamp::from_microseconds(now.as_of.microseconds() + time.count());
  }
  zmq::socket_t unconnected(zmq::socket_type type) { return unconnected(type, sign); }
  zmq::socket_t unconnected(zmq::socket_type type, const Credentials& viewer) {
    zmq::socket_t socket(gate.context(), type);
    socket.set(zmq::sockopt::linger, 0);
    identify(socket, viewer);
    return socket;
  }
  // Connections with one key; each has had an update. A connection that the feed ends does not
  // reconnect.
  std::vector<zmq::socket_t> connections_of(const Credentials& viewer, int count) {
    std::vector<zmq::socket_t> all;
    for (int number = 0; number < count; ++number) {
      zmq::socket_t& socket = all.emplace_back(unconnected(zmq::socket_type::sub, viewer));
      socket.set(zmq::sockopt::reconnect_ivl, -1);
      socket.set(zmq::sockopt::subscribe, "meter/LINK");
      socket.connect(feed.endpoint());
      first_update(socket);
    }
    return all;
  }
  zmq::socket_t subscriber(const std::string& topic) {
    zmq::socket_t socket = unconnected(zmq::socket_type::sub);
    socket.set(zmq::sockopt::subscribe, topic);
    socket.connect(feed.endpoint());
    return socket;
  }
  // Serves until the feed has received a subscription: the subscriber's first update proves it.
  wire::MeterUpdate first_update(zmq::socket_t& socket) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
      feed.serve(now);
      if (auto update = heard(socket, milliseconds(20))) return *update;
    }
    FAIL("no update came");
    return {};
  }
  static std::optional<wire::MeterUpdate> heard(zmq::socket_t& socket, milliseconds wait) {
    zmq::pollitem_t item{socket.handle(), 0, ZMQ_POLLIN, 0};
    zmq::poll(&item, 1, wait);
    zmq::message_t message;
    if (!socket.recv(message, zmq::recv_flags::dontwait)) return std::nullopt;
    // A peer that disconnects inside a multipart message aborts the process.
    CHECK_FALSE(message.more());
    std::string_view bytes = message.to_string_view();
    REQUIRE(bytes.starts_with(link_topic));
    bytes.remove_prefix(link_topic.size());
    wire::MeterUpdate update;
    REQUIRE(update.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
    return update;
  }
  // Publishes once more and returns that update.
  std::optional<wire::MeterUpdate> latest_update(zmq::socket_t& socket) {
    pass(MeterFeed::publish_interval_max);
    feed.serve(now);
    auto update = heard(socket, patience);
    while (update && update->as_of_us() != now.shown_as_of().microseconds()) {
      update = heard(socket, patience);
    }
    return update;
  }
  // Publishes once more and returns all updates up to that one; none is in transit any more.
  std::vector<wire::MeterUpdate> all_until_now(zmq::socket_t& socket) {
    pass(MeterFeed::publish_interval_max);
    feed.serve(now);
    std::vector<wire::MeterUpdate> all;
    while (auto update = heard(socket, patience)) {
      all.push_back(*update);
      if (update->as_of_us() == now.as_of.microseconds()) break;
    }
    return all;
  }
};

// For viewers that do not reconnect when the machine is slow.
ZapAuthenticator::ViewerBounds never_late() {
  ZapAuthenticator::ViewerBounds bounds;
  bounds.late_after = 2 * patience;
  return bounds;
}

const std::set<LinkIndex> the_link = {LinkIndex(0)};

}  // namespace

TEST_CASE("what a standby shows is as old as the last time that it had every entry") {
  World world;
  zmq::socket_t socket = world.subscriber("meter/LINK");
  world.now.behind = milliseconds(3'500);
  const wire::MeterUpdate update = world.first_update(socket);
  CHECK(update.as_of_us() == world.now.as_of.microseconds() - 3'500'000);
  CHECK(world.now.as_of.microseconds() - update.as_of_us() > 1'000 * update.maximum_age_ms());
  CHECK_FALSE(update.has_node());
  world.feed.set_node("b");
  const auto named = world.latest_update(socket);
  REQUIRE(named);
  CHECK(named->node() == "b");
  CHECK(named->lag_us() == 3'500'000);
}

TEST_CASE("an update of a suspended link has the reason") {
  World world;
  zmq::socket_t socket = world.subscriber("meter/LINK");
  CHECK_EQ(world.first_update(socket).status(), "operating");
  world.floor.suspend("sign dark");
  world.feed.note(the_link, {}, world.now);
  const auto updates = world.all_until_now(socket);
  REQUIRE_FALSE(updates.empty());
  CHECK_EQ(updates.back().status(), "suspended: sign dark");
}

TEST_CASE("an update contains the notice of adjustment") {
  World world;
  const State& state = world.floor.state();
  LinkBalances book = state.link(LinkIndex(0));
  book.pending_adjustment = true;
  const State noticed = State::restored(state.last_entry(), state.floor(), {book},
                                        {state.session(TableIndex(0))}, state.claims());
  MeterFeed feed(world.gate.context(), world.gate.admission(), "tcp://127.0.0.1:*", noticed,
                 world.presence);
  zmq::socket_t socket = world.unconnected(zmq::socket_type::sub);
  socket.set(zmq::sockopt::subscribe, "meter/LINK");
  socket.connect(feed.endpoint());
  std::optional<wire::MeterUpdate> update;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!update && std::chrono::steady_clock::now() < until) {
    feed.serve(world.now);
    update = World::heard(socket, milliseconds(20));
  }
  REQUIRE(update.has_value());
  CHECK(update->pending_adjustment());
  zmq::socket_t plain = world.subscriber("meter/LINK");
  CHECK_FALSE(world.first_update(plain).pending_adjustment());
}

TEST_CASE("a new subscriber gets the complete state of its link at once") {
  World world;
  world.floor.lock("r1");
  world.feed.serve(world.now);
  const auto published = world.now.as_of;
  world.pass(milliseconds(5));
  zmq::socket_t socket = world.subscriber("meter/LINK");
  const wire::MeterUpdate update = world.first_update(socket);
  CHECK(update.link() == "LINK");
  CHECK(update.sequence() == 2);
  CHECK(update.as_of_us() == published.microseconds());  // nothing has changed since
  CHECK(update.maximum_age_ms() == 3'000);
  CHECK(update.status() == "operating");
  REQUIRE(update.levels_size() == 1);
  CHECK(update.levels(0).level() == "main");
  CHECK(update.levels(0).amount_cents() == 100'50);
  CHECK_FALSE(update.has_last_award());
}

TEST_CASE("changes within 20 ms are combined, and the last amount is published") {
  World world;
  zmq::socket_t socket = world.subscriber("meter/");
  world.first_update(socket);
  world.all_until_now(socket);
  for (int number = 1; number <= 10; ++number) {
    world.floor.lock("r" + std::to_string(number));
    world.feed.note(the_link, {}, world.now);
    world.pass(milliseconds(1));
    world.feed.serve(world.now);
  }
  CHECK(world.feed.due(world.now.uptime) == world.now.uptime + milliseconds(10));
  world.pass(milliseconds(10));
  CHECK(world.feed.due(world.now.uptime) == world.now.uptime);
  world.feed.serve(world.now);
  CHECK(world.feed.due(world.now.uptime) == world.now.uptime + milliseconds(1'000));

  const auto shown = World::heard(socket, patience);  // one for all ten
  REQUIRE(shown.has_value());
  CHECK(shown->as_of_us() == world.now.as_of.microseconds());
  CHECK(shown->sequence() == 11);
  CHECK(shown->levels(0).amount_cents() == 105'00);
  CHECK(world.all_until_now(socket).size() == 1);  // the one that ends the test
}

TEST_CASE("an unchanged link is published every second, so that it stays fresh") {
  World world;
  zmq::socket_t socket = world.subscriber("meter/LINK");
  world.first_update(socket);
  world.all_until_now(socket);
  CHECK(world.feed.due(world.now.uptime) == world.now.uptime + milliseconds(1'000));
  world.pass(milliseconds(999));
  world.feed.serve(world.now);
  world.pass(milliseconds(1));
  world.feed.serve(world.now);
  const auto shown = World::heard(socket, patience);
  REQUIRE(shown.has_value());
  CHECK(shown->as_of_us() == world.now.as_of.microseconds());
  CHECK(world.all_until_now(socket).size() == 1);
  CHECK(MeterFeed::publish_interval_max < MeterFeed::maximum_age);
}

TEST_CASE("a win goes out at once, with the new meter and as pending") {
  World world;
  zmq::socket_t socket = world.subscriber("meter/LINK");
  world.first_update(socket);
  world.floor.lock("r1");
  world.all_until_now(socket);
  world.pass(milliseconds(1));
  const ClaimNumber claim = world.floor.win("r1");
  world.feed.note(the_link, {claim}, world.now);

  const auto heard = World::heard(socket, patience);
  REQUIRE(heard.has_value());
  const wire::MeterUpdate& update = *heard;
  CHECK(update.as_of_us() == world.now.as_of.microseconds());
  CHECK(update.levels(0).amount_cents() == 100'25);  // the reseed and the reserve
  REQUIRE(update.has_last_award());
  CHECK(update.last_award().claim() == 1);
  CHECK(update.last_award().table() == "T-01");
  CHECK(update.last_award().line() == "royal_flush");
  CHECK(update.last_award().level() == "main");
  CHECK(update.last_award().amount_cents() == 100'50);
  CHECK(update.last_award().state() == "raised");
  CHECK(update.last_award().seat() == 2);
  CHECK_FALSE(update.last_award().has_new_amount_cents());  // its entry does not contain it
  CHECK(update.last_award().shares().empty());
  CHECK(update.unit_cents() == 5'00);
  REQUIRE(update.awards_size() == 1);
  CHECK(update.awards(0).SerializeAsString() == update.last_award().SerializeAsString());
}

TEST_CASE("a feed that starts later has the last award") {
  World world;
  world.floor.lock("r1");
  world.floor.win("r1");
  const State& state = world.floor.state();
  Claim claim = state.claims()[0];
  claim.hit = 1;
  claim.whole_meter = true;
  claim.meter_before = Amount::cents(100'50);
  claim.reseeded = Amount::dollars(100);
  claim.from_reserve = Amount::cents(25);
  const State told = State::restored(state.last_entry(), state.floor(), {state.link(LinkIndex(0))},
                                     {state.session(TableIndex(0))}, {claim});
  MeterFeed later(world.gate.context(), world.gate.admission(), "tcp://127.0.0.1:*", told,
                  world.presence);
  zmq::socket_t socket = world.unconnected(zmq::socket_type::sub);
  socket.set(zmq::sockopt::subscribe, "meter/LINK");
  socket.connect(later.endpoint());
  std::optional<wire::MeterUpdate> update;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!update && std::chrono::steady_clock::now() < until) {
    later.serve(world.now);
    update = World::heard(socket, milliseconds(20));
  }
  REQUIRE(update.has_value());
  CHECK(update->last_award().claim() == 1);
  CHECK(update->last_award().new_amount_cents() == 100'25);  // the reseed and the reserve
  CHECK(update->last_award().raised_at_us() == claim.raised_at.microseconds());
}

TEST_CASE(
    "a subscriber to an unknown topic gets nothing; a topic with its zero byte matches one link") {
  World world;
  zmq::socket_t other = world.subscriber("meter/OTHER");
  zmq::socket_t shorter = world.subscriber(std::string("meter/LIN\0", 10));
  zmq::socket_t ended = world.subscriber(std::string(link_topic));
  CHECK(world.first_update(ended).link() == "LINK");
  zmq::socket_t socket = world.subscriber("meter/LINK");
  world.first_update(socket);
  CHECK(world.all_until_now(socket).size() >= 1);
  CHECK_FALSE(World::heard(other, milliseconds(0)).has_value());
  CHECK_FALSE(World::heard(shorter, milliseconds(0)).has_value());
}

TEST_CASE("a subscriber that never reads blocks nobody") {
  World world;
  zmq::socket_t deaf = world.subscriber("");
  zmq::socket_t socket = world.subscriber("meter/LINK");
  world.first_update(socket);
  // More than all buffers in between can hold.
  for (int number = 0; number < 200'000; ++number) {
    world.pass(MeterFeed::publish_interval_max);
    world.feed.serve(world.now);
  }
  // The feed drops updates for a slow subscriber, and is correct again for one that returns.
  // However slow the machine is, an update that is published after the backlog arrives.
  bool right_again = false;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!right_again && std::chrono::steady_clock::now() < until) {
    world.pass(MeterFeed::publish_interval_max);
    world.feed.serve(world.now);
    while (const auto update = World::heard(socket, milliseconds(50))) {
      right_again = right_again || update->as_of_us() == world.now.as_of.microseconds();
    }
  }
  CHECK(right_again);
}

TEST_CASE("hostile subscriptions are ignored") {
  World world;
  zmq::socket_t hostile = world.unconnected(zmq::socket_type::xsub);
  hostile.connect(world.feed.endpoint());
  for (const std::string& bytes :
       {std::string(), std::string("\1", 1), std::string("\0", 1), std::string("\2meter/LINK"),
        "\1" + std::string(400, 'x'), "\1" + std::string(100'000, 'x'), std::string("hello")}) {
    hostile.send(zmq::buffer(bytes), zmq::send_flags::none);
  }
  zmq::socket_t socket = world.subscriber("meter/LINK");
  CHECK(world.first_update(socket).sequence() == 1);
}

TEST_CASE("a subscription may be as long as the longest topic, and not much longer") {
  const std::string longest = "meter/" + std::string(limits::name_length_max, 'x') + '\0';
  World world;
  // The longest is accepted: its connection stays, and gets the topic that it subscribes to after
  // it.
  zmq::socket_t socket = world.subscriber(longest);
  socket.set(zmq::sockopt::subscribe, "meter/LINK");
  CHECK(world.first_update(socket).link() == "LINK");

  zmq::socket_t hostile = world.unconnected(zmq::socket_type::sub);
  hostile.set(zmq::sockopt::subscribe, longest + std::string(512, 'x'));
  REQUIRE(zmq_socket_monitor(hostile.handle(), "inproc://hostile", ZMQ_EVENT_DISCONNECTED) == 0);
  zmq::socket_t ended(world.gate.context(), zmq::socket_type::pair);
  ended.set(zmq::sockopt::linger, 0);
  ended.set(zmq::sockopt::rcvtimeo,
            static_cast<int>(std::chrono::duration_cast<milliseconds>(patience).count()));
  ended.connect("inproc://hostile");
  hostile.connect(world.feed.endpoint());
  zmq::message_t event;
  CHECK(ended.recv(event).has_value());
  REQUIRE(zmq_socket_monitor(hostile.handle(), nullptr, 0) == 0);
}

TEST_CASE("a viewer with too many unknown topics is disconnected, and others are not affected") {
  World world(never_late());
  zmq::socket_t hostile = world.unconnected(zmq::socket_type::xsub);
  hostile.set(zmq::sockopt::reconnect_ivl, -1);
  hostile.set(zmq::sockopt::sndtimeo, 1'000);
  hostile.connect(world.feed.endpoint());
  for (std::uint32_t count = 0; count <= ZapAuthenticator::viewer_bounds.unknown_topics_max;
       ++count) {
    hostile.send(zmq::buffer("\1invented/" + std::to_string(count)), zmq::send_flags::none);
  }
  const auto until = std::chrono::steady_clock::now() + patience;
  while (world.gate.admission().counts().viewers_ended == 0 &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
  CHECK(world.gate.admission().counts().viewers_ended == 1);
  zmq::socket_t socket = world.subscriber("meter/LINK");
  CHECK(world.first_update(socket).link() == "LINK");
}

TEST_CASE("one key that has every place of the feed loses its oldest to another viewer") {
  ZapAuthenticator::ViewerBounds bounds = never_late();
  bounds.connections_max = 4;
  World world(bounds);
  const auto many = world.connections_of(world.gate.viewer("thief"), 6);
  CHECK(world.gate.admission().counts().viewers_ended == 2);
  zmq::socket_t sign = world.subscriber("meter/LINK");
  world.first_update(sign);
  CHECK(world.all_until_now(sign).size() >= 1);
  CHECK(world.gate.admission().counts().viewers_ended == 3);
  CHECK(world.gate.admission().counts().connected == 7);  // the sign connected once
}

TEST_CASE("a key that connects too often is refused and succeeds later without help") {
  ZapAuthenticator::ViewerBounds bounds;
  bounds.rate_of_key = {2, milliseconds(1'000)};
  World world(bounds);
  std::vector<zmq::socket_t> signs;
  for (int number = 0; number < 4; ++number) signs.push_back(world.subscriber("meter/LINK"));
  for (zmq::socket_t& sign : signs) world.first_update(sign);
  const ZapAuthenticator::Counts counts = world.gate.admission().counts();
  CHECK(counts.viewers_ended >= 2);  // each time that it tried
  CHECK(counts.connected >= 4 + counts.viewers_ended);
  CHECK(counts.key_unknown == 0);
}

TEST_CASE("the feed connections of one key are bounded, even if others are free") {
  ZapAuthenticator::ViewerBounds bounds = never_late();
  bounds.connections_of_key_max = 3;
  World world(bounds);
  const Credentials other = world.gate.viewer("other");
  const auto many = world.connections_of(world.sign, 4);
  CHECK(world.gate.admission().counts().viewers_ended == 1);
  world.sign = other;
  zmq::socket_t sign = world.subscriber("meter/LINK");
  world.first_update(sign);
  CHECK(world.gate.admission().counts().viewers_ended == 1);
}

TEST_CASE("a connection without a subscription is closed after some time") {
  ZapAuthenticator::ViewerBounds bounds = never_late();
  bounds.arriving_time_max = milliseconds(500);
  World world(bounds);
  zmq::socket_t sign = world.subscriber("meter/LINK");
  world.first_update(sign);
  const ZapAuthenticator::Counts before = world.gate.admission().counts();
  zmq::socket_t idle = world.unconnected(zmq::socket_type::sub);
  idle.set(zmq::sockopt::reconnect_ivl, -1);
  idle.connect(world.feed.endpoint());
  const auto until = std::chrono::steady_clock::now() + patience;
  while (world.gate.admission().counts().viewers_ended == before.viewers_ended &&
         std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
  CHECK(world.gate.admission().counts().viewers_ended == before.viewers_ended + 1);
  CHECK(world.all_until_now(sign).size() >= 1);
  CHECK(world.gate.admission().counts().connected == before.connected + 1);  // the sign stayed
}

TEST_CASE("connections without a handshake do not keep viewers out of the feed") {
  ZapAuthenticator::ViewerBounds bounds;
  bounds.arriving_max = 4;
  World world(bounds);
  std::vector<std::unique_ptr<Wire>> silent;
  for (int number = 0; number < 4; ++number) {
    silent.push_back(std::make_unique<Wire>(world.feed.endpoint()));
  }
  zmq::socket_t sign = world.subscriber("meter/LINK");
  world.first_update(sign);
  CHECK(silent.front()->ends_within(patience));
  CHECK(world.gate.admission().counts().connected == 5);  // the sign connected once
  CHECK(world.gate.admission().counts().viewers_ended == 1);
}

TEST_CASE(
    "an update names the link's tables, and a table that connects or disconnects is published "
    "soon") {
  World world;
  zmq::socket_t socket = world.subscriber("meter/LINK");
  wire::MeterUpdate update = world.first_update(socket);
  REQUIRE(update.tables().size() == 1);
  CHECK(update.tables(0).table() == "T-01");
  CHECK(update.tables(0).state() == "never_seen");
  CHECK(update.tables(0).since_us() == world.presence.table(TableIndex(0)).since.microseconds());

  const auto heard_after = [&](const std::set<TableIndex>& tables, microseconds time) {
    world.pass(time);
    world.feed.note(world.presence.note(tables, world.now));
    world.pass(MeterFeed::publish_interval_min);
    world.feed.serve(world.now);
    const auto heard = World::heard(socket, milliseconds(10'000));
    REQUIRE(heard.has_value());
    return *heard;
  };
  update = heard_after({TableIndex(0)}, milliseconds(100));
  CHECK(update.tables(0).state() == "linked");
  const std::int64_t linked_us = update.tables(0).since_us();
  update = heard_after({}, lost_after);
  CHECK(update.tables(0).state() == "lost");
  CHECK(update.tables(0).since_us() ==
        linked_us + microseconds(MeterFeed::publish_interval_min + lost_after).count());
}

TEST_CASE("a table may read the feed with its own key; an unknown key may not") {
  World world;
  zmq::socket_t stranger(world.gate.context(), zmq::socket_type::sub);
  stranger.set(zmq::sockopt::linger, 0);
  stranger.set(zmq::sockopt::subscribe, "");
  identify(stranger, world.gate.stranger());
  stranger.connect(world.feed.endpoint());
  world.sign = world.gate.table("T-01");
  zmq::socket_t table = world.subscriber("meter/LINK");
  CHECK(world.first_update(table).link() == "LINK");
  const auto until = std::chrono::steady_clock::now() + patience;
  while (world.gate.admission().counts().key_unknown == 0 &&
         std::chrono::steady_clock::now() < until) {
    world.all_until_now(table);
  }
  CHECK(world.gate.admission().counts().key_unknown == 1);
  world.all_until_now(table);
  CHECK_FALSE(World::heard(stranger, milliseconds(0)).has_value());
}

}  // namespace linkmeter::meter_feed_test
