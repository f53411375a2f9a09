// The controller's HTTP interface over real HTTP, from addresses that it does not know: a
// controller in memory, and PINs that a test knows.
#include "controller/web/http_api.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proto/codec/journal_codec.h"
#include "tests/support/capture_binding.h"
#include "tests/support/malformed_numbers.h"
#include "tests/support/memory_journal.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/scoped_directory.h"
#include "tests/web/raw_client.h"

namespace linkmeter::http_api_test {
namespace {

constexpr const char* station = "127.0.0.1";
constexpr const char* stranger = "127.0.0.9";

WebServer::Setup door() {
  WebServer::Setup setup = local_setup();
  setup.bounds.spares_loopback = false;  // no address of this machine is trusted
  return setup;
}

struct Answered {
  int status = 0;
  std::string error;
  std::string whole;
};

// Everybody's PIN is "1"; verified PINs are counted.
class House {
 public:
  explicit House(const WebServer::Setup& setup = door()) {
    journal_.commit({encode(floor_.opening)}, rows_for(floor_.state, floor_.state.take_changes()));
    controller_.emplace(journal_, floor_.file.rules, std::move(floor_.state));
    const HttpApi::Subjects subjects{*controller_, journal_, slip_printer_, day_reports_,
                                     calendar_};
    api_.emplace(setup, subjects, std::vector<std::string>());
  }
  Answered ask(const std::string& address, const std::string& path, const std::string& body,
               const std::string& lines = "") {
    auto asked = std::async(std::launch::async, [&] {
      RawClient client(api_->server().url(), address);
      return client.ask(body.empty()
                            ? get(path, lines)
                            : post(path, body, "Content-Type: application/json\r\n" + lines));
    });
    while (asked.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready) turn();
    const std::string response = asked.get();
    const auto json = nlohmann::json::parse(body_of(response), nullptr, false);
    return {status_of(response), json.is_object() ? json.value("error", "") : "", response};
  }
  Answered sign_in(const std::string& address, const std::string& badge, const std::string& pin) {
    return ask(address, "/api/sign-in", R"({"badge":")" + badge + R"(","pin":")" + pin + R"("})");
  }
  // The header lines of a signed-in person.
  std::string lines_of(const Answered& signed_in) {
    const std::string cookie = header_of(signed_in.whole, "Set-Cookie");
    const auto json = nlohmann::json::parse(body_of(signed_in.whole));
    return "Cookie: " + cookie.substr(0, cookie.find(';')) +
           "\r\nX-Linkmeter-Token: " + json.at("token").get<std::string>() + "\r\n";
  }
  [[nodiscard]] std::uint64_t entries() const { return journal_.head().entry.value(); }
  [[nodiscard]] bool is_locked(const std::string& badge) const {
    return controller_->state().find_person(Badge(badge))->is_locked(now().as_of);
  }
  // "WHY by WHOM"; "": not frozen.
  [[nodiscard]] std::string frozen(const std::string& table) const {
    const TableSession& desk =
        controller_->state().session(*controller_->state().find_table(TableId(table)));
    return desk.frozen().empty() ? "" : desk.frozen() + " by " + desk.frozen_by().text();
  }
  // Seat 2 wins at C4-01.
  void win(const std::string& round) {
    LockRound lock;
    lock.round = RoundId(round);
    lock.wagers = {{Seat(2), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
    say(std::move(lock));
    ShowHands show;
    show.round = RoundId(round);
    std::vector<Card> cards;
    for (const char* card : {"9h", "Th", "Jh", "Qh", "Kh"}) cards.push_back(*parse_card(card));
    show.hands = {{Seat(2), std::move(cards), false, {}}};
    say(std::move(show));
  }
  WebServer& server() { return api_->server(); }
  LoginThrottle& tries() { return api_->tries(); }
  // The badge whose PIN would be verified next.
  std::string next_badge() {
    const auto asked = api_->next();
    return asked ? asked->request.badge.text() : "";
  }
  [[nodiscard]] Moment now() const {
    return {Timestamp::from_microseconds(9'000'000 + uptime.count()), uptime};
  }
  // Takes all requests, and verifies no PIN.
  void serve() {
    pollfd awaited{api_->descriptor(), POLLIN, 0};
    ::poll(&awaited, 1, 20'000);
    api_->serve(now());
  }
  void turn() {
    pollfd awaited{api_->descriptor(), POLLIN, 0};
    ::poll(&awaited, 1, 1);
    api_->serve(now());
    auto asked = api_->next();
    if (!asked) return;
    ++looked_at;
    asked->request.is_good = asked->pin == "1";
    if (verification_fails) asked->request.unchecked = "no memory";
    if (!asked->witness_pin.empty()) asked->request.is_witness_good = asked->witness_pin == "1";
    const auto done = controller_->turn({}, now().as_of, {asked->request});
    for (const Controller::SocketReply& told : done.socket_replies) api_->answer(told, now());
    api_->end_sessions(now());
  }
  int looked_at = 0;
  bool verification_fails = false;
  std::chrono::microseconds uptime{1'000'000};

 private:
  void say(TableCommand command) {
    TableMessage message;
    message.table = TableId("C4-01");
    message.number = MessageNumber(++number_);
    message.command = std::move(command);
    const auto done = controller_->turn({{"C4-01", key_of("C4-01"), encode(message)}}, now().as_of);
    REQUIRE(done.refused.empty());
  }
  std::uint64_t number_ = 0;
  MixedFloor floor_;
  MemoryJournal journal_;
  std::optional<Controller> controller_;
  ScopedDirectory data_;
  Calendar calendar_{"UTC", "06:00"};
  SlipPrinter slip_printer_{data_.path(), journal_, "UTC"};
  DayReportWorker day_reports_{data_.path(), journal_, {}};
  std::optional<HttpApi> api_;
};

// Every byte as "%2f".
std::string percent_encoded(const std::string& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string encoded;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    encoded += {'%', digits[value / 16U], digits[value % 16U]};
  }
  return encoded;
}

}  // namespace

TEST_CASE(
    "wrong PINs from an untrusted origin lock nobody and are not journaled: each try waits "
    "longer") {
  House house;
  const std::uint64_t before = house.entries();
  for (int at = 0; at < 3; ++at) {
    CHECK_EQ(house.sign_in(stranger, "F-1", "2").error, "pin_wrong");
  }
  const Answered fourth = house.sign_in(stranger, "F-1", "2");
  CHECK_EQ(fourth.status, 429);
  CHECK_EQ(header_of(fourth.whole, "Retry-After"), "60");
  CHECK_EQ(house.looked_at, 3);
  CHECK_EQ(house.entries(), before);
  for (int at = 0; at < 20; ++at) {
    house.uptime += std::chrono::hours(1);
    house.sign_in(stranger, "F-1", "2");
  }
  CHECK_FALSE(house.is_locked("F-1"));
  CHECK_EQ(house.entries(), before);
  // These attempts delay him at an unknown address, but not where the staff signs in.
  CHECK_EQ(house.sign_in("127.0.0.8", "F-1", "1").status, 429);
  CHECK_EQ(house.sign_in(station, "F-2", "1").status, 200);
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 200);
}

TEST_CASE(
    "many addresses cannot try more PINs of one badge, and the person's own terminal stays "
    "usable") {
  House house;
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 200);
  for (int at = 0; at < 30; ++at) {
    house.sign_in("127.0.1." + std::to_string(at + 1), "F-1", "2");
  }
  CHECK_EQ(house.looked_at, 1 + 10);
  CHECK_EQ(house.sign_in("127.0.2.1", "F-1", "1").status, 429);
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 200);
  CHECK_EQ(house.sign_in("127.0.2.1", "F-2", "1").status, 200);
  CHECK_FALSE(house.is_locked("F-1"));
}

