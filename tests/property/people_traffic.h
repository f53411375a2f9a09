// PeopleTraffic: the acts of a floor's people, from a seed: claims judged and paid, links suspended
// and resumed, proposals confirmed in time and too late, sign-ins; mostly by people with the right,
// often by others.
//
// It reads the naive model to find useful acts; it does not predict their results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/property/dice.h"
#include "tests/property/naive_model.h"
#include "tests/property/timed_input.h"

namespace linkmeter {

class PeopleTraffic {
 public:
  explicit PeopleTraffic(Dice dice) : dice_(dice) {}

  // At `now`, or somewhat later: some confirmations wait for the last valid moment, or for the next
  // one.
  TimedInput next(const NaiveModel& model, Timestamp now);

 private:
  [[nodiscard]] Badge anybody(const NaiveModel& model);
  // At random a person with the role, if there is one.
  [[nodiscard]] Badge one_with(const NaiveModel& model, Role role);
  [[nodiscard]] Badge manager(const NaiveModel& model);
  [[nodiscard]] ClaimNumber claim(const NaiveModel& model);
  [[nodiscard]] PersonMessage claim_step(const NaiveModel& model);
  [[nodiscard]] PersonMessage slip_step(const NaiveModel& model, ClaimNumber number);
  [[nodiscard]] SlipNumber slip(const NaiveModel& model, ClaimNumber of);
  [[nodiscard]] PersonMessage correction(const NaiveModel& model);
  [[nodiscard]] PersonMessage dealer_correction(const NaiveModel& model);
  [[nodiscard]] PersonMessage pot_correction(const NaiveModel& model);
  [[nodiscard]] std::vector<Card> altered(std::vector<Card> cards);
  [[nodiscard]] std::vector<Card> other_cards(const NaiveTable& table, const NaiveShown& hand);
  [[nodiscard]] std::string note();
  [[nodiscard]] LinkId link(const NaiveModel& model);
  [[nodiscard]] LevelId level(const NaiveModel& model, const LinkId& link);
  [[nodiscard]] Amount amount(const NaiveModel& model, const LinkId& link, const LevelId& level);
  [[nodiscard]] std::set<Role> roles(Department department);
  [[nodiscard]] DualControlCommand dual_act(const NaiveModel& model);
  // Frozen, suspended or locked things should not stay so for ever.
  [[nodiscard]] std::optional<DualControlCommand> repair(const NaiveModel& model);
  [[nodiscard]] std::optional<DualControlCommand> ending(const NaiveModel& model);
  Amount movable(const NaiveModel& model, const LinkId& link, const LevelId& level);
  // What two managers do with a frozen table, or with suspended links.
  [[nodiscard]] DualControlCommand reopening(const NaiveModel& model, const LinkId& where);
  // Every suspended link, or those with the reason of one of them, or with any other reason.
  [[nodiscard]] DualControlCommand resume_links(const NaiveModel& model);
  [[nodiscard]] DualControlCommand enrol(const NaiveModel& model);
  [[nodiscard]] TableId table(const NaiveModel& model);
  // Any table, if none is frozen.
  [[nodiscard]] TableId a_frozen_table(const NaiveModel& model);
  [[nodiscard]] PersonMessage freeze(const NaiveModel& model);
  [[nodiscard]] EnrolmentKind some_kind();
  [[nodiscard]] std::string some_name(const NaiveModel& model, EnrolmentKind kind);
  [[nodiscard]] Person new_person();
  // The floor file in force with one or two changed terms of a link, or with one forbidden change;
  // or an altered chapter.
  [[nodiscard]] ChangeParameters parameters(const NaiveModel& model);
  [[nodiscard]] TimedInput confirm(const NaiveModel& model, Timestamp now);
  [[nodiscard]] SignIn sign_in(const NaiveModel& model);
  // A person whose PIN others have made changes it, or attempts the same act again.
  [[nodiscard]] std::optional<PersonMessage> first_pin(const NaiveModel& model);
  [[nodiscard]] PersonMessage proposal(const NaiveModel& model);

  Dice dice_;
  std::uint64_t added_ = 0;
  std::uint64_t keys_ = 0;
  std::uint64_t pins_ = 0;
  Badge busy_;  // makes one proposal after the other, this many times more:
  std::uint64_t busy_left_ = 0;
};

}  // namespace linkmeter
