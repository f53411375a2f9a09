// Which clients a limit rejects, with addresses that a test has no socket for.
#include "proto/http/connection_limiter.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>

#include <string>
#include <vector>

#include "proto/http/server.h"

namespace linkmeter::connection_limiter_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

sockaddr_in6 socket_address(const std::string& address) {
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  REQUIRE_EQ(::inet_pton(AF_INET6, address.c_str(), &six.sin6_addr), 1);
  return six;
}

std::string peer_of(const std::string& address) {
  const sockaddr_in6 six = socket_address(address);
  return web_peer(reinterpret_cast<const sockaddr*>(&six));
}

std::string whole(const std::string& address) {
  const sockaddr_in6 six = socket_address(address);
  return web_address_of(reinterpret_cast<const sockaddr*>(&six));
}

std::string limit(const char* refusal) { return refusal == nullptr ? "" : refusal; }

}  // namespace

TEST_CASE("an IPv6 address counts by its network; IPv4 and this machine count by address") {
  CHECK_EQ(peer_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  CHECK_EQ(peer_of("2001:db8:1:2:ffff::1"), peer_of("2001:db8:1:2::9"));
  CHECK_NE(peer_of("2001:db8:1:3::9"), peer_of("2001:db8:1:2::9"));
  CHECK_EQ(peer_of("::ffff:10.1.2.3"), "10.1.2.3");
  CHECK_EQ(peer_of("::1"), "::1");
}

TEST_CASE("an address that is a name counts as a whole") {
  CHECK_EQ(whole("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2:3:4:5:6");
  CHECK_EQ(whole("::ffff:10.1.2.3"), "10.1.2.3");
  CHECK_EQ(whole("::1"), "::1");
}

TEST_CASE("one IPv6 network has no more connections than one address") {
  WebServer::Bounds bounds;
  bounds.connections_per_address_max = 3;
  ConnectionLimiter door(bounds);
  for (int at = 0; at < 3; ++at) {
    const std::string peer = peer_of("2001:db8::" + std::to_string(at + 1));
    CHECK_EQ(limit(door.refusal(peer)), "");
    door.opened(-1, peer, {});
  }
  CHECK_EQ(limit(door.refusal(peer_of("2001:db8::77"))), "connections_of_address");
  CHECK_EQ(limit(door.refusal(peer_of("2001:db8:0:1::77"))), "");
}

TEST_CASE("anonymous clients never take the last connections: they are for signed-in addresses") {
  WebServer::Bounds bounds;
  bounds.connections_max = 4;
  bounds.connections_kept = 2;
  ConnectionLimiter door(bounds);
  door.know({"10.0.0.1"});
  for (int at = 0; at < 4; ++at) door.opened(-1, "10.9.9." + std::to_string(at), {});
  CHECK_EQ(limit(door.refusal("10.9.9.9")), "connections");
  CHECK_EQ(limit(door.refusal("::1")), "connections");
  for (int at = 0; at < 2; ++at) {
    CHECK_EQ(limit(door.refusal("10.0.0.1")), "");
    door.opened(-1, "10.0.0.1", {});
  }
  CHECK_EQ(limit(door.refusal("10.0.0.1")), "connections");
  door.know({});
  CHECK_EQ(limit(door.refusal("10.0.0.1")), "connections");
}

TEST_CASE("streams are bounded by address, and the last ones are for signed-in people") {
  WebServer::Bounds bounds;
  bounds.streams_max = 4;
  bounds.streams_kept = 1;
  bounds.streams_per_address_max = 2;
  ConnectionLimiter door(bounds);
  const auto begins = [&door](const std::string& owner, bool is_known = false) {
    WebConnection* connection = door.opened(-1, owner, {});
    door.stream_began(*connection, owner, is_known);
    return connection;
  };
  WebConnection* first = begins("10.0.0.1");
  begins("10.0.0.1");
  CHECK_EQ(limit(door.stream_refusal("10.0.0.1", false)), "streams_of_address");
  CHECK_EQ(limit(door.stream_refusal("session", true)), "");  // beside many signs
  CHECK_EQ(limit(door.stream_refusal("loopback", false)), "");
  begins("loopback");
  begins("loopback");
  CHECK_EQ(limit(door.stream_refusal("loopback", false)), "streams");
  CHECK_EQ(limit(door.stream_refusal("session", true)), "");
  WebConnection* known = begins("session", true);
  CHECK_EQ(limit(door.stream_refusal("session", true)), "streams");
  door.stream_ended(*first);
  door.stream_ended(*known);
  CHECK_EQ(limit(door.stream_refusal("10.0.0.1", false)), "");
}

TEST_CASE("the streams of one session are bounded, wherever they are opened") {
  WebServer::Bounds bounds;
  bounds.streams_per_session_max = 2;
  ConnectionLimiter door(bounds);
  for (const char* peer : {"10.0.0.1", "127.0.0.1"}) {
    CHECK_EQ(limit(door.stream_refusal("session", true)), "");
    door.stream_began(*door.opened(-1, peer, {}), "session", true);
  }
  CHECK_EQ(limit(door.stream_refusal("session", true)), "streams_of_session");
  CHECK_EQ(limit(door.stream_refusal("other session", true)), "");
}

TEST_CASE("if all streams are taken, the address with the most loses its oldest to another") {
  WebServer::Bounds bounds;
  bounds.streams_max = 5;
  ConnectionLimiter door(bounds);
  std::vector<WebConnection*> many;
  for (int at = 0; at < 4; ++at) {
    many.push_back(door.opened(-1, "10.0.0.1", {}));
    door.stream_began(*many.back(), "10.0.0.1", false);
  }
  WebConnection* known = door.opened(-1, "10.0.0.1", {});
  door.stream_began(*known, "session", true);
  CHECK_EQ(limit(door.stream_refusal("10.0.0.2", false)), "streams");
  CHECK_EQ(door.take_stream("10.0.0.1", false), nullptr);  // it has the most itself
  CHECK_EQ(door.take_stream("10.0.0.2", false), many[0]);
  CHECK_EQ(limit(door.stream_refusal("10.0.0.2", false)), "");
  WebConnection* sign = door.opened(-1, "10.0.0.2", {});
  door.stream_began(*sign, "10.0.0.2", false);
  CHECK_EQ(door.take_stream("10.0.0.3", false), many[1]);
  door.stream_began(*door.opened(-1, "10.0.0.3", {}), "10.0.0.3", false);
  CHECK_EQ(door.take_stream("10.0.0.2", false), nullptr);  // it would then have as many
  CHECK_EQ(door.take_stream("10.0.0.4", false), many[2]);
  door.stream_began(*door.opened(-1, "10.0.0.4", {}), "10.0.0.4", false);
  CHECK_EQ(door.take_stream("10.0.0.5", false), nullptr);  // every address has one
  door.stream_ended(*many[0]);                             // no longer counted
  CHECK_EQ(limit(door.stream_refusal("10.0.0.5", false)), "streams");
}

TEST_CASE("an anonymous stream never displaces a signed-in person's; the reverse may happen") {
  WebServer::Bounds bounds;
  bounds.streams_max = 3;
  bounds.streams_kept = 0;
  ConnectionLimiter door(bounds);
  std::vector<WebConnection*> sessions;
  for (int at = 0; at < 3; ++at) {
    sessions.push_back(door.opened(-1, "10.0.0.1", {}));
    door.stream_began(*sessions.back(), "session", true);
  }
  CHECK_EQ(door.take_stream("10.0.0.2", false), nullptr);
  CHECK_EQ(door.take_stream("other session", true), sessions[0]);
}

TEST_CASE("all addresses of this machine count as one if it is exempt") {
  WebServer::Bounds bounds;
  {
    const ConnectionLimiter door(bounds);
    CHECK_EQ(door.owner_of("127.0.0.9"), door.owner_of("::1"));
    CHECK_NE(door.owner_of("10.0.0.1"), door.owner_of("127.0.0.1"));
  }
  bounds.spares_loopback = false;
  const ConnectionLimiter door(bounds);
  CHECK_NE(door.owner_of("127.0.0.9"), door.owner_of("127.0.0.1"));
}

TEST_CASE("a stream that ends makes room for another of its address") {
  WebServer::Bounds bounds;
  bounds.streams_per_address_max = 2;
  ConnectionLimiter door(bounds);
  std::vector<WebConnection*> open;
  const auto begins = [&] {
    CHECK_EQ(limit(door.stream_refusal("10.0.0.1", false)), "");
    open.push_back(door.opened(-1, "10.0.0.1", {}));
    door.stream_began(*open.back(), "10.0.0.1", false);
  };
  begins();
  begins();
  door.stream_ended(*open[0]);
  begins();
  CHECK_EQ(limit(door.stream_refusal("10.0.0.1", false)), "streams_of_address");
  door.closed(open[1]);  // a closed connection has no stream
  CHECK_EQ(limit(door.stream_refusal("10.0.0.1", false)), "");
}

TEST_CASE("this machine may be bounded like any other") {
  WebServer::Bounds bounds;
  bounds.spares_loopback = false;
  bounds.requests_burst = 1;
  bounds.connections_per_address_max = 1;
  bounds.streams_per_address_max = 0;
  ConnectionLimiter door(bounds);
  CHECK_EQ(limit(door.is_over_rate("127.0.0.1", {})), "");
  CHECK_EQ(limit(door.is_over_rate("127.0.0.1", {})), "connections_in_haste");
  CHECK_EQ(limit(door.stream_refusal("127.0.0.1", false)), "streams_of_address");
  WebConnection* one = door.opened(-1, "127.0.0.1", {});
  CHECK_EQ(limit(door.refusal("127.0.0.1")), "connections_of_address");
  door.closed(one);
  CHECK_EQ(limit(door.refusal("127.0.0.1")), "");
}

TEST_CASE("a connection is reported late once, at its deadline") {
  const WebServer::Bounds bounds;
  ConnectionLimiter door(bounds);
  const ConnectionLimiter::Moment begin{};
  WebConnection* first = door.opened(-1, "10.0.0.1", begin);
  WebConnection* second = door.opened(-1, "10.0.0.1", begin);
  first->expect("request", begin + seconds(5));
  second->expect_nothing();
  CHECK(door.late(begin + seconds(5) - milliseconds(1)).empty());
  CHECK((door.late(begin + seconds(5)) == std::vector{first}));
  CHECK(door.late(begin + seconds(6)).empty());
  CHECK(door.late(begin + seconds(9'999)).empty());
}

TEST_CASE("the connection that was idle longest makes room first, then the next") {
  const WebServer::Bounds bounds;
  const ConnectionLimiter::Moment begin{};
  // In both orders in memory.
  for (const bool rises : {true, false}) {
    ConnectionLimiter door(bounds);
    std::vector<WebConnection*> idle;
    for (int at = 0; at < 3; ++at) {
      idle.push_back(door.opened(-1, "10.0.0.1", begin));
      idle.back()->expect_next(begin + seconds(rises ? at : 9 - at));
    }
    WebConnection* silent = door.opened(-1, "10.0.0.1", begin);  // has never sent a request
    WebConnection* asking = door.opened(-1, "10.0.0.1", begin);
    asking->is_first = false;
    CHECK_EQ(door.take_idle("10.0.0.9"), idle[rises ? 0 : 2]);
    CHECK_EQ(door.take_idle("10.0.0.9"), idle[1]);
    CHECK_EQ(door.take_idle("10.0.0.9"), idle[rises ? 2 : 0]);
    CHECK_EQ(door.take_idle("10.0.0.9"), silent);
    CHECK_EQ(door.take_idle("10.0.0.9"), nullptr);
  }
}

TEST_CASE(
    "among connections without a request, the oldest of the address with the most makes room") {
  const WebServer::Bounds bounds;
  const ConnectionLimiter::Moment begin{};
  ConnectionLimiter door(bounds);
  WebConnection* alone = door.opened(-1, "10.0.0.1", begin);  // the oldest of all
  std::vector<WebConnection*> many;
  for (int at = 0; at < 3; ++at) {
    many.push_back(door.opened(-1, "10.0.0.2", begin + seconds(9 - at)));
  }
  CHECK_EQ(door.take_idle("10.0.0.9"), many[2]);
  CHECK_EQ(door.take_idle("10.0.0.9"), many[1]);
  CHECK_EQ(door.take_idle("10.0.0.9"), alone);  // as many as the other now, and older
  CHECK_EQ(door.take_idle("10.0.0.9"), many[0]);
  CHECK_EQ(door.take_idle("10.0.0.9"), nullptr);
}

TEST_CASE("finally the address with the most connections loses its oldest to one with fewer") {
  const WebServer::Bounds bounds;
  const ConnectionLimiter::Moment begin{};
  ConnectionLimiter door(bounds);
  const auto busy = [&](const std::string& peer, int at) {
    WebConnection* connection = door.opened(-1, peer, begin + seconds(at));
    connection->is_first = false;  // it sends a request, reads slowly, or is a stream
    return connection;
  };
  WebConnection* kept = busy("10.0.0.1", 0);
  kept->is_kept = true;
  WebConnection* second = busy("10.0.0.1", 2);
  WebConnection* first = busy("10.0.0.1", 1);
  busy("10.0.0.2", 0);
  CHECK_EQ(door.take_idle("10.0.0.1"), nullptr);
  CHECK_EQ(door.take_idle("10.0.0.2"), nullptr);  // it would then have as many
  CHECK_EQ(door.take_idle("10.0.0.3"), first);
  CHECK_EQ(door.take_idle("10.0.0.3"), nullptr);
  busy("10.0.0.1", 3);
  CHECK_EQ(door.take_idle("10.0.0.3"), second);
}

TEST_CASE(
    "a client that requests without end is limited to its rate after a burst; others are not") {
  WebServer::Bounds bounds;
  bounds.requests_per_second = 10;
  bounds.requests_burst = 5;
  ConnectionLimiter door(bounds);
  const ConnectionLimiter::Moment begin{};
  for (int at = 0; at < 5; ++at) CHECK_FALSE(door.spend("10.0.0.1", begin).has_value());
  CHECK((door.spend("10.0.0.1", begin) == milliseconds(100)));
  CHECK((door.spend("10.0.0.1", begin) == milliseconds(100)));  // a refusal costs nothing
  CHECK_FALSE(door.spend("10.0.0.2", begin).has_value());
  CHECK_FALSE(door.spend("10.0.0.1", begin + milliseconds(100)).has_value());
  CHECK(door.spend("10.0.0.1", begin + milliseconds(199)).has_value());
  for (int at = 0; at < 5; ++at) CHECK_FALSE(door.spend("10.0.0.1", begin + seconds(9)));
  CHECK(door.spend("10.0.0.1", begin + seconds(9)).has_value());
}

TEST_CASE("the table of request rates is bounded") {
  WebServer::Bounds bounds;
  bounds.requests_burst = 1;
  ConnectionLimiter door(bounds);
  for (int at = 0; at < 8'500; ++at) {
    CHECK_FALSE(door.spend(std::to_string(at), {}).has_value());
  }
  CHECK_FALSE(door.spend("x", {}).has_value());
  CHECK(door.spend("x", {}).has_value());
  // Entries whose time has passed are removed first, even before the smallest key "!", which is
  // active again.
  const ConnectionLimiter::Moment later = ConnectionLimiter::Moment{} + seconds(9);
  CHECK_FALSE(door.spend("!", later).has_value());
  for (int at = 0; at < 100; ++at) {
    CHECK_FALSE(door.spend("y" + std::to_string(at), later).has_value());
  }
  CHECK(door.spend("!", later).has_value());
}

TEST_CASE(
    "an address that connects again and again without a request waits, except its signed-in "
    "people") {
  WebServer::Bounds bounds;
  bounds.requests_per_second = 10;
  bounds.requests_burst = 3;
  ConnectionLimiter door(bounds);
  const ConnectionLimiter::Moment now;
  for (int one = 0; one < 3; ++one) CHECK_EQ(limit(door.is_over_rate("10.0.0.1", now)), "");
  CHECK_EQ(limit(door.is_over_rate("10.0.0.1", now)), "connections_in_haste");
  CHECK_EQ(limit(door.is_over_rate("10.0.0.2", now)), "");
  CHECK_EQ(limit(door.is_over_rate("10.0.0.1", now + milliseconds(100))), "");
  CHECK_EQ(limit(door.is_over_rate("10.0.0.1", now + milliseconds(100))), "connections_in_haste");
  // Requests of each connection are counted separately.
  CHECK_FALSE(door.spend("10.0.0.1", now).has_value());
  door.know({"10.0.0.1"});
  CHECK_EQ(limit(door.is_over_rate("10.0.0.1", now)), "");
  for (int one = 0; one < 9; ++one) CHECK_EQ(limit(door.is_over_rate("127.0.0.1", now)), "");
}

}  // namespace linkmeter::connection_limiter_test