TEST_CASE("five wrong PINs from a trusted origin lock the person, with an entry each") {
  House house;
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 200);
  const std::uint64_t before = house.entries();
  for (int at = 0; at < 5; ++at) CHECK_EQ(house.sign_in(station, "F-1", "2").error, "pin_wrong");
  CHECK(house.is_locked("F-1"));
  CHECK_EQ(house.entries(), before + 5);
  // From now on there are no more entries; he is told about the lock, unknown addresses are not.
  CHECK_EQ(house.sign_in(station, "F-1", "1").error, "person_locked");
  CHECK_EQ(house.sign_in(stranger, "F-1", "1").error, "pin_wrong");
  CHECK_EQ(house.sign_in(stranger, "F-1", "2").error, "pin_wrong");
  CHECK_EQ(house.entries(), before + 5);
}

TEST_CASE("tries while a person is locked do not extend the wait beyond the lock") {
  House house;
  CHECK_EQ(house.sign_in(station, "TGM-1", "1").status, 200);
  for (int at = 0; at < 5; ++at) CHECK_EQ(house.sign_in(station, "TGM-1", "2").error, "pin_wrong");
  REQUIRE(house.is_locked("TGM-1"));  // the last manager of the department waits a minute
  house.uptime += std::chrono::seconds(59);
  for (int at = 0; at < 10; ++at) {
    CHECK_EQ(house.sign_in(station, "TGM-1", "2").error, "person_locked");
  }
  CHECK_EQ(house.sign_in(station, "TGM-1", "2").status, 429);  // these are limited, too
  house.uptime += std::chrono::seconds(2);
  CHECK_EQ(house.sign_in(station, "TGM-1", "1").status, 200);
}

