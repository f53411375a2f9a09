// Keys of the house that two managers replace, and links that they resume together: what decide()
// refuses, and what happens to PINs.
#include "meters/facts/house_key.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "controller/store/audit.h"
#include "meters/values/limits.h"
#include "tests/support/controller_house.h"

namespace linkmeter::house_key_test {
namespace {

const std::string mark_a(limits::digest_bytes, 'a'), mark_b(limits::digest_bytes, 'b');

ReplaceKey pin_key(const std::string& key, const std::string& replaces = "") {
  return {KeyKind::pin, key, replaces, ""};
}

struct House : ControllerHouse {
  // The result: "none", or the refusal's name.
  std::string says(const char* badge, OperatorCommand act) {
    const auto turn = controller().turn({}, now, {{"peer", Badge(badge), true, std::move(act)}});
    return std::string(name(turn.refused.empty() ? Refusal::none : turn.refused[0].refusal));
  }
  std::string confirms(const char* badge) {
    return says(badge, Confirm{state().last_proposal(), summary(state().proposals().back().act)});
  }
};

}  // namespace

TEST_CASE("a key is replaced in its own format, signed by the key in force") {
  House house;
  CHECK_EQ(house.says("TGM-1", Propose{pin_key("")}), "key_not_made");
  CHECK_EQ(house.says("TGM-1", Propose{pin_key("short")}), "key_malformed");
  ReplaceKey of_pins = pin_key(mark_a);
  of_pins.signature = "a key that cannot sign";
  CHECK_EQ(house.says("TGM-1", Propose{of_pins}), "key_not_proved");
  for (const KeyKind kind : {KeyKind::seal, KeyKind::controller, KeyKind::operator_tool}) {
    CHECK_EQ(house.says("TGM-1", Propose{ReplaceKey{kind, "short", "", ""}}), "key_malformed");
  }
  const ReplaceKey unproved{KeyKind::journal, "a key", "", "a signature"};
  CHECK_EQ(house.says("TGM-1", Propose{unproved}), "key_not_proved");
  CHECK_EQ(house.says("TGM-1", Propose{pin_key(mark_a, mark_b)}), "key_outdated");
  CHECK_EQ(house.says("F-1", Propose{pin_key(mark_a)}), "right_missing");
  // Two proposals wait: the second one then replaces a key that is no longer in force.
  REQUIRE_EQ(house.says("TGM-1", Propose{ReplaceKey{KeyKind::journal, "one", "", ""}}), "none");
  const ProposalNumber first = house.state().last_proposal();
  const std::string words = summary(house.state().proposals().back().act);
  house.both(ReplaceKey{KeyKind::journal, "another", "", ""});
  CHECK_EQ(house.says("FM-1", Confirm{first, words}), "key_outdated");
  CHECK_EQ(house.state().keys().of(KeyKind::journal), "another");
  CHECK_EQ(house.says("TGM-1", Propose{ReplaceKey{KeyKind::journal, "another", "another", ""}}),
           "key_taken");
}

TEST_CASE("after a new PIN key everybody changes the PIN or has it reset") {
  House house;
  REQUIRE_EQ(house.says("FM-1", Propose{ResetPin{Badge("F-1"), "sealed before"}}), "none");
  const ProposalNumber sealed_before = house.state().last_proposal();
  const std::string words = summary(house.state().proposals().back().act);
  house.both(pin_key(mark_a));
  const HouseKeys& keys = house.state().keys();
  for (const auto& [badge, person] : house.state().people()) {
    CHECK_EQ(person.pin_set_by_other, !person.removed);
    CHECK_EQ(keys.before_pin_key.contains(badge), !person.removed);
  }
  CHECK_EQ(house.says("TGM-1", SuspendLink{LinkId("C4"), "a fault"}), "pin_to_be_changed");
  for (const char* badge : {"TGM-1", "FM-1"}) {
    REQUIRE_EQ(house.says(badge, ChangePin{"sealed anew"}), "none");
    CHECK_FALSE(keys.before_pin_key.contains(Badge(badge)));
  }
  // Its PIN was hashed with the previous key and would not match.
  CHECK_EQ(house.says("TGM-1", Confirm{sealed_before, words}), "pin_key_replaced");
  // Only one previous key is kept.
  CHECK_EQ(house.says("TGM-1", Propose{pin_key(mark_b, mark_a)}), "pins_to_be_changed");
  const std::vector<Badge> waiting(keys.before_pin_key.begin(), keys.before_pin_key.end());
  for (const Badge& badge : waiting) house.both(ResetPin{badge, "sealed anew"});
  CHECK(keys.before_pin_key.empty());
  CHECK_EQ(house.says("TGM-1", Propose{pin_key(mark_b, mark_a)}), "none");
  CHECK(audit_entries(house.journal()).is_clean());
}

TEST_CASE("links resumed together are those of the list, with the list's reasons") {
  House house;
  CHECK_EQ(house.says("TGM-1", Propose{ResumeLinks{}}), "link_not_suspended");
  REQUIRE_EQ(house.says("TGM-1", SuspendLink{LinkId("C4"), "the disk is full"}), "none");
  // The controller ignores the list in the request and makes its own.
  REQUIRE_EQ(house.says("TGM-1", Propose{ResumeLinks{{{LinkId("RIU"), "made up"}}, 7}}), "none");
  const auto proposed = [&] { return std::get<ResumeLinks>(house.state().proposals().back().act); };
  CHECK(proposed() == ResumeLinks{{{LinkId("C4"), "the disk is full"}}, 0});
  REQUIRE_EQ(house.says("FM-1", SuspendLink{LinkId("RIU"), "a sign is dark"}), "none");
  CHECK_EQ(house.confirms("FM-1"), "none");
  const auto reason = [&](const char* link) {
    return house.state().link(*house.state().floor().find_link(LinkId(link))).suspended;
  };
  CHECK_EQ(reason("C4"), "");
  CHECK_EQ(reason("RIU"), "a sign is dark");
}

TEST_CASE("a list that is too long for its summary is cut, and says so") {
  std::vector<ResumeLinks::Suspended> all;
  const std::string reason(limits::reason_length_max, 'r');
  for (std::size_t at = 0; at < limits::links_max; ++at) {
    std::string name = "L" + std::to_string(at);
    name.resize(limits::name_length_max, 'x');
    all.push_back({LinkId(name), reason + (at % 2 == 0 ? "" : std::to_string(at))});
  }
  const ResumeLinks cut = with_links(all);
  CHECK_GT(cut.links.size(), 10);
  CHECK_EQ(cut.links.size() + cut.others, limits::links_max);
  CHECK_LE(summary(DualControlCommand(cut)).size(), limits::summary_length_max);
  CHECK(summary(DualControlCommand(cut))
            .ends_with(std::to_string(cut.others) + " other links stay suspended"));
}

}  // namespace linkmeter::house_key_test
