#include "proto/http/sessions.h"

#include <doctest/doctest.h>
#include <set>
#include <string>
#include <vector>

#include "proto/host/sha256.h"

namespace linkmeter::sessions_test {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

WebRequest with_cookie(const std::string& cookie) {
  WebRequest request;
  request.cookies["linkmeter"] = cookie;
  return request;
}

WebRequest from(const std::string& host, const std::string& origin, bool secure = false) {
  WebRequest request;
  request.secure = secure;
  request.headers["host"] = host;
  if (!origin.empty()) request.headers["origin"] = origin;
  return request;
}

}  // namespace

TEST_CASE("a session is identified by its cookie until it was idle for ten minutes") {
  WebSessions sessions;
  const WebSession opened = *sessions.open("TGM-1", {}, seconds(0));
  CHECK_EQ(opened.cookie.size(), 64);
  CHECK_NE(opened.cookie, opened.token);
  CHECK_EQ(sessions.find(with_cookie(opened.cookie), seconds(599))->badge, "TGM-1");
  CHECK_EQ(sessions.find({}, seconds(1)), nullptr);
  CHECK_EQ(sessions.find(with_cookie(opened.token), seconds(1)), nullptr);
  CHECK_EQ(sessions.find(with_cookie(""), seconds(1)), nullptr);
  CHECK_EQ(sessions.find(with_cookie(opened.cookie + "0"), seconds(1)), nullptr);
  // It was used at 599; look() does not count as use.
  CHECK_NE(sessions.look(with_cookie(opened.cookie), seconds(1'198)), nullptr);
  CHECK_EQ(sessions.find(with_cookie(opened.cookie), seconds(1'199)), nullptr);
}

TEST_CASE("no two session secrets are equal") {
  WebSessions sessions;
  std::set<std::string> secrets;
  for (int at = 0; at < 200; ++at) {
    const WebSession& session = *sessions.open("A" + std::to_string(at), {}, seconds(0));
    secrets.insert(session.cookie);
    secrets.insert(session.token);
  }
  CHECK_EQ(secrets.size(), 400);
}

TEST_CASE("a new sign-in ends the browser's previous session, and sessions are bounded") {
  WebSessions sessions("linkmeter", 20);
  const WebSession first = *sessions.open("A", {}, seconds(0));
  const WebSession second = *sessions.open("B", with_cookie(first.cookie), seconds(1));
  CHECK_EQ(sessions.count(), 1);
  CHECK_EQ(sessions.look(with_cookie(first.cookie), seconds(1)), nullptr);
  for (int at = 0; at < 19; ++at) {
    CHECK_NE(sessions.open("C" + std::to_string(at), {}, seconds(2)), nullptr);
  }
  // A sign-in never ends a session of another badge.
  CHECK_EQ(sessions.open("D", {}, seconds(3)), nullptr);
  CHECK_NE(sessions.look(with_cookie(second.cookie), seconds(3)), nullptr);
  CHECK_EQ(sessions.count(), 20);
  // A badge with a session replaces its own one; and expired sessions make room.
  CHECK_NE(sessions.open("B", {}, seconds(3)), nullptr);
  CHECK_EQ(sessions.look(with_cookie(second.cookie), seconds(3)), nullptr);
  CHECK_EQ(sessions.count(), 20);
  CHECK_NE(sessions.open("D", {}, seconds(602)), nullptr);
}

TEST_CASE("a badge has at most four sessions: its longest idle one ends") {
  WebSessions sessions;
  const WebSession other = *sessions.open("B", {}, seconds(0));
  std::vector<std::string> cookies;
  for (int at = 1; at <= 4; ++at) {
    cookies.push_back(sessions.open("A", {}, seconds(at))->cookie);
  }
  CHECK_NE(sessions.find(with_cookie(cookies[0]), seconds(5)), nullptr);
  CHECK_NE(sessions.open("A", {}, seconds(6)), nullptr);
  CHECK_EQ(sessions.count(), 5);
  CHECK_EQ(sessions.look(with_cookie(cookies[1]), seconds(6)), nullptr);
  CHECK_NE(sessions.look(with_cookie(cookies[0]), seconds(6)), nullptr);
  CHECK_NE(sessions.look(with_cookie(other.cookie), seconds(6)), nullptr);
}

TEST_CASE("a session ends twelve hours after it began, however much it is used") {
  WebSessions sessions;
  const std::string cookie = sessions.open("A", {}, seconds(0))->cookie;
  const seconds most = WebSessions::lifetime_max;
  for (seconds at(0); at < most; at += seconds(500)) {
    CHECK_NE(sessions.find(with_cookie(cookie), at), nullptr);
  }
  CHECK_NE(sessions.find(with_cookie(cookie), most - microseconds(1)), nullptr);
  CHECK_EQ(sessions.find(with_cookie(cookie), most), nullptr);
  CHECK_EQ(sessions.end(most).size(), 1);
}

TEST_CASE("right sign-ins of a badge wait, too, if there were too many in a minute") {
  WebSessions sessions;
  for (std::size_t at = 0; at < WebSessions::right_pins_max; ++at) {
    CHECK_FALSE(sessions.wait_of_right_pin("A", seconds(0)).has_value());
    sessions.note_right_pin("A", seconds(0));
  }
  CHECK_EQ(sessions.wait_of_right_pin("A", seconds(1))->count(), 59);
  CHECK_FALSE(sessions.wait_of_right_pin("B", seconds(1)).has_value());
  CHECK_FALSE(sessions.wait_of_right_pin("A", seconds(60)).has_value());
}

TEST_CASE("idle sessions end by themselves, and selected sessions can be ended") {
  WebSessions sessions;
  const auto a = sessions.open("A", {}, seconds(0))->number;
  const auto b = sessions.open("B", {}, seconds(300))->number;
  const auto c = sessions.open("C", {}, seconds(300))->number;
  CHECK((sessions.end(seconds(600)) == std::vector{a}));
  CHECK((sessions.end(seconds(601), [](const auto& one) { return one.badge == "C"; }) ==
         std::vector{c}));
  CHECK((sessions.end(seconds(900)) == std::vector{b}));
}

TEST_CASE("the server learns which cookies (as digests) and addresses have reserved places") {
  WebSessions sessions;
  CHECK(sessions.known().cookies.empty());
  WebRequest request;
  request.peer = "10.0.0.1";
  const WebSession mine = *sessions.open("A", request, seconds(0));
  CHECK((sessions.known().cookies == std::set<Digest>{sha256(mine.cookie)}));
  CHECK((sessions.known().peers == std::set<std::string>{"10.0.0.1"}));
  request = with_cookie(mine.cookie);
  request.peer = "10.0.0.2";  // the tablet was moved to another network
  CHECK_NE(sessions.find(request, seconds(1)), nullptr);
  CHECK((sessions.known().peers == std::set<std::string>{"10.0.0.2"}));
  sessions.end(seconds(601));
  CHECK(sessions.known().cookies.empty());
}

TEST_CASE("a request must have the token of its own session") {
  WebSessions sessions;
  const WebSession mine = *sessions.open("A", {}, seconds(0));
  const WebSession other = *sessions.open("B", {}, seconds(0));
  WebRequest request;
  CHECK_EQ(std::string(WebSessions::token_mistake(mine, request)), "token_missing");
  request.headers["x-linkmeter-token"] = other.token;
  CHECK_EQ(std::string(WebSessions::token_mistake(mine, request)), "token_wrong");
  request.headers["x-linkmeter-token"] = mine.token;
  CHECK_EQ(WebSessions::token_mistake(mine, request), nullptr);
}

TEST_CASE("no other site's page and no script sees the cookie") {
  WebSessions sessions;
  const WebSession session = *sessions.open("A", {}, seconds(0));
  CHECK_EQ(sessions.cookie_of(session, false),
           "linkmeter=" + session.cookie + "; HttpOnly; SameSite=Strict; Path=/");
  CHECK(sessions.cookie_of(session, true).ends_with("; Secure"));
  CHECK_NE(sessions.no_cookie(false).find("Max-Age=0"), std::string::npos);
  CHECK_FALSE(sessions.no_cookie(false).ends_with("; Secure"));
  CHECK(sessions.no_cookie(true).ends_with("; Secure"));
}

TEST_CASE(
    "programs on one machine have cookies with different names, because cookies ignore ports") {
  WebSessions floor, panel("linkmeter panel C4/01;x");
  const WebSession at_floor = *floor.open("A", {}, seconds(0));
  const WebSession at_panel = *panel.open("A", {}, seconds(0));
  CHECK(panel.cookie_of(at_panel, false).starts_with("linkmeter-panel-C4-01-x="));
  CHECK(WebSessions("a:Z[{_z@9/").cookie_of(at_panel, false).starts_with("a-Z---z-9-="));
  WebRequest request;
  request.cookies = {{"linkmeter", at_floor.cookie}, {"linkmeter-panel-C4-01-x", at_panel.cookie}};
  CHECK(floor.find(request, seconds(1)) != nullptr);
  CHECK(panel.find(request, seconds(1)) != nullptr);
  request.cookies.erase("linkmeter-panel-C4-01-x");
  CHECK(panel.find(request, seconds(1)) == nullptr);
}

TEST_CASE("ten failures a minute from one address make it wait; others do not wait") {
  WebSessions sessions;
  for (int at = 0; at < 10; ++at) {
    CHECK_FALSE(sessions.wait_of("10.0.0.1", seconds(at)).has_value());
    sessions.note_failure("10.0.0.1", seconds(at));
  }
  CHECK_EQ(sessions.wait_of("10.0.0.1", seconds(10))->count(), 50);
  CHECK_FALSE(sessions.wait_of("10.0.0.2", seconds(10)).has_value());
  CHECK_EQ(sessions.wait_of("10.0.0.1", seconds(60) - microseconds(1))->count(), 1);
  // The first failure is forgotten.
  CHECK_FALSE(sessions.wait_of("10.0.0.1", seconds(60)).has_value());
  sessions.note_failure("10.0.0.1", seconds(60));
  CHECK_EQ(sessions.wait_of("10.0.0.1", seconds(60))->count(), 1);
  // If there are more than ten, the last ten count: the first of them was at 3.
  for (int at = 0; at < 2; ++at) sessions.note_failure("10.0.0.1", seconds(60));
  CHECK_EQ(sessions.wait_of("10.0.0.1", seconds(60))->count(), 3);
}

TEST_CASE("a success does not count against the address") {
  WebSessions sessions;
  sessions.forgive("a");
  for (int at = 0; at < 10; ++at) sessions.note_failure("a", seconds(0));
  CHECK(sessions.wait_of("a", seconds(0)).has_value());
  sessions.forgive("a");
  CHECK_FALSE(sessions.wait_of("a", seconds(0)).has_value());
}

TEST_CASE("the table of failing addresses is bounded") {
  WebSessions sessions;
  for (std::size_t at = 0; at < WebSessions::addresses_max + 100; ++at) {
    sessions.note_failure("a" + std::to_string(at), seconds(0));
  }
  for (int at = 0; at < 10; ++at) sessions.note_failure("0", seconds(1));
  CHECK(sessions.wait_of("0", seconds(1)).has_value());
  // Failures that are a minute old make room first, so that no recent one is forgotten.
  sessions.note_failure("c", seconds(60));
  CHECK(sessions.wait_of("0", seconds(60)).has_value());
}

TEST_CASE("our own pages have an address, localhost or our name as host, and no other origin") {
  const std::vector<std::string> own = {"House.example"};
  for (const char* host : {"127.0.0.1:6059", "[::1]:6059", "localhost:6059", "10.0.0.7",
                           "house.example:6059", "HOUSE.EXAMPLE"}) {
    CAPTURE(host);
    CHECK(is_own_origin(from(host, ""), own));
    CHECK(is_own_origin(from(host, std::string("http://") + host), own));
    CHECK(is_own_origin(from(host, std::string("https://") + host, true), own));
    for (const char* origin : {"http://evil.example", "null", "http://localhost", "http://"}) {
      CHECK_FALSE(is_own_origin(from(host, origin), own));
    }
    CHECK_FALSE(is_own_origin(from(host, std::string("https://") + host), own));
  }
  for (const char* host :
       {"", "evil.example:6059", "localhost.evil:1", "127.0.0.1.evil", "[::1", "["}) {
    CAPTURE(host);
    CHECK_FALSE(is_own_origin(from(host, ""), own));
  }
}

}  // namespace linkmeter::sessions_test