TEST_CASE("a body is JSON if its type is application/json, with or without parameters") {
  House house;
  const auto status_with = [&house](const std::string& type) {
    RawClient client(house.server().url(), station);
    return status_of(
        client.ask(post("/api/unknown", "{}", "Content-Type: " + type + "\r\nOrigin: x\r\n")));
  };
  for (const char* type :
       {"application/json", "application/json;charset=utf-8", "application/json ; a=b"}) {
    CAPTURE(type);
    CHECK_EQ(status_with(type), 403);  // the next check: the origin
  }
  for (const char* type : {"application/jsonx", "application/json-patch+json", "text/plain", ""}) {
    CAPTURE(type);
    CHECK_EQ(status_with(type), 415);
  }
}

TEST_CASE("a request that is refused before its PIN is verified leaves no PIN in memory") {
  const MixedFloor floor;
  WebSessions sessions;
  WebServer server(local_setup(),
                   [](const WebRequest&, RequestId) -> WebReply { return WebResponse(); });
  LoginQueue queue(floor.state, sessions, server);
  for (std::size_t at = 0; at < WebSessions::failures_max; ++at) {
    sessions.note_failure(stranger, std::chrono::microseconds(0));
  }
  const auto refuse = [&](const std::string& badge) {
    WebCall call;
    call.request.peer = call.request.address = stranger;
    PinRequest asked{OperatorRequest{{}, Badge(badge), false, {}}, "1234", "5678", "9012"};
    asked.request.signs_in = true;
    const std::array<const std::string*, 3> pins{&asked.pin, &asked.new_pin, &asked.witness_pin};
    const WebReply reply = queue.add(call, std::move(asked), {});
    for (const std::string* pin : pins) {
      CHECK(pin->empty());
      for (int at = 0; at < 4; ++at) CHECK_EQ(pin->data()[at], '\0');
    }
    return std::get<WebResponse>(reply).status;
  };
  CHECK_EQ(refuse("F-1"), 429);
  CHECK_EQ(refuse(""), 400);
  CHECK_EQ(refuse(std::string(1'000, 'x')), 400);
}

TEST_CASE("the controller's own machine is no trusted origin before a right PIN came from it") {
  House house(local_setup());
  for (int at = 0; at < 3; ++at) CHECK_EQ(house.sign_in(station, "F-1", "2").error, "pin_wrong");
  CHECK_EQ(house.sign_in(station, "F-1", "2").status, 429);
  CHECK_FALSE(house.is_locked("F-1"));
}

TEST_CASE("a signed-in person cannot lock another person, and the tries are counted") {
  House house;
  const std::string lines = house.lines_of(house.sign_in(station, "F-1", "1"));
  const std::string path = "/api/links/C4/suspend";
  const std::string body = R"({"badge":"TGM-1","pin":"2","note":"x"})";
  const std::uint64_t before = house.entries();
  for (int at = 0; at < 3; ++at) {
    CHECK_EQ(house.ask(station, path, body, lines).error, "pin_wrong");
  }
  CHECK_EQ(house.ask(station, path, body, lines).status, 429);
  CHECK_FALSE(house.is_locked("TGM-1"));
  CHECK_EQ(house.entries(), before);
  CHECK((house.tries().take_counts() == std::map<Badge, std::uint64_t>{{Badge("TGM-1"), 3}}));
  CHECK(house.tries().take_counts().empty());
}

TEST_CASE("wrong PINs from a trusted origin lock the person, also through another session") {
  House house;
  CHECK_EQ(house.sign_in(station, "F-2", "1").status, 200);
  const std::string lines = house.lines_of(house.sign_in(station, "F-1", "1"));
  for (int at = 0; at < 5; ++at) {
    CHECK_EQ(
        house
            .ask(station, "/api/links/C4/suspend", R"({"badge":"F-2","pin":"2","note":"x"})", lines)
            .error,
        "pin_wrong");
  }
  CHECK(house.is_locked("F-2"));
  CHECK_FALSE(house.is_locked("F-1"));
}

TEST_CASE(
    "a witness's wrong PINs lock the witness only from a trusted origin, and wait elsewhere") {
  House house;
  const std::string lines = house.lines_of(house.sign_in(station, "FM-1", "1"));
  const auto adjust = [&](const std::string& witness_pin) {
    const std::string body = R"({"kept":"1.00","witness":"F-1","pin":"1","witness_pin":")";
    return house.ask(station, "/api/links/POKER/display", body + witness_pin + R"("})", lines);
  };
  for (int at = 0; at < 3; ++at) CHECK_EQ(adjust("2").error, "witness_not_signed");
  CHECK_EQ(adjust("2").status, 429);
  CHECK((house.tries().take_counts() == std::map<Badge, std::uint64_t>{{Badge("F-1"), 3}}));
  // The manager can do other work, and the witness is not locked.
  CHECK_EQ(house.ask(station, "/api/links/C4/suspend", R"({"pin":"1","note":"x"})", lines).status,
           200);
  house.uptime += LoginThrottle::per_origin.first;
  CHECK_EQ(adjust("1").status, 200);
  for (int at = 0; at < 4; ++at) CHECK_EQ(adjust("2").error, "witness_not_signed");
  CHECK_FALSE(house.is_locked("F-1"));
  CHECK_EQ(adjust("2").status, 409);
  CHECK(house.is_locked("F-1"));
}

TEST_CASE("a PIN whose verification fails is neither right nor wrong") {
  House house;
  house.verification_fails = true;
  for (unsigned at = 0; at < 2 * LoginThrottle::per_badge.free; ++at) {
    CHECK_EQ(house.sign_in("127.0.0.5", "F-1", "2").error, "too_many_requests");
  }
  house.verification_fails = false;
  // The address is no trusted origin now: wrong PINs there lock nobody.
  for (int at = 0; at < 3; ++at) {
    CHECK_EQ(house.sign_in("127.0.0.5", "F-1", "2").error, "pin_wrong");
  }
  CHECK_EQ(house.sign_in("127.0.0.5", "F-1", "2").status, 429);
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 200);
}

