#include "meters/state/recovery.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "meters/rules/decide.h"
#include "meters/values/limits.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"
#include "tests/support/acting_house.h"

namespace linkmeter::recovery_test {
namespace {

constexpr std::int64_t minute = 60'000'000;

Digest code(int number) {
  Digest digest{};
  digest.fill(static_cast<std::uint8_t>(number));
  return digest;
}

// A house whose codes are 1, 2 and 3.
struct House : ActingHouse {
  House() {
    std::get<FloorOpened>(opening.fact).recovery_codes = {code(1), code(2), code(3)};
    state = State();
    state.apply(opening);
  }
  // "recovered", "recovery_failed", or the refusal without an entry.
  std::string recover(const std::vector<int>& numbers, const std::string& badge = "TGM-1",
                      Refusal new_pin = Refusal::none) {
    RecoveryTry asked{Badge(badge), "sealed", {}, new_pin};
    for (const int number : numbers) asked.codes.push_back(code(number));
    const Decision decision = decide(state, FloorRules(), asked, now);
    if (const auto* refusal = std::get_if<Refusal>(&decision)) return std::string(name(*refusal));
    const Entry& entry = std::get<Entry>(decision);
    CHECK_FALSE(validate_entry(state, entry).has_value());
    state.apply(entry);
    return std::string(name(entry.fact));
  }
  // Makes TGM-1's codes `first` and FM-1's codes `second`: "done", or the refusal.
  std::string make_codes(const std::vector<int>& first, const std::vector<int>& second) {
    NewRecoveryCodes made;
    for (const int number : first) made.codes.push_back(code(number));
    state.apply(asked("TGM-1", Propose{made}));
    Confirm confirm{state.last_proposal(), summary(DualControlCommand(made)), {}};
    for (const int number : second) confirm.codes.push_back(code(number));
    const Entry entry = asked("FM-1", confirm);
    CHECK_FALSE(validate_entry(state, entry).has_value());
    state.apply(entry);
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return std::string(no == nullptr ? "done" : name(no->refusal));
  }
  [[nodiscard]] std::string violation_of(Fact fact) const {
    return validate_entry(state,
                          Entry{state.last_entry().next(), now, std::nullopt, std::move(fact), {}})
        .value_or("fits");
  }
};

}  // namespace

TEST_CASE("two codes unlock a manager with a PIN that must be changed, and are used up") {
  House house;
  for (int at = 0; at < 5; ++at) {
    house.state.apply(std::get<Entry>(
        decide(house.state, FloorRules(), SignIn{Badge("TGM-1"), false}, house.now)));
  }
  REQUIRE(house.state.find_person(Badge("TGM-1"))->is_locked(house.now));
  CHECK_EQ(house.recover({3, 1}), "recovered");
  const Person& person = *house.state.find_person(Badge("TGM-1"));
  CHECK_FALSE(person.is_locked(house.now));
  CHECK(person.pin_set_by_other);
  CHECK_EQ(person.pin, "sealed");
  CHECK_EQ(person.failures, 0);
  // One code is left: it recovers nobody.
  CHECK_EQ(house.recover({2, 3}), "recovery_not_possible");
  CHECK_EQ(house.recover({2, 2}), "recovery_not_possible");
}

TEST_CASE("a recovery needs two different valid codes and an existing manager") {
  for (const std::vector<int>& wrong :
       std::vector<std::vector<int>>{{}, {1}, {1, 1}, {1, 9}, {8, 9}, {1, 2, 3}, {1, 2, 2}}) {
    CHECK_EQ(House().recover(wrong), "recovery_failed");
  }
  House house;
  CHECK_EQ(house.recover({1, 2}, "NOBODY"), "person_unknown");
  CHECK_EQ(house.recover({1, 2}, "F-1"), "right_missing");
  CHECK_EQ(house.recover({1, 2}, "TGM-1", Refusal::pin_too_simple), "pin_too_simple");
  CHECK_EQ(house.recover({1, 2}), "recovered");  // these attempts did not use up the codes
}

TEST_CASE("each wrong code is an entry and delays the next try longer, an hour at most") {
  House house;
  std::vector<std::int64_t> waits;
  for (int at = 0; at < 9; ++at) {
    CHECK_EQ(house.recover({8, 9}, at == 0 ? "NOBODY" : "TGM-1"), "recovery_failed");
    const EntryNumber last = house.state.last_entry();
    CHECK_EQ(house.recover({1, 2}), "recovery_waits");
    CHECK(house.state.last_entry() == last);
    const Timestamp until = house.state.recovery().wait_until;
    waits.push_back((until.microseconds() - house.now.microseconds()) / minute);
    house.now = until.after(-1);
    CHECK_EQ(house.recover({1, 2}), "recovery_waits");
    house.now = until;
  }
  CHECK((waits == std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 60, 60, 60}));
  CHECK_EQ(house.recover({1, 2}), "recovered");
  CHECK_EQ(house.state.recovery().failures, 0);
}

TEST_CASE("two managers make new codes, and the old ones are void") {
  House house;
  for (const std::vector<int>& wrong :
       std::vector<std::vector<int>>{{}, {7}, {7, 8}, {7, 8, 8}, {7, 8, 4}, {7, 8, 9, 10}}) {
    CHECK_EQ(house.make_codes({4, 5, 6}, wrong), "recovery_codes_missing");
  }
  CHECK_EQ(house.make_codes({4, 5, 6}, {7, 8, 9}), "done");
  CHECK_EQ(house.recover({1, 2}), "recovery_failed");
  house.now = house.now.after(minute);
  CHECK_EQ(house.recover({9, 4, 6, 7}), "recovered");
  CHECK((house.state.recovery().codes.size() == 6));
  CHECK_EQ(house.recover({5, 8, 4, 7}), "recovery_not_possible");
  const auto says = [&house](const std::vector<Digest>& codes) {
    const Entry entry = house.asked("FM-1", Propose{NewRecoveryCodes{codes}});
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return std::string(no == nullptr ? "proposed" : name(no->refusal));
  };
  CHECK_EQ(says({code(4), code(5)}), "name_malformed");
  CHECK_EQ(says({code(4), code(5), code(5)}), "name_malformed");
  CHECK_EQ(says({code(4), code(5), code(7)}), "proposed");
}

