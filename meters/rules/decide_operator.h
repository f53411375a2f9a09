// PersonDecision: what becomes of what a person asks, one short function per act. decide() calls it
// once it knows the person.
//
// Laws: a right that no role has is not had; what takes two persons is checked when it is proposed
// and again when it is confirmed, for in between the meters went on.
#pragma once

#include <optional>
#include <vector>

#include "meters/facts/operator_command.h"
#include "meters/facts/proposal.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/rules/decide_day.h"
#include "meters/rules/decide_parameters.h"
#include "meters/rules/decide_table.h"
#include "meters/rules/discontinuation.h"
#include "meters/rules/fund_decision.h"
#include "meters/rules/settlement.h"
#include "meters/state/state.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class PersonDecision {
 public:
  // `message`: what the edge knows of what he asks; `proposed`: as decide() takes it.
  PersonDecision(const State& state, const FloorRules& rules, const Person& person, Timestamp now,
                 const PersonMessage& message, const FloorRules* proposed)
      : state_(state),
        rules_(rules),
        person_(person),
        now_(now),
        message_(message),
        proposed_(proposed) {}

  Outcome operator()(const ValidateClaim& validate) const;
  Outcome operator()(const RejectClaim& reject) const;
  Outcome operator()(const CountersignClaim& countersign) const;
  Outcome operator()(const IssueSlip& issue) const;
  Outcome operator()(const VoidSlip& annul) const;
  Outcome operator()(const PayClaim& pay) const;
  Outcome operator()(const SuspendLink& suspend) const;
  Outcome operator()(const FreezeTable& freeze) const;
  Outcome operator()(const PostNotice& notice) const;
  Outcome operator()(const ChangePin& change) const;
  Outcome operator()(const CorrectHand& correct) const;
  Outcome operator()(const CorrectDealer& correct) const;
  Outcome operator()(const CorrectPot& correct) const;
  Outcome operator()(const MoveFund& move) const {
    return FundDecision(state_, person_, now_)(move);
  }
  Outcome operator()(const AdjustDisplay& adjust) const {
    return FundDecision(state_, person_, now_)(adjust, message_.is_witnessed);
  }
  // Codes stand for it, not a person's PIN (recovery.h).
  Outcome operator()(const Recover&) const { return refused(Refusal::not_here); }
  Outcome operator()(const Propose& propose) const;
  Outcome operator()(const Confirm& confirm) const;
  // What is said of gaming days.
  template <class DayAct>
  Outcome operator()(const DayAct& act) const {
    return DayDecision(state_, person_, now_, message_.finding, message_.shown,
                       message_.is_witnessed)(act);
  }

 private:
  // May this person validate or reject the claim? A Bad Beat of Poker is its supervisor's.
  [[nodiscard]] bool may_judge(const Claim& claim) const;
  // Is Envy for the hand due although the claim is rejected?
  [[nodiscard]] bool leaves_envy_due(const Claim& claim, RejectReason reason) const;
  [[nodiscard]] Refusal refuse_corrector(const Claim& claim) const;
  [[nodiscard]] Refusal refuse_notified(const Claim& claim, const Badge& notified) const;
  // Who issues the slip and who pays is neither of those who signed for the claim, nor one hand
  // with who validated it.
  [[nodiscard]] Refusal refuse_signer(const Claim& claim) const;
  // May this claim not be paid from there?
  [[nodiscard]] bool bars(const Claim& claim, PaymentSource source) const;
  // What is wrong with the slip that he would pay on.
  [[nodiscard]] Refusal refuse_slip(const PayClaim& pay) const;
  [[nodiscard]] std::optional<PoolRef> find(const LinkId& link, const LevelId& level) const {
    return find_meter(state_.floor(), link, level);
  }
  [[nodiscard]] Amount held(PoolRef place) const;
  // What is wrong with the PIN that the act sets.
  [[nodiscard]] Refusal refuse_pin(const std::string& pin) const;
  // Has this person room for one more proposal?
  [[nodiscard]] bool may_wait(const DualControlCommand& act) const;

  [[nodiscard]] Refusal refuse(const ResumeLink& resume) const;
  [[nodiscard]] Refusal refuse(const UnfreezeTable& unfreeze) const;
  [[nodiscard]] Refusal refuse(const CorrectMeter& correct) const;
  [[nodiscard]] Refusal refuse(const TransferMeter& transfer) const;
  [[nodiscard]] Refusal refuse(const AddPerson& add) const;
  [[nodiscard]] Refusal refuse(const RemovePerson& remove) const;
  [[nodiscard]] Refusal refuse(const SetRoles& set) const;
  [[nodiscard]] Refusal refuse(const ResetPin& reset) const;
  [[nodiscard]] Refusal refuse(const Enrol& enrol) const;
  [[nodiscard]] Refusal refuse(const Revoke& revoke) const;
  [[nodiscard]] Refusal refuse(const StopCollecting& stop) const;
  [[nodiscard]] Refusal refuse(const Discontinue& end) const;
  [[nodiscard]] Refusal refuse(const AcceptHistory& accept) const;
  [[nodiscard]] Refusal refuse(const ConfirmClock& confirm) const;
  // Said last: it waits until the system's clock is believed.
  [[nodiscard]] bool is_held_by_clock(const DualControlCommand& act) const;
  [[nodiscard]] Refusal refuse(const ReplaceKey& replace) const;
  [[nodiscard]] Refusal refuse(const ResumeLinks& resume) const;
  [[nodiscard]] static Refusal refuse(const NewRecoveryCodes& made);
  [[nodiscard]] static Refusal refuse(const ChangeParameters&) { return Refusal::none; }
  [[nodiscard]] Objection object_to(const DualControlCommand& act) const;
  // Would dual control still have somebody in both departments, if this person had these roles?
  [[nodiscard]] bool leaves_both_halves(const Badge& badge, const std::set<Role>& roles) const;

  // Of a correction or a transfer; of all else nothing.
  [[nodiscard]] Settlement settlement_of(const DualControlCommand& act) const;
  // Of these, and of an ending.
  [[nodiscard]] std::vector<Posting> postings_of(const DualControlCommand& act) const;

  const State& state_;
  const FloorRules& rules_;
  const Person& person_;
  Timestamp now_;
  const PersonMessage& message_;
  const FloorRules* proposed_;
};

// The right to validate and reject claims of that wager: a Bad Beat of Poker is its supervisor's.
Right judging_right(const WagerRules& wager);

// A note may be missing; if it is there, it is a text.
bool is_well_formed_note(const std::string& note);

// "reject_claim": what an CommandRejected calls the act.
std::string_view name(const OperatorCommand& act);

}  // namespace linkmeter