TEST_CASE("a witness's PIN without a badge is refused, and delays nobody") {
  House house;
  const std::string lines = house.lines_of(house.sign_in(station, "FM-1", "1"));
  for (int at = 0; at < 5; ++at) {
    const auto answer =
        house.ask(station, "/api/links/POKER/display",
                  R"({"kept":"1.00","witness":"","pin":"1","witness_pin":"2"})", lines);
    CHECK_NE(answer.status, 200);
    CHECK_NE(answer.status, 429);
  }
  CHECK(house.tries().take_counts().empty());
}

TEST_CASE("one person freezes a table, with a reason, and nobody without the right does") {
  House house;
  const std::string path = "/api/tables/C4-01/freeze";
  const std::string lines = house.lines_of(house.sign_in(station, "C-1", "1"));
  const auto freeze = [&](const std::string& body) {
    return house.ask(station, path, body, lines).error;
  };
  CHECK_EQ(freeze(R"({"pin":"1","note":"no seal"})"), "right_missing");
  CHECK_EQ(freeze(R"({"badge":"E-1","pin":"1"})"), "name_malformed");
  CHECK_EQ(house.frozen("C4-01"), "");
  CHECK_EQ(freeze(R"({"badge":"E-1","pin":"1","note":"no seal"})"), "");
  CHECK_EQ(house.frozen("C4-01"), "no seal by E-1");
  CHECK_EQ(freeze(R"({"badge":"F-1","pin":"1","note":"again"})"), "table_frozen_already");
  CHECK_EQ(house
               .ask(station, "/api/tables/C4-99/freeze", R"({"badge":"F-1","pin":"1","note":"x"})",
                    lines)
               .error,
           "table_unknown");
}

