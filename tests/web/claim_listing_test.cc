// Which of many claims are listed. The expected numbers follow from how the claims were made.
#include "controller/web/accounting_views.h"

#include "tests/support/mixed_floor.h"

#include <doctest/doctest.h>

namespace linkmeter::claim_listing_test {
namespace {

constexpr Timestamp now = Timestamp::from_microseconds(9'000'000'000);

class Claims {
 public:
  // Adds `count` claims of this amount, one second apart.
  void add(std::size_t count, ClaimState state, std::int64_t dollars) {
    for (std::size_t one = 0; one < count; ++one) {
      Claim claim;
      claim.number = ClaimNumber(all.size() + 1);
      claim.entry = EntryNumber(all.size() + 10);
      claim.line = LineId("royal_flush");
      claim.amount = Amount::dollars(dollars);
      claim.state = state;
      claim.raised_at =
          Timestamp::from_microseconds(static_cast<std::int64_t>(all.size() + 1) * 1'000'000);
      all.push_back(claim);
    }
  }
  [[nodiscard]] Json told() const {
    return claim_listing_json(claim_listing(all), floor_.file.floor, now);
  }
  std::vector<Claim> all;

 private:
  MixedFloor floor_;
};

TEST_CASE("a pending claim is listed, however many were settled since") {
  Claims claims;
  claims.add(1, ClaimState::raised, 7);
  claims.add(1, ClaimState::validated, 5);
  claims.add(150, ClaimState::paid, 1);
  claims.add(151, ClaimState::rejected, 1);
  const Json told = claims.told();
  CHECK_EQ(told["pending"], (Json{{"count", 2}, {"sum", "12.00"}}));
  CHECK_EQ(told["settled"], (Json{{"count", 301}}));
  const Json& list = told["claims"];
  REQUIRE_EQ(list.size(), 2 + ClaimListing::settled_max);
  CHECK_EQ(list[0]["claim"], 1);
  CHECK_EQ(list[0]["state"], "raised");
  CHECK_EQ(list[0]["age_s"], 8'999);
  CHECK_EQ(list[1]["claim"], 2);
  CHECK_EQ(list[2]["claim"], 303);  // the newest of the others
  CHECK(list[2]["age_s"].is_null());
  CHECK_EQ(list.back()["claim"], 104);
}

TEST_CASE("if not all claims fit, the oldest are listed, with the sum of all") {
  Claims claims;
  claims.add(ClaimListing::pending_max, ClaimState::validated, 1);
  claims.add(3, ClaimState::raised, 100);
  const Json told = claims.told();
  CHECK_EQ(told["pending"], (Json{{"count", 1'003}, {"sum", "1300.00"}}));
  CHECK_EQ(told["settled"]["count"], 0);
  REQUIRE_EQ(told["claims"].size(), ClaimListing::pending_max);
  CHECK_EQ(told["claims"][0]["claim"], 1);
  CHECK_EQ(told["claims"].back()["claim"], 1'000);
}

TEST_CASE("an empty list for no claims") {
  CHECK_EQ(Claims().told(), (Json{{"pending", Json{{"count", 0}, {"sum", "0.00"}}},
                                  {"settled", Json{{"count", 0}}},
                                  {"claims", Json::array()}}));
}

}  // namespace
}  // namespace linkmeter::claim_listing_test
