// NaiveModel::PersonMessageDecision: the result of a person's act. Rights are checked before the
// act itself; of several reasons the one with the lowest number is given (refusal.h).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/naive_model.h"

namespace linkmeter {

struct NaiveModel::PersonMessageDecision {
  NaiveModel& model;
  const std::string& by;
  const NaivePerson& person;
  Timestamp now;
  bool resolved;
  bool own_key;               // a key of the system itself, as the caller reports it
  const DayFinding* finding;  // the data from the edge; nullptr: none
  const ShownAmounts* shown;
  bool is_witnessed;  // the witness gave his PIN
  std::set<Refusal> no;
  Verdict verdict;

  void operator()(const ValidateClaim& validate);
  void operator()(const RejectClaim& reject);
  void operator()(const CountersignClaim& countersign);
  void operator()(const IssueSlip& issue);
  void operator()(const VoidSlip& annul);
  void operator()(const PayClaim& pay);
  void operator()(const PostNotice& notice);
  void operator()(const SuspendLink& suspend);
  void operator()(const ChangePin& change);
  void operator()(const CorrectHand& correct);
  void operator()(const CorrectDealer& correct);
  void operator()(const CorrectPot& correct);
  template <class Correction>
  void put_right(const Correction& correct);
  void operator()(const Propose& propose);
  void operator()(const Confirm& confirm);
  void operator()(const TakeReading& take);
  void operator()(const RecordCount& record);
  void operator()(const ExplainVariance& explain);
  void operator()(const SignDay& sign);
  void operator()(const CloseDay& close);
  // There is no traffic of these acts: they move no money, and fund_decision_test tests them.
  void operator()(const MoveFund&) { no.insert(Refusal::message_malformed); }
  void operator()(const AdjustDisplay&) { no.insert(Refusal::message_malformed); }
  void operator()(const FreezeTable& freeze);

  void check_notified(const NaiveClaim& claim, const std::string& badge);
  // It uses codes instead of a PIN: recovery_test tests it.
  void operator()(const Recover&) { no.insert(Refusal::not_here); }

  // A level of a link, or its reserve (level -1).
  struct Place {
    std::uint32_t link = 0;
    int level = -1;
  };

  void need(bool right) {
    if (!right) no.insert(Refusal::right_missing);
  }
  // For a day, the first reason in the order of the checks counts.
  void need_first(bool is_so, Refusal otherwise) {
    if (!is_so && no.empty()) no.insert(otherwise);
  }
  // nullptr, or the day is closed: the same.
  NaiveDay* find_day(GamingDay day);
  [[nodiscard]] bool may_witness(const NaivePerson& witness, CountKind kind) const;
  // nullptr, nullopt: it does not exist, and that is a reason.
  NaiveClaim* find_claim(ClaimNumber number);
  NaiveSlip* find_slip(SlipNumber number);
  // The slip on which the claim must be paid; nullptr: none, which is no reason.
  NaiveSlip* open_slip(const NaiveClaim& claim);
  // Whether one person could be using both badges.
  [[nodiscard]] bool may_be_one(const std::string& one, const std::string& other) const;
  void need_source(const NaiveClaim& claim, PaymentSource source);
  std::optional<std::uint32_t> find_link(const LinkId& id);
  std::optional<Place> find_place(const LinkId& id, const LevelId& level);
  NaivePerson* find_person(const Badge& badge);
  NaiveTable* find_table(const TableId& id);
  NaivePool& pool(Place place);
  [[nodiscard]] bool is_over(const NaiveProposal& proposal) const;
  // Nobody may have more than eight valid proposals, or two changes of parameters.
  void check_waiting(const DualControlCommand& act);
  // Whether it is a reserve without a meter: its money could never be paid out.
  [[nodiscard]] bool is_a_grave(Place place) const;
  // Whether a total of these links would leave its bounds.
  template <class Moved>
  void check_room(const Moved& act, const std::vector<Place>& places);

  // The links that take no wagers for a reason with this beginning, with their reasons.
  [[nodiscard]] std::vector<ResumeLinks::Suspended> stopped_links(const std::string& cause) const;
  // Whether a wager on the link waits for its hand.
  [[nodiscard]] bool waits(std::uint32_t link) const;
  // A transfer from link to link; nullopt: to no link.
  void check_way(std::uint32_t from, std::optional<std::uint32_t> to);
  [[nodiscard]] std::pair<Exact, Exact> of_players(std::uint32_t link) const;

  // Whether this person may judge the claim: only a supervisor may for a Bad Beat of Poker.
  void need_others(const std::set<std::string>& doers);
  void need_judge(const NaiveClaim* claim);
  void need_payer(const NaiveClaim& claim);
  void check_note(const std::string& note);
  void check_pin(const std::string& pin);
  void check_amount(Amount amount);
  // Both departments must still have a manager without this person, or with these roles of his.
  void check_halves(const std::string& badge, const std::set<Role>& roles);

  void check(const ResumeLink& act);
  void check(const UnfreezeTable& act);
  void check(const CorrectMeter& act);
  void check(const TransferMeter& act);
  void check(const StopCollecting& act);
  void check(const Discontinue& act);
  void check(const AddPerson& act);
  void check(const RemovePerson& act);
  void check(const SetRoles& act);
  void check(const ResetPin& act);
  void check(const Enrol& act);
  void check(const Revoke& act);
  void check(const ChangeParameters& act);
  void check(const ConfirmClock& act);
  void check(const ResumeLinks& act);
  // The traffic makes no valid keys.
  void check(const ReplaceKey&) { no.insert(Refusal::key_malformed); }
  void check(const NewRecoveryCodes& act);
  // The traffic has no cluster.
  void check(const LeaveCluster&) { no.insert(Refusal::leave_not_possible); }
  void check(const AcceptHistory&) { no.insert(Refusal::restoration_unknown); }  // there is none
  void check_link(std::uint32_t link, const LinkConfig& after);

  void perform(const ResumeLink& act);
  void perform(const UnfreezeTable& act);
  void perform(const CorrectMeter& act);
  void perform(const TransferMeter& act);
  void perform(const StopCollecting& act);
  void perform(const Discontinue& act);
  void perform(const AddPerson& act);
  void perform(const RemovePerson& act);
  void perform(const SetRoles& act);
  void perform(const ResetPin& act);
  void perform(const Enrol& act);
  void perform(const Revoke& act);
  void perform(const ChangeParameters& act);
  void perform(const ResumeLinks& act);
  void perform(const ReplaceKey&) {}
  void perform(const NewRecoveryCodes&) {}  // no sign-in and no meter depends on them
  void perform(const AcceptHistory&) {}
  void perform(const LeaveCluster&) {}
  void perform(const ConfirmClock& act);

  // The links that it changes; a line for every term and rule, before and after, and one for each
  // chapter whose text differs.
  [[nodiscard]] std::vector<std::uint32_t> changed_by(const ChangeParameters& act) const;
  [[nodiscard]] std::vector<std::string> chapter_lines_of(const ChangeParameters& act) const;
  [[nodiscard]] std::vector<std::string> lines_of(const ChangeParameters& act) const;
};

// The last check.
template <class Moved>
void NaiveModel::PersonMessageDecision::check_room(const Moved& act,
                                                   const std::vector<Place>& places) {
  if (!no.empty()) return;
  const std::vector<NaiveBook> before = model.books_;
  perform(act);
  for (const Place& place : places) {
    if (model.books_[place.link].is_too_full()) no.insert(Refusal::meter_full);
  }
  model.books_ = before;
}

}  // namespace linkmeter