TEST_CASE("right sign-ins of one badge are rate-limited, and other badges are not affected") {
  House house;
  for (std::size_t at = 0; at < WebSessions::right_pins_max; ++at) {
    REQUIRE_EQ(house.sign_in(station, "F-1", "1").status, 200);
  }
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 429);
  CHECK_EQ(house.sign_in(station, "F-2", "1").status, 200);
  house.uptime += WebSessions::failures_within;
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 200);
}

TEST_CASE("badges take turns at the PIN verification, however much one of them asks") {
  House house;
  const std::string busy = house.lines_of(house.sign_in(station, "F-1", "1"));
  const std::string other = house.lines_of(house.sign_in(station, "F-2", "1"));
  const auto acts = [](const std::string& lines) {
    return post("/api/links/C4/suspend", R"({"pin":"1","note":"x"})",
                "Content-Type: application/json\r\n" + lines);
  };
  std::vector<std::unique_ptr<RawClient>> clients;
  const auto sends = [&](const std::string& lines) {
    clients.push_back(std::make_unique<RawClient>(house.server().url(), station));
    clients.back()->send(acts(lines));
    house.serve();
  };
  for (int at = 0; at < 4; ++at) sends(busy);
  sends(other);
  CHECK_EQ(house.next_badge(), "F-1");  // both were served once, F-1 before F-2
  CHECK_EQ(house.next_badge(), "F-2");
  CHECK_EQ(house.next_badge(), "F-1");
}

TEST_CASE("one session that acts without end does not block sign-ins from any origin") {
  for (const bool is_trusted_origin : {true, false}) {
    CAPTURE(is_trusted_origin);
    House house;
    if (is_trusted_origin) REQUIRE_EQ(house.sign_in(station, "F-2", "1").status, 200);
    const std::string busy = house.lines_of(house.sign_in(station, "D-1", "1"));
    std::vector<std::unique_ptr<RawClient>> clients;
    const auto sends = [&](const std::string& bytes) {
      clients.push_back(std::make_unique<RawClient>(house.server().url(), station));
      clients.back()->send(bytes);
      house.serve();
    };
    const std::string json = "Content-Type: application/json\r\n";
    for (int at = 0; at < 8; ++at) {
      sends(post("/api/claims/999/validate", R"({"pin":"1"})", json + busy));
    }
    sends(post("/api/sign-in", R"({"badge":"F-2","pin":"1"})", json));
    // Another session of D-1 takes every free place, before each turn of the worker.
    std::vector<std::string> served;
    for (int turns = 0; turns < 5; ++turns) {
      served.push_back(house.next_badge());
      sends(post("/api/claims/999/validate", R"({"pin":"1"})", json + busy));
    }
    CHECK_NE(std::find(served.begin(), served.end(), "F-2"), served.end());
  }
}

