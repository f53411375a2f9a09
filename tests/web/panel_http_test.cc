// The panel's HTTP interface over real HTTP: which origins may try PINs, and which sessions end.
#include "table-agent/panel/panel_http.h"

#include <doctest/doctest.h>
#include <poll.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/scoped_directory.h"
#include "tests/web/raw_client.h"

namespace linkmeter::panel_http_test {
namespace {

constexpr const char* station = "127.0.0.1";
constexpr const char* stranger = "127.0.0.9";

// Everybody is a dealer with the PIN "1".
struct Table {
  explicit Table(bool spares_loopback = false, const std::filesystem::path& trusted_origins = {})
      : web(door(spares_loopback), TableId("C4-01"), trusted_origins) {}
  static WebServer::Setup door(bool spares_loopback) {
    WebServer::Setup setup = local_setup();
    setup.bounds.spares_loopback = spares_loopback;
    return setup;
  }
  std::string ask(const std::string& address, const std::string& bytes) {
    auto asked =
        std::async(std::launch::async, [&] { return RawClient(web.url(), address).ask(bytes); });
    while (asked.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready) turn();
    return asked.get();
  }
  std::string sign_in(const std::string& address, const std::string& badge, const std::string& pin,
                      const std::string& lines = "") {
    return ask(address,
               post("/api/sign-in", R"({"badge":")" + badge + R"(","pin":")" + pin + R"("})",
                    "Content-Type: application/json\r\n" + lines));
  }
  int me(const std::string& cookie_line) {
    return status_of(ask(station, get("/api/me", cookie_line)));
  }
  void turn() {
    pollfd awaited{web.descriptor(), POLLIN, 0};
    ::poll(&awaited, 1, 1);
    for (const PanelRequest& word : web.take()) {
      const PanelSignature& asked = word.signature.value();
      strange.push_back(asked.is_untrusted_origin);
      if (asked.pin == "1") {
        web.complete_sign_in(
            word.ticket, {1, Refusal::none, asked.badge, "Dora", {"dealer"}, {"run_rounds"}, 0, 7});
      } else {
        web.answer(word.ticket, {"pin_wrong", "the PIN is wrong"});
      }
    }
  }
  PanelHttp web;
  std::vector<bool> strange;  // for each sign-in that would go to the controller
};

std::string cookie_line(const std::string& signed_in) {
  const std::string cookie = header_of(signed_in, "Set-Cookie");
  return "Cookie: " + cookie.substr(0, cookie.find(';')) + "\r\n";
}

}  // namespace

TEST_CASE(
    "the controller learns which sign-ins are from untrusted origins; they wait after three wrong "
    "PINs") {
  Table table;
  for (int at = 0; at < 3; ++at) CHECK_EQ(status_of(table.sign_in(stranger, "D-1", "2")), 401);
  const std::string fourth = table.sign_in(stranger, "D-1", "1");
  CHECK_EQ(status_of(fourth), 429);
  CHECK_EQ(header_of(fourth, "Retry-After"), "60");
  CHECK_EQ(status_of(table.sign_in(station, "D-1", "1")), 200);
  CHECK_EQ(status_of(table.sign_in(station, "D-1", "2")), 401);
  CHECK((table.strange == std::vector{true, true, true, true, false}));
}

TEST_CASE("the table's own machine is no trusted origin before a right PIN came from it") {
  Table table(true);
  for (int at = 0; at < 3; ++at) CHECK_EQ(status_of(table.sign_in(station, "D-1", "2")), 401);
  CHECK_EQ(status_of(table.sign_in(station, "D-1", "1")), 429);
  CHECK((table.strange == std::vector(3, true)));
  CHECK_EQ(status_of(table.sign_in(station, "D-2", "1")), 200);
  for (int at = 0; at < 10; ++at) CHECK_EQ(status_of(table.sign_in(station, "D-2", "2")), 401);
  CHECK_EQ(status_of(table.sign_in(station, "D-2", "1")), 429);  // ten a minute are the limit
  CHECK((table.strange.back() == false));
}

TEST_CASE("a panel's trusted origins are known after a restart") {
  const ScopedDirectory folder;
  const std::filesystem::path trusted_origins = folder.path() / "C4-01.homes";
  {
    Table table(false, trusted_origins);
    CHECK_EQ(status_of(table.sign_in(station, "D-1", "1")), 200);
  }
  Table table(false, trusted_origins);
  for (int at = 0; at < 4; ++at) CHECK_EQ(status_of(table.sign_in(station, "D-1", "2")), 401);
  CHECK((table.strange == std::vector(4, false)));
}

TEST_CASE("sessions end for people whose roles or PIN changed, and for nobody else") {
  Table table;
  const std::string dora = cookie_line(table.sign_in(station, "D-1", "1"));
  const std::string fred = cookie_line(table.sign_in(station, "F-1", "1"));
  CHECK((table.web.signed_in_people() ==
         std::vector<PanelPerson>{{Badge("D-1"), {"dealer"}, 7}, {Badge("F-1"), {"dealer"}, 7}}));
  table.web.end(Badge("F-1"));
  table.web.end(Badge("nobody"));
  CHECK_EQ(table.me(dora), 200);
  CHECK_EQ(table.me(fred), 401);
  CHECK_EQ(table.web.signed_in_people().size(), 1);
}

TEST_CASE("the number of people at a panel is bounded") {
  Table table(true);
  std::string lines;
  for (int at = 0; at < 5; ++at) {
    lines = cookie_line(table.sign_in(station, "D-" + std::to_string(at), "1", lines));
  }
  CHECK_EQ(table.web.signed_in_people().size(), 1);  // the browser's earlier session is over
  for (std::size_t at = 0; at < panel_people_max + 9; ++at) {
    table.sign_in(station, "E-" + std::to_string(at), "1");
  }
  CHECK_EQ(table.web.signed_in_people().size(), panel_people_max);
}

}  // namespace linkmeter::panel_http_test
