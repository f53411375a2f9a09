// Which row answers a path, and who may ask.
#include "controller/web/router.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "proto/http/request_target.h"
#include "tests/support/malformed_numbers.h"

namespace linkmeter::router_test {
namespace {

// Rows that answer with their own pattern.
Router router_of(const std::vector<std::pair<const char*, const char*>>& rows) {
  Router router;
  for (const auto& [method, pattern] : rows) {
    router.add({{method, pattern, Access::everyone, [pattern = pattern](WebCall&) {
                   WebResponse response;
                   response.body = pattern;
                   return WebReply(response);
                 }}});
  }
  return router;
}

// The pattern that answers, as its handler says; "": none.
std::string found(const Router& router, const char* method, const std::string& path) {
  const auto match = router.find(method, path);
  if (!match) return "";
  WebCall call{{}, {}, match->path};
  return std::get<WebResponse>(match->route->handler(call)).body;
}

// The one variable of the pattern "/api/claims/{x}" in a request's target; "-": no match.
std::string claim_in(const std::string& target) {
  const auto parsed = parse_request_target(target);
  const auto variables =
      parsed ? match_path("/api/claims/{x}", parsed->path) : std::optional<PathVariables>();
  return variables ? variables->text("x") : "-";
}

Person person_of(Department department, std::set<Role> roles) {
  Person person;
  person.department = department;
  person.roles = std::move(roles);
  return person;
}

}  // namespace

TEST_CASE("a path without variables is equal to its pattern, byte by byte") {
  CHECK(match_path("/api/me", "/api/me"));
  for (const char* path : {"", "/", "/api/m", "/api/me/", "/api/mee", "//api/me", "/API/ME"}) {
    CAPTURE(path);
    CHECK_FALSE(match_path("/api/me", path));
  }
}

TEST_CASE("a variable at the end takes the rest of the path, empty or with slashes") {
  CHECK_EQ(claim_in("/api/claims/7"), "7");
  CHECK_EQ(claim_in("/api/claims/"), "");
  CHECK_EQ(claim_in("/api/claims/7/"), "7/");
  CHECK_EQ(claim_in("/api/claims//7"), "/7");
  CHECK_EQ(claim_in("/api/claims/7/x"), "7/x");
  CHECK_EQ(claim_in("/api/claims"), "-");
  CHECK_EQ(claim_in("/api/claim/7"), "-");
}

TEST_CASE("a path is matched after percent-decoding") {
  CHECK_EQ(claim_in("/api/claims/%37"), "7");
  CHECK_EQ(claim_in("/api/%63laims/7"), "7");
  CHECK_EQ(claim_in("/api/claims%2F7"), "7");
  CHECK_EQ(claim_in("/api/claims/a%2Fb"), "a/b");
  CHECK_EQ(claim_in("/api/claims/%2537"), "%37");  // decoded once
  CHECK_EQ(claim_in("/api/claims/%3"), "-");
  CHECK_EQ(claim_in("/api/claims/7?x=/api/claims/8"), "7");
}

TEST_CASE("a variable between texts ends where the pattern's last text begins") {
  const auto table = [](const std::string& path) {
    const auto variables = match_path("/api/tables/{table}/rounds", path);
    return variables ? variables->text("table") : "-";
  };
  CHECK_EQ(table("/api/tables/C4-01/rounds"), "C4-01");
  CHECK_EQ(table("/api/tables/C4/01/rounds"), "C4/01");
  CHECK_EQ(table("/api/tables/rounds/rounds"), "rounds");
  CHECK_EQ(table("/api/tables/C4-01/rounds/rounds"), "C4-01/rounds");
  CHECK_EQ(table("/api/tables//rounds"), "");
  CHECK_EQ(table("/api/tables/rounds"), "-");  // the two texts do not share a slash
  CHECK_EQ(table("/api/tables/C4-01/rounds/"), "-");
  CHECK_EQ(table("/api/tables/C4-01"), "-");
}

TEST_CASE("the first of two variables is as short as possible") {
  const auto both = [](const std::string& path) {
    const auto variables = match_path("/tables/{table}/rounds/{round}/correct", path);
    return variables ? variables->text("table") + " " + variables->text("round") : "-";
  };
  CHECK_EQ(both("/tables/T/rounds/r/correct"), "T r");
  CHECK_EQ(both("/tables/T/rounds/rounds/r/correct"), "T rounds/r");
  CHECK_EQ(both("/tables/T/rounds/r/correct/correct"), "T r/correct");
  CHECK_EQ(both("/tables/A/B/rounds/r/correct"), "A/B r");
  CHECK_EQ(both("/tables//rounds//correct"), " ");
  CHECK_EQ(both("/tables/T/rounds/correct"), "-");
  CHECK_EQ(both("/tables/rounds/r/correct"), "-");
}

TEST_CASE("a number in a path is decimal digits and nothing else") {
  const auto number = [](const std::string& text) {
    return match_path("/slips/{slip}.pdf", "/slips/" + text + ".pdf")->number("slip");
  };
  CHECK_EQ(number("0"), 0);
  CHECK_EQ(number("0012"), 12);
  CHECK_EQ(number("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const std::string& text : malformed_numbers) {
    CAPTURE(text);
    CHECK_FALSE(number(text));
  }
  CHECK_FALSE(number("1/"));
  CHECK_FALSE(number("1.pdf"));
}

TEST_CASE("the route with the shortest first variable answers, in any order of the routes") {
  std::vector<std::pair<const char*, const char*>> rows = {
      {"GET", "/{file}"},
      {"GET", "/api/{path}"},
      {"GET", "/api/claims"},
      {"GET", "/api/claims/{claim}"},
      {"GET", "/api/claims/{claim}/distribution"},
      {"GET", "/slips/{slip}"},
      {"GET", "/slips/{slip}.pdf"},
      {"GET", "/"}};
  for (const bool is_reversed : {false, true}) {
    CAPTURE(is_reversed);
    if (is_reversed) std::reverse(rows.begin(), rows.end());
    const Router router = router_of(rows);
    CHECK_EQ(found(router, "GET", "/"), "/");
    CHECK_EQ(found(router, "GET", "/signs"), "/{file}");
    CHECK_EQ(found(router, "GET", "/api"), "/{file}");
    CHECK_EQ(found(router, "GET", "/api/"), "/api/{path}");
    CHECK_EQ(found(router, "GET", "/api/claim"), "/api/{path}");
    CHECK_EQ(found(router, "GET", "/api/claims"), "/api/claims");
    CHECK_EQ(found(router, "GET", "/api/claims/"), "/api/claims/{claim}");
    CHECK_EQ(found(router, "GET", "/api/claims/7/distribution"),
             "/api/claims/{claim}/distribution");
    CHECK_EQ(found(router, "GET", "/api/claims/7/distribution/"), "/api/claims/{claim}");
    CHECK_EQ(found(router, "GET", "/slips/7"), "/slips/{slip}");
    CHECK_EQ(found(router, "GET", "/slips/7.pdf"), "/slips/{slip}.pdf");
    CHECK_EQ(found(router, "GET", "/slips/.pdf"), "/slips/{slip}.pdf");
  }
}

TEST_CASE("a route answers only its own method") {
  const Router router = router_of({{"GET", "/api/claims"}, {"POST", "/api/{path}"}});
  CHECK_EQ(found(router, "GET", "/api/claims"), "/api/claims");
  CHECK_EQ(found(router, "POST", "/api/claims"), "/api/{path}");
  CHECK_EQ(found(router, "POST", "/"), "");
  CHECK_EQ(found(router, "DELETE", "/api/claims"), "");
  CHECK_EQ(found(router, "get", "/api/claims"), "");
}

TEST_CASE("a role may read claims, accounting, both or neither") {
  const std::vector<std::tuple<Department, Role, bool, bool>> roles = {
      {Department::table_games, Role::dealer, false, false},
      {Department::table_games, Role::floorperson, true, false},
      {Department::table_games, Role::poker_shift_supervisor, true, false},
      {Department::table_games, Role::table_games_manager, true, false},
      {Department::finance, Role::cashier, true, false},
      {Department::finance, Role::accountant, false, true},
      {Department::finance, Role::finance_manager, true, true},
      {Department::security, Role::security_officer, false, false},
      {Department::systems, Role::engineer, false, false},
      {Department::oversight, Role::auditor, true, true}};
  for (const auto& [department, role, reads_claims, reads_accounting] : roles) {
    const int role_number = static_cast<int>(role);
    CAPTURE(role_number);
    const Person person = person_of(department, {role});
    CHECK_EQ(allows(Access::claims, person), reads_claims);
    CHECK_EQ(allows(Access::accounting, person), reads_accounting);
    CHECK_EQ(allows(Access::claims_or_accounting, person), reads_claims || reads_accounting);
    CHECK(allows(Access::signed_in, person));
  }
}

}  // namespace linkmeter::router_test