TEST_CASE(
    "right PINs of acts are rate-limited together with sign-ins, and other badges are not "
    "affected") {
  House house;
  const std::string lines = house.lines_of(house.sign_in(station, "D-1", "1"));
  const std::string other = house.lines_of(house.sign_in(station, "F-1", "1"));
  const auto acts = [&](const std::string& whose) {
    return house.ask(station, "/api/claims/999/validate", R"({"pin":"1"})", whose);
  };
  for (int at = 0; at < 29; ++at) REQUIRE_NE(acts(lines).status, 429);
  const Answered rated = acts(lines);
  CHECK_EQ(rated.status, 429);
  CHECK_EQ(header_of(rated.whole, "Retry-After"), "60");
  CHECK_EQ(rated.whole.find("wrong"), std::string::npos);  // no PIN was wrong
  CHECK_EQ(house.sign_in(station, "D-1", "1").status, 429);
  CHECK_EQ(house.looked_at, 31);
  CHECK_EQ(acts(other).error, "claim_unknown");
  house.uptime += WebSessions::failures_within;
  CHECK_EQ(acts(lines).error, "claim_unknown");
}

TEST_CASE("many anonymous requests from one address do not delay its signed-in people") {
  House house;
  const Answered in = house.sign_in(station, "TGM-1", "1");
  REQUIRE_EQ(in.status, 200);
  for (int at = 0; at < 12; ++at) house.sign_in(station, "B-" + std::to_string(at), "2");
  CHECK_EQ(house.sign_in(station, "F-1", "1").status, 429);
  CHECK_EQ(house.ask(station, "/api/me", "", house.lines_of(in)).status, 200);
  CHECK_EQ(
      house.ask(station, "/api/links/C4/suspend", R"({"pin":"1","note":"x"})", house.lines_of(in))
          .status,
      200);
}

TEST_CASE("a person at a trusted origin can sign in beside many anonymous requests") {
  House house;
  REQUIRE_EQ(house.sign_in(station, "TGM-1", "1").status, 200);
  for (int at = 0; at < 12; ++at) house.sign_in(station, "B-" + std::to_string(at), "2");
  CHECK_EQ(house.sign_in(station, "TGM-1", "1").status, 200);
}

TEST_CASE("an act that was answered \"outcome unknown\" is never carried out afterwards") {
  WebServer::Setup setup = door();
  setup.bounds.answer_within = std::chrono::milliseconds(50);
  House house(setup);
  const std::string asked =
      post("/api/sign-in", R"({"badge":"F-1","pin":"1"})", "Content-Type: application/json\r\n");
  for (const bool is_served : {false, true}) {
    RawClient client(house.server().url());
    client.send(asked);
    if (is_served) house.serve();  // up to the queue of the authenticator
    const std::string answered = client.read_response();
    CHECK_NE(body_of(answered).find("outcome_unknown"), std::string::npos);
    house.turn();
    house.turn();
  }
  CHECK_EQ(house.looked_at, 0);
}

