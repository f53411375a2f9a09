// Requests with names or figures that do not exist: each is refused by its name, and no part of it
// can be proposed or done.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "meters/rules/decide_parameters.h"
#include "meters/values/limits.h"
#include "tests/support/mixed_floor.h"

namespace linkmeter::refused_acts_test {
namespace {

const LinkId riu("RIU"), c4("C4");
const LevelId main_level("main"), mega("mega"), reserve("reserve");
const std::string long_note(limits::reason_length_max + 1, 'n');
const std::string long_pin(limits::pin_bytes_max + 1, 'p');
const std::string key(40, 'k');
const Amount cent = Amount::cents(1);

struct House : MixedFloor {
  [[nodiscard]] std::string says(const std::string& badge, const OperatorCommand& act) const {
    const Entry entry = decided(badge, act);
    const auto* no = std::get_if<CommandRejected>(&entry.fact);
    return std::string(name(no == nullptr ? Refusal::none : no->refusal));
  }
  [[nodiscard]] std::string proposes(const DualControlCommand& act,
                                     const char* badge = "TGM-1") const {
    return says(badge, Propose{act});
  }
  [[nodiscard]] std::string corrects(Amount amount, const std::string& note = "") const {
    return proposes(CorrectMeter{c4, reserve, amount, CorrectionReason::count_variance, note});
  }
  [[nodiscard]] std::string moves(const LinkId& from, const LinkId& to, Amount amount,
                                  const std::string& note = "") const {
    return proposes(
        TransferMeter{from, reserve, to, reserve, amount, TransferReason::merged, note});
  }
};

}  // namespace

TEST_CASE("corrections need a valid amount, and transfers one above zero") {
  House house;
  CHECK_EQ(house.corrects(cent), "none");
  CHECK_EQ(house.corrects(limits::amount_max), "none");
  CHECK_EQ(house.corrects(Amount()), "amount_out_of_range");
  CHECK_EQ(house.corrects(limits::amount_max + Amount::from_units(1)), "amount_out_of_range");
  CHECK_EQ(house.corrects(-limits::amount_max - Amount::from_units(1)), "amount_out_of_range");
  CHECK_EQ(house.corrects(-limits::amount_max), "below_zero");
  CHECK_EQ(house.corrects(cent, long_note), "name_malformed");
  CHECK_EQ(house.moves(c4, riu, Amount()), "amount_out_of_range");
  CHECK_EQ(house.moves(c4, riu, -cent), "amount_out_of_range");
  CHECK_EQ(house.moves(c4, riu, limits::amount_max + Amount::from_units(1)), "amount_out_of_range");
  CHECK_EQ(house.moves(c4, riu, cent, long_note), "name_malformed");
  CHECK_EQ(house.moves(LinkId("NONE"), riu, cent), "link_unknown");
  CHECK_EQ(house.moves(c4, LinkId("NONE"), cent), "link_unknown");
}

TEST_CASE("a person needs a badge, a PIN, a unique name and a role") {
  House house;
  const auto hires = [&house](const char* badge, const std::string& pin, const std::string& called,
                              std::set<Role> roles = {Role::cashier}) {
    Person person = person_of(badge, Department::finance, std::move(roles));
    person.pin = pin;
    person.name = called;
    return house.proposes(AddPerson{person});
  };
  CHECK_EQ(hires("C-9", "pin", "Somebody"), "none");
  CHECK_EQ(hires("C 9", "pin", "Somebody"), "name_malformed");
  CHECK_EQ(hires("C-9", "", "Somebody"), "name_malformed");
  CHECK_EQ(hires("C-9", long_pin, "Somebody"), "name_malformed");
  CHECK_EQ(hires("C-9", "pin", ""), "name_malformed");
  CHECK_EQ(hires("C-9", "pin", std::string(65, 'n')), "name_malformed");
  CHECK_EQ(hires("C-1", "pin", "Somebody"), "person_exists");
  CHECK_EQ(hires("C-9", "pin", "Somebody", {}), "roles_conflict");
  CHECK_EQ(house.proposes(RemovePerson{Badge("C-9")}), "person_unknown");
  CHECK_EQ(house.proposes(SetRoles{Badge("C-9"), {Role::cashier}}), "person_unknown");
  CHECK_EQ(house.proposes(ResetPin{Badge("C-9"), "pin"}), "person_unknown");
  CHECK_EQ(house.proposes(ResetPin{Badge("C-1"), ""}), "name_malformed");
  CHECK_EQ(house.proposes(ResetPin{Badge("C-1"), long_pin}), "name_malformed");
  CHECK_EQ(house.proposes(ResetPin{Badge("C-1"), "pin"}), "none");
  CHECK_EQ(house.says("C-1", ChangePin{""}), "name_malformed");
  CHECK_EQ(house.says("C-1", ChangePin{"pin"}), "none");
}

TEST_CASE("enrolled keys have a name and 40 letters of Z85, and their number is bounded") {
  House house;
  const auto enrols = [&house](const std::string& called, const std::string& of) {
    return house.proposes(Enrol{{EnrolmentKind::viewer, called, of}}, "E-1");
  };
  CHECK_EQ(enrols("sign-1", key), "none");
  CHECK_EQ(enrols("sign 1", key), "name_malformed");
  CHECK_EQ(enrols("sign-1", key.substr(1)), "key_malformed");
  CHECK_EQ(enrols("sign-1", key.substr(1) + "~"), "key_malformed");
  CHECK_EQ(house.proposes(Enrol{{EnrolmentKind::table, "NONE", key}}, "E-1"), "table_unknown");
  // At the maximum, a new name is refused; a new key for a known name is not.
  FloorOpened opened = std::get<FloorOpened>(house.opening.fact);
  for (std::size_t at = opened.enrolments.size(); at < limits::enrolments_max; ++at) {
    std::string other = std::to_string(at);
    other.insert(0, 40 - other.size(), 'm');
    opened.enrolments.push_back({EnrolmentKind::viewer, "v" + std::to_string(at), other});
  }
  house.state = State();
  house.state.apply(open_floor(opened, Timestamp::from_microseconds(1'000'000)));
  CHECK_EQ(enrols("sign-1", key), "key_taken");
  CHECK_EQ(enrols("v" + std::to_string(limits::enrolments_max - 1), key), "none");
}

TEST_CASE("a node's key is no table's and no viewer's, and nodes are few") {
  House house;
  const auto enrols = [&house](EnrolmentKind kind, const std::string& called,
                               const std::string& of) {
    return house.proposes(Enrol{{kind, called, of}}, "E-1");
  };
  const std::string of_table = house.state.enrolments().find(EnrolmentKind::table, "C4-01")->key;
  CHECK_EQ(enrols(EnrolmentKind::node, "a", key), "none");
  CHECK_EQ(enrols(EnrolmentKind::node, "a b", key), "name_malformed");
  CHECK_EQ(enrols(EnrolmentKind::node, "a", key.substr(1)), "key_malformed");
  CHECK_EQ(enrols(EnrolmentKind::node, "a", of_table), "key_taken");
  CHECK_EQ(house.proposes(Revoke{EnrolmentKind::node, "a"}, "E-1"), "not_enrolled");
  CHECK_EQ(house.proposes(Enrol{{EnrolmentKind::node, "a", key}}, "C-1"), "right_missing");
  FloorOpened opened = std::get<FloorOpened>(house.opening.fact);
  for (std::size_t at = 0; at < limits::nodes_max; ++at) {
    const std::string name = "n" + std::to_string(at);
    opened.enrolments.push_back({EnrolmentKind::node, name, key_of(name)});
  }
  house.state = State();
  house.state.apply(open_floor(opened, Timestamp::from_microseconds(1'000'000)));
  CHECK_EQ(enrols(EnrolmentKind::node, "a", key), "nodes_too_many");
  CHECK_EQ(enrols(EnrolmentKind::node, "n0", key), "none");  // a new key
  CHECK_EQ(enrols(EnrolmentKind::table, "C4-01", key_of("n0")), "key_taken");
  CHECK_EQ(enrols(EnrolmentKind::viewer, "sign-1", key_of("n0")), "key_taken");
  CHECK_EQ(house.proposes(Revoke{EnrolmentKind::node, "n0"}, "E-1"), "none");
}

TEST_CASE("a proposal is confirmed by a person who may propose it, while its proposer still may") {
  House house;
  house.take("FM-1", SuspendLink{c4, "a new reading"});
  const DualControlCommand resume = ResumeLink{c4};
  house.take("TGM-1", Propose{resume});
  const Confirm confirm{house.state.last_proposal(), summary(house.state.proposals().back().act)};
  CHECK_EQ(house.says("FM-1", confirm), "none");
  // May confirm an enrolment, but no other act.
  CHECK_EQ(house.says("E-1", confirm), "right_missing");
  CHECK_EQ(house.says("F-1", confirm), "right_missing");
  // The first person is locked out before the second confirms.
  for (std::uint32_t failed = 0; failed < limits::sign_in_failures_max; ++failed) {
    house.state.apply(Entry{house.state.last_entry().next(),
                            {},
                            std::nullopt,
                            SignInFailed{Badge("TGM-1"), until_new_pin},
                            {}});
  }
  CHECK_EQ(house.says("FM-1", confirm), "right_missing");
}

TEST_CASE(
    "a discontinuation needs an existing link and a receiving meter that collects and can be won") {
  House house;
  const LinkId none("NONE");
  CHECK_EQ(house.proposes(StopCollecting{none, ""}), "link_unknown");
  CHECK_EQ(house.proposes(StopCollecting{riu, long_note}), "name_malformed");
  CHECK_EQ(house.proposes(Discontinue{none, c4, mega, ""}), "link_unknown");
  CHECK_EQ(house.proposes(Discontinue{riu, c4, mega, long_note}), "name_malformed");
  CHECK_EQ(house.proposes(Discontinue{riu, none, mega, ""}), "link_unknown");
  CHECK_EQ(house.proposes(Discontinue{riu, c4, LevelId("none"), ""}), "link_unknown");
  // A reserve cannot open a meter where nothing wins: a link of fixed awards has no reserve.
  CHECK_EQ(house.proposes(Discontinue{riu, LinkId("FORTUNE"), reserve, ""}), "link_unknown");
  const auto stop = [&house](const LinkId& link) {
    const StopCollecting act{link, ""};
    house.take("TGM-1", Propose{act});
    house.take("FM-1", Confirm{house.state.last_proposal(), summary(act)});
  };
  stop(riu);
  CHECK_EQ(house.proposes(StopCollecting{riu, ""}), "collecting_ended");
  // An open claim of another link does not block it.
  house.take("C4-01", lock_of("r1", {five_card(2)}));
  house.take("C4-01", royal_flush_of("r1", 2));
  CHECK_EQ(house.proposes(Discontinue{riu, c4, mega, ""}), "none");
  stop(c4);
  CHECK_EQ(house.proposes(Discontinue{riu, c4, mega, ""}), "collecting_ended");
}

// Rules may change between a slip and its payment: a source that is barred then cannot pay it.
TEST_CASE("a claim is not paid from a source that its wager no longer allows") {
  House house;
  house.take("C4-01", lock_of("r1", {five_card(2)}));
  house.take("C4-01", royal_flush_of("r1", 2));
  house.take("F-1", ValidateClaim{ClaimNumber(1)});
  house.take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
  const PayClaim pay{ClaimNumber(1), PaymentSource::hand_pay, SlipNumber(1)};
  CHECK_EQ(house.says("C-1", pay), "none");
  house.file.rules.links[1].wager.meter_award_not_from = {PaymentSource::hand_pay};
  CHECK_EQ(house.says("C-1", pay), "source_not_allowed");
}

}  // namespace linkmeter::refused_acts_test
