// PersonDecision: what becomes of what a person asks, one short function per act. decide() calls it
// once it knows the person.
//
// Laws: a right that no role has is not had; what takes two persons is checked when it is proposed
// and again when it is confirmed, for in between the meters went on.
#pragma once

#include <optional>
#include <vector>

#include "meters/act.h"
#include "meters/floor.h"
#include "meters/parameters.h"
#include "meters/person.h"
#include "meters/proposal.h"
#include "meters/settlement.h"
#include "meters/state.h"
#include "meters/table_decision.h"
#include "meters/timestamp.h"

namespace linkmeter {

class PersonDecision {
 public:
  // `proposed`: as decide() takes it.
  PersonDecision(const State& state, const FloorRules& rules, const Person& person, Timestamp now,
                 const FloorRules* proposed = nullptr, bool key_is_systems_own = false)
      : state_(state),
        rules_(rules),
        person_(person),
        now_(now),
        proposed_(proposed),
        key_is_systems_own_(key_is_systems_own) {}

  Outcome operator()(const ValidateClaim& validate) const;
  Outcome operator()(const RejectClaim& reject) const;
  Outcome operator()(const CountersignClaim& countersign) const;
  Outcome operator()(const IssueSlip& issue) const;
  Outcome operator()(const VoidSlip& annul) const;
  Outcome operator()(const PayClaim& pay) const;
  Outcome operator()(const SuspendLink& suspend) const;
  Outcome operator()(const PostNotice& notice) const;
  Outcome operator()(const ChangePin& change) const;
  Outcome operator()(const CorrectHand& correct) const;
  Outcome operator()(const Propose& propose) const;
  Outcome operator()(const Confirm& confirm) const;

 private:
  // A level or the reserve, by name.
  struct Place {
    LinkPlace link;
    Pool pool;
  };

  // May this person validate or reject the claim? A Bad Beat of Poker is its supervisor's.
  [[nodiscard]] bool may_judge(const Claim& claim) const;
  [[nodiscard]] Refusal refuse_corrector(const Claim& claim) const;
  // Does the chapter bar payment of this claim from there?
  [[nodiscard]] bool bars(const Claim& claim, PaymentSource source) const;
  // What is wrong with the slip that he would pay on.
  [[nodiscard]] Refusal refuse_slip(const PayClaim& pay) const;
  [[nodiscard]] std::optional<Place> find(const LinkId& link, const LevelId& level) const;
  [[nodiscard]] Amount held(Place place) const;
  // Could a line ever pay what is there? A reserve that opens no meter pays nobody.
  [[nodiscard]] bool leads_to_a_line(Place place) const;
  [[nodiscard]] bool has_expired(const Proposal& proposal) const;
  // Has this person room for one more proposal?
  [[nodiscard]] bool may_wait(const DualAct& act) const;

  [[nodiscard]] Refusal refuse(const ResumeLink& resume) const;
  [[nodiscard]] Refusal refuse(const CorrectMeter& correct) const;
  [[nodiscard]] Refusal refuse(const TransferMeter& transfer) const;
  [[nodiscard]] Refusal refuse(const AddPerson& add) const;
  [[nodiscard]] Refusal refuse(const RemovePerson& remove) const;
  [[nodiscard]] Refusal refuse(const SetRoles& set) const;
  [[nodiscard]] Refusal refuse(const ResetPin& reset) const;
  [[nodiscard]] Refusal refuse(const Enrol& enrol) const;
  [[nodiscard]] Refusal refuse(const Revoke& revoke) const;
  [[nodiscard]] static Refusal refuse(const ChangeParameters&) { return Refusal::none; }
  [[nodiscard]] Objection object_to(const DualAct& act) const;
  // Would dual control still have somebody in both departments, if this person had these roles?
  [[nodiscard]] bool leaves_both_halves(const Badge& badge, const std::set<Role>& roles) const;

  // Of a correction or a transfer; of all else nothing.
  [[nodiscard]] Settlement settlement_of(const DualAct& act) const;

  const State& state_;
  const FloorRules& rules_;
  const Person& person_;
  Timestamp now_;
  const FloorRules* proposed_;
  bool key_is_systems_own_;
};

// A note may be missing; if it is there, it is a text.
bool is_well_formed_note(const std::string& note);

// "reject_claim": what an ActRefused calls the act.
std::string_view name(const Act& act);

}  // namespace linkmeter