TEST_CASE("an image of a value that is too old is refused") {
  House house;
  const auto still = [&house](int age_ms) {
    house.server().publish("sign/C4", "meter",
                           R"({"maximum_age_ms":3000,"age_ms":)" + std::to_string(age_ms) + "}");
    return body_of(RawClient(house.server().url()).ask(get("/sign/C4.png")));
  };
  CHECK_NE(still(3'001).find("value_too_old"), std::string::npos);
  CHECK_EQ(still(3'000).find("value_too_old"), std::string::npos);
}

TEST_CASE("the list of claims is built a few at a time and is complete") {
  House house;
  const std::string lines = house.lines_of(house.sign_in(station, "F-1", "1"));
  CHECK_EQ(body_of(house.ask(station, "/api/claims", "", lines).whole), "{\"claims\":[]}\n");
  constexpr std::size_t count = 2 * ClaimsApi::listed_per_loop_max + 1;
  for (std::size_t at = 1; at <= count; ++at) house.win("r" + std::to_string(at));
  RawClient client(house.server().url(), station);
  client.send(get("/api/claims", lines));
  house.serve();
  for (int loops = 0; loops < 2; ++loops) house.turn();
  const auto listed = nlohmann::json::parse(body_of(client.read_response())).at("claims");
  REQUIRE_EQ(listed.size(), count);
  for (std::size_t at = 0; at < count; ++at) CHECK_EQ(listed[at].at("claim"), count - at);
  CHECK_EQ(house.ask(station, "/api/claims?before=x", "", lines).error, "before_malformed");
  CHECK_EQ(house.ask(stranger, "/api/claims", "").error, "not_signed_in");
}

TEST_CASE("an unknown path is answered 404, below /api/ only to signed-in people") {
  House house;
  const std::string staff = house.lines_of(house.sign_in(station, "F-1", "1"));
  const std::string dealer = house.lines_of(house.sign_in(station, "D-1", "1"));
  const auto asks = [&house](const std::string& path, const std::string& body,
                             const std::string& lines) {
    const Answered answered = house.ask(station, path, body, lines);
    return std::to_string(answered.status) + " " + answered.error;
  };
  for (const char* path :
       {"/nothing", "/signs/", "/api", "/events/nothing", "/slips/x", "/slips/"}) {
    CAPTURE(path);
    CHECK_EQ(asks(path, "", ""), "404 not_found");
    CHECK_EQ(asks(path, "{}", staff), "404 not_found");
  }
  for (const char* path : {"/api/", "/api/nothing", "/api/me/", "/api/claims/1/validate/x"}) {
    CAPTURE(path);
    CHECK_EQ(asks(path, "", ""), "401 not_signed_in");
    CHECK_EQ(asks(path, "", dealer), "403 right_missing");
    CHECK_EQ(asks(path, "{}", ""), "401 not_signed_in");
    CHECK_EQ(asks(path, "{}", staff), "404 not_found");
    CHECK_EQ(asks(path, "[]", staff), "400 body_malformed");
  }
  CHECK_EQ(asks("/api/nothing", "", staff), "404 not_found");
  // An address without its id names no thing of its kind.
  CHECK_EQ(asks("/api/claims/", "", staff), "404 claim_unknown");
  CHECK_EQ(asks("/api/slips/", "", staff), "404 slip_unknown");
  CHECK_EQ(asks("/slips/.pdf", "", staff), "404 slip_unknown");
  CHECK_EQ(asks("/api/tables/rounds", "", staff), "404 not_found");
  CHECK_EQ(asks("/sign/.png", "", ""), "404 not_found");
}

TEST_CASE("a path that answers one method answers 404 to another") {
  House house;
  const std::string staff = house.lines_of(house.sign_in(station, "F-1", "1"));
  for (const char* path : {"/api/me", "/api/claims", "/api/meters", "/api/slips/1"}) {
    CAPTURE(path);
    CHECK_EQ(house.ask(station, path, "{}", staff).error, "not_found");
  }
  for (const char* path : {"/api/pin", "/api/sign-in", "/api/sign-out", "/api/readings"}) {
    CAPTURE(path);
    CHECK_EQ(house.ask(station, path, "", staff).error, "not_found");
  }
  CHECK_EQ(house.ask(station, "/events/floor", "{}", staff).error, "not_found");
}

TEST_CASE("a number in a path or a query is decimal digits and nothing else") {
  House house;
  house.win("r1");
  const std::string staff = house.lines_of(house.sign_in(station, "F-1", "1"));
  const std::string finance = house.lines_of(house.sign_in(station, "FM-1", "1"));
  const std::string explain = "/api/explain?link=C4&level=major&at=";
  const std::vector<std::pair<std::string, std::string>> asked = {
      {"/slips/", ""},
      {"/distribution/", ""},
      {"/api/claims/", staff},
      {"/api/claims?before=", staff},
      {"/api/explain?claim=", finance},
      {"/api/journal?from=", finance},
      {"/api/journal?from=1&count=", finance},
      {"/api/links/C4/history?level=major&days=", finance},
      {explain, finance}};
  for (const auto& [path, lines] : asked) {
    CAPTURE_BINDING(path);
    CHECK_EQ(house.ask(station, path + "1", "", lines).status, 200);
    CHECK_EQ(house.ask(station, path + "0001", "", lines).status, 200);  // never read as octal
    for (const std::string& text : malformed_numbers) {
      CAPTURE(text);
      const int status = house.ask(station, path + percent_encoded(text), "", lines).status;
      CHECK((status == 400 || status == 404));
    }
  }
  // A missing parameter is not an empty one.
  CHECK_EQ(house.ask(station, explain.substr(0, explain.rfind('&')), "", finance).status, 200);
  CHECK_EQ(house.ask(station, explain, "", finance).error, "entry_unknown");
}

TEST_CASE("a number in an act's body is decimal digits and nothing else") {
  House house;
  house.win("r1");
  const std::string lines = house.lines_of(house.sign_in(station, "F-1", "1"));
  const std::uint64_t before = house.entries();
  for (const std::string& text : malformed_numbers) {
    CAPTURE(text);
    for (const char* end :
         {"claims/*/validate", "claims/*/reject", "claims/*/pay", "slips/*/void"}) {
      std::string path = "/api/" + std::string(end);
      path.replace(path.find('*'), 1, percent_encoded(text));
      const int status = house.ask(station, path, R"({"pin":"1"})", lines).status;
      CHECK((status == 400 || status == 404));
    }
  }
  const std::string pay = "/api/claims/1/pay", round = "/api/tables/C4-01/rounds/r1/";
  for (const char* number :
       {"\"1\"", "-1", "1.0", "1e0", "true", "[1]", "\"\"", "99999999999999999999999999"}) {
    CAPTURE(number);
    const auto with = [&](const std::string& path, const std::string& key) {
      const std::string body =
          R"({"pin":"1","reason":"misread_card",")" + key + "\":" + number + "}";
      return house.ask(station, path, body, lines).error;
    };
    CHECK_EQ(with(pay, "slip"), "slip_malformed");
    CHECK_EQ(with(round + "correct", "seat"), "seat_malformed");
    CHECK_EQ(with(round + "correct_dealer", "lucky"), "lucky_malformed");
    CHECK_EQ(with("/api/days/2026-11-21/explain", "corrected_by"), "corrected_by_malformed");
  }
  for (const char* number : {"0x1", "+1", "01", "1_0", ""}) {  // not JSON
    CAPTURE(number);
    const std::string body = R"({"pin":"1","slip":)" + std::string(number) + "}";
    CHECK_EQ(house.ask(station, pay, body, lines).error, "body_malformed");
  }
  CHECK_EQ(house
               .ask(station, round + "correct",
                    R"({"pin":"1","seat":258,"cards":"2c","reason":"misread_card"})", lines)
               .error,
           "seat_malformed");  // never read as seat 2
  CHECK_EQ(house.entries(), before);
  CHECK_EQ(house.ask(station, "/api/claims/0001/validate", R"({"pin":"1"})", lines).status, 200);
  CHECK_GT(house.entries(), before);
}

}  // namespace linkmeter::http_api_test