// TGM-1 makes codes, FM-1 confirms them, and TGM-1 uses them to become FM-1.
TEST_CASE(
    "a manager who made codes with another one cannot recover anybody without the other's codes") {
  for (const std::vector<int>& wrong : std::vector<std::vector<int>>{
           {4, 5}, {4, 5, 6}, {7, 8}, {4, 5, 6, 7}, {4, 7, 8, 9}, {4, 5, 7, 7}, {4, 7}}) {
    House house;
    REQUIRE_EQ(house.make_codes({4, 5, 6}, {7, 8, 9}), "done");
    CHECK_EQ(house.recover(wrong, "FM-1"), "recovery_failed");
  }
  House house;
  REQUIRE_EQ(house.make_codes({4, 5, 6}, {7, 8, 9}), "done");
  const Badge manager("FM-1");
  CHECK_EQ(house.violation_of(Recovered{manager, "p", {1, 2, 4, 5}}), "fits");
  for (const std::vector<std::uint32_t>& codes :
       std::vector<std::vector<std::uint32_t>>{{1, 2}, {1, 2, 3, 4}, {1, 4, 5, 6}, {4, 5}}) {
    CHECK_EQ(house.violation_of(Recovered{manager, "p", codes}),
             "a recovery by other than two codes of each who made them");
  }
  REQUIRE_EQ(house.recover({5, 6, 8, 7}, "FM-1"), "recovered");
  const std::vector<Row> rows = rows_of(house.state);
  CHECK(read_state(house.state.last_entry(), rows).state == house.state);
}

TEST_CASE("without recovery codes there is no recovery") {
  ActingHouse house;
  const RecoveryTry asked{Badge("TGM-1"), "sealed", {code(1), code(2)}, Refusal::none};
  CHECK(std::get<Refusal>(decide(house.state, FloorRules(), asked, house.now)) ==
        Refusal::recovery_not_possible);
  const Entry entry = house.asked("TGM-1", Recover{{code(1), code(2)}, "sealed"});
  CHECK(std::get<CommandRejected>(entry.fact).refusal == Refusal::not_here);
}

TEST_CASE("a recovery entry without two valid codes is invalid") {
  House house;
  const Badge manager("TGM-1");
  CHECK_EQ(house.violation_of(Recovered{manager, "p", {1, 2}}), "fits");
  for (const std::vector<std::uint32_t>& codes :
       std::vector<std::vector<std::uint32_t>>{{}, {1}, {1, 1}, {2, 1}, {1, 2, 3}}) {
    CHECK_EQ(house.violation_of(Recovered{manager, "p", codes}),
             "a recovery by other than two codes of each who made them");
  }
  for (const std::vector<std::uint32_t>& codes :
       std::vector<std::vector<std::uint32_t>>{{0, 1}, {3, 4}}) {
    CHECK_EQ(house.violation_of(Recovered{manager, "p", codes}),
             "a recovery by other than two codes of each who made them");
  }
  CHECK_EQ(house.violation_of(Recovered{Badge("X"), "p", {1, 2}}), "nobody has that badge");
  CHECK_EQ(house.violation_of(RecoveryFailed{Badge("X"), {}}), "nobody has that badge");
  CHECK_EQ(house.violation_of(RecoveryFailed{Badge(), {}}), "fits");
  CHECK_EQ(house.violation_of(PinsTried{{{Badge("X"), 1}}}), "nobody has that badge");
  REQUIRE_EQ(house.recover({1, 2}), "recovered");
  CHECK_EQ(house.violation_of(Recovered{manager, "p", {2, 3}}),
           "a recovery by a code that is not valid");
}

TEST_CASE("codes, locks and days are in the state's rows") {
  House house;
  const auto is_kept = [&house] {
    const std::vector<Row> rows = rows_of(house.state);
    return read_state(house.state.last_entry(), rows).state == house.state;
  };
  CHECK(is_kept());
  REQUIRE_EQ(house.recover({8, 9}), "recovery_failed");
  for (int at = 0; at < 5; ++at) {
    house.state.apply(
        std::get<Entry>(decide(house.state, FloorRules(), SignIn{Badge("F-1"), false}, house.now)));
  }
  CHECK(is_kept());
  house.now = house.now.after(minute);
  REQUIRE_EQ(house.recover({1, 2}), "recovered");
  CHECK(is_kept());
}

TEST_CASE("counts of PINs tried from untrusted origins are journaled for existing people") {
  House house;
  const PinsTried counted{{{Badge("F-1"), 3}, {Badge("X"), 9}, {Badge("F-2"), 0}}};
  const Entry entry = std::get<Entry>(decide(house.state, FloorRules(), counted, house.now));
  CHECK(std::get<PinsTried>(entry.fact) == PinsTried{{{Badge("F-1"), 3}}});
  CHECK(std::holds_alternative<Refusal>(
      decide(house.state, FloorRules(), PinsTried{{{Badge("X"), 9}}}, house.now)));
}

}  // namespace linkmeter::recovery_test
