// What follows for the origins of PINs when a request was answered.
#include "controller/auth/login_tries.h"

#include <doctest/doctest.h>
#include <chrono>
#include <map>
#include <string>

#include "tests/support/mixed_floor.h"

namespace linkmeter::login_tries_test {
namespace {

using std::chrono::seconds;

const std::string station = "10.0.0.1";
const Badge person("F-1"), witness("TGM-1"), nobody("X-9");

struct Socket {
  MixedFloor floor;
  LoginTries tries;
  LoginTries::Uptime uptime{seconds(1)};

  PinRequest suspend_by(const Badge& badge, const Badge& other) {
    AdjustDisplay act;
    act.witness = other;
    PinRequest asked{OperatorRequest{{}, badge, false, act}, "1", {}, other.empty() ? "" : "2"};
    return asked;
  }
  LoginTries::Tried begin(const Badge& badge, const Badge& other = Badge()) {
    const auto tried = tries.look(floor.state, suspend_by(badge, other), station, uptime);
    tries.begin(floor.state, tried, uptime);
    return tried;
  }
  void settle(const LoginTries::Tried& tried, Refusal refusal) {
    tries.settle(floor.state, tried, tried.badge, refusal, uptime);
  }
  bool waits(const Badge& badge, const Badge& other = Badge()) {
    const auto tried = tries.look(floor.state, suspend_by(badge, other), station, uptime);
    return tries.wait_of(floor.state, tried, uptime).has_value();
  }
  bool is_trusted(const Badge& badge) {
    return tries.of_persons().is_trusted_origin(badge, station, uptime);
  }
};

}  // namespace

TEST_CASE("a right PIN makes its origin a trusted one, and tries from there count no more") {
  Socket socket;
  const auto tried = socket.begin(person);
  CHECK(tried.is_untrusted);
  socket.settle(tried, Refusal::none);
  CHECK(socket.is_trusted(person));
  CHECK_FALSE(socket.begin(person).is_untrusted);
}

TEST_CASE("parallel tries count as wrong until they are settled") {
  Socket socket;
  for (unsigned at = 0; at < LoginThrottle::per_origin.free; ++at) {
    CHECK_FALSE(socket.waits(person));
    socket.begin(person);
  }
  CHECK(socket.waits(person));
}

TEST_CASE("wrong PINs wait and are counted; those that were not verified are neither") {
  for (const auto& [refusal, waits] : std::map<Refusal, bool>{{Refusal::pin_wrong, true},
                                                              {Refusal::too_many_requests, false},
                                                              {Refusal::not_the_writer, false}}) {
    Socket socket;
    for (unsigned at = 0; at < LoginThrottle::per_origin.free; ++at) {
      socket.settle(socket.begin(person), refusal);
    }
    CHECK_EQ(socket.waits(person), waits);
    CHECK_FALSE(socket.is_trusted(person));
    CHECK_EQ(socket.tries.of_persons().has_counts(), waits);
  }
}

TEST_CASE("PINs that are taken back count no more, the witness's neither") {
  Socket socket;
  for (int at = 0; at < 20; ++at) {
    const auto tried = socket.begin(person, witness);
    CHECK_EQ(tried.untrusted_witness, witness);
    socket.tries.take_back(socket.floor.state, tried);
  }
  CHECK_FALSE(socket.waits(person, witness));
}

TEST_CASE("the witness's PIN was right if the command was accepted") {
  Socket socket;
  socket.settle(socket.begin(person, witness), Refusal::none);
  CHECK(socket.is_trusted(person));
  CHECK(socket.is_trusted(witness));
}

TEST_CASE("a wrong PIN of the witness makes that person wait, and not the other") {
  Socket socket;
  for (unsigned at = 0; at < LoginThrottle::per_origin.free; ++at) {
    socket.settle(socket.begin(person, witness), Refusal::witness_not_signed);
  }
  CHECK_FALSE(socket.waits(person));
  CHECK(socket.waits(person, witness));
  CHECK_FALSE(socket.is_trusted(witness));
  CHECK((socket.tries.of_persons().take_counts() ==
         std::map<Badge, std::uint64_t>{{witness, LoginThrottle::per_origin.free}}));
}

TEST_CASE("if the requester's PIN is wrong, the witness's was not verified") {
  Socket socket;
  for (unsigned at = 0; at < LoginThrottle::per_origin.free; ++at) {
    socket.settle(socket.begin(person, witness), Refusal::pin_wrong);
  }
  CHECK_FALSE(socket.waits(witness));
  CHECK(socket.waits(person));
}

TEST_CASE("badges that no person has wait, and are not among the counts of persons") {
  Socket socket;
  for (unsigned at = 0; at < LoginThrottle::per_origin.free; ++at) {
    socket.settle(socket.begin(nobody), Refusal::pin_wrong);
  }
  CHECK(socket.waits(nobody));
  CHECK_FALSE(socket.tries.of_persons().has_counts());
}

}  // namespace linkmeter::login_tries_test
