// Whose picture of a sign is drawn, where many are asked for.
#include "controller/signs/still_desk.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <future>
#include <string>
#include <utility>

#include <doctest/doctest.h>

namespace linkmeter::still_desk_test {
namespace {

using Outcome = StillDesk::Outcome;

SignStill still(const std::string& amount) {
  SignStill still;
  still.title = "Raise It Up";
  still.levels.push_back({"main", amount, "royal flush 100%"});
  return still;
}

// One picture that is asked for. REQUIRES: it outlives the desk.
class Asked {
 public:
  void of(StillDesk& desk, const std::string& address, const std::string& key,
          const std::string& amount = "$5,000.00") {
    desk.draw(address, key, still(amount), 1'920, 1'080, [this](Outcome outcome, std::string png) {
      told_.set_value({outcome, std::move(png)});
    });
  }
  std::pair<Outcome, std::string> wait() {
    auto told = told_.get_future();
    REQUIRE((told.wait_for(std::chrono::seconds(60)) == std::future_status::ready));
    return told.get();
  }

 private:
  std::promise<std::pair<Outcome, std::string>> told_;
};

}  // namespace

TEST_CASE("one address that asks for every picture keeps no other address from its own") {
  std::deque<Asked> many(50);
  Asked own;
  StillDesk desk;
  for (std::size_t at = 0; at < many.size(); ++at) many[at].of(desk, "crowd", std::to_string(at));
  own.of(desk, "sign", "its own");
  const auto [outcome, png] = own.wait();
  CHECK((outcome == Outcome::drawn));
  CHECK_FALSE(png.empty());
  for (Asked& one : many) CHECK((one.wait().first != Outcome::not_drawn));
}

TEST_CASE("what is asked for again soon is the same picture") {
  Asked once, again;
  StillDesk desk;
  once.of(desk, "sign", "key", "$1.00");
  again.of(desk, "sign", "key", "$2.00");
  const std::string first = once.wait().second;
  CHECK_FALSE(first.empty());
  CHECK(first == again.wait().second);
}

}  // namespace linkmeter::still_desk_test
