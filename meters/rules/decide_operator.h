// OperatorDecision: decides the commands of persons, one function per command. decide() calls it
// after it has found the person.
//
// Laws: a right that no role of the person grants is refused. A command under dual control is
// checked when it is proposed and again when it is confirmed, because the meters move in between.
#pragma once

#include <optional>
#include <vector>

#include "meters/facts/operator_command.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/rules/decide_day.h"
#include "meters/rules/decide_parameters.h"
#include "meters/rules/decide_table.h"
#include "meters/rules/discontinuation.h"
#include "meters/rules/settlement.h"
#include "meters/state/state.h"
#include "meters/values/person.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

class OperatorDecision {
 public:
  // `message`: the command, and what the controller knows about it.
  OperatorDecision(const State& state, const FloorRules& rules, const Person& person, Timestamp now,
                   const PersonMessage& message)
      : state_(state), rules_(rules), person_(person), now_(now), message_(message) {}

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
  // Authorized by recovery codes, not by a person's PIN (recovery.h).
  Outcome operator()(const Recover&) const { return refused(Refusal::not_here); }
  Outcome operator()(const Propose& propose) const;
  Outcome operator()(const Confirm& confirm) const;
  // Commands about gaming days.
  template <class DayAct>
  Outcome operator()(const DayAct& act) const {
    return DayDecision(state_, person_, now_, message_.finding, message_.shown,
                       message_.is_witnessed)(act);
  }

 private:
  // Whether this person may validate or reject the claim. A Bad Beat of Poker belongs to its
  // supervisor.
  [[nodiscard]] bool may_judge(const Claim& claim) const;
  // Whether Envy for the hand is still due when the claim is rejected.
  [[nodiscard]] bool leaves_envy_due(const Claim& claim, RejectReason reason) const;
  [[nodiscard]] Refusal check_corrector(const Claim& claim) const;
  [[nodiscard]] Refusal check_notified(const Claim& claim, const Badge& notified) const;
  // A person who signed for the claim may neither issue its slip nor pay it, and neither may a
  // person who counts as one hand with the validator.
  [[nodiscard]] Refusal check_signer(const Claim& claim) const;
  // Whether the claim may not be paid from this source.
  [[nodiscard]] bool bars(const Claim& claim, PaymentSource source) const;
  // Why the claim cannot be paid on this slip.
  [[nodiscard]] Refusal check_slip(const PayClaim& pay) const;
  [[nodiscard]] std::optional<PoolRef> find(const LinkId& link, const LevelId& level) const {
    return find_meter(state_.floor(), link, level);
  }
  [[nodiscard]] Amount held(PoolRef place) const;
  // Why the new PIN is not acceptable.
  [[nodiscard]] Refusal check_pin(const std::string& pin) const;
  // Whether this person may add one more proposal.
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
  // Checked last: whether the command must wait until the system clock is trusted.
  [[nodiscard]] bool is_held_by_clock(const DualControlCommand& act) const;
  [[nodiscard]] Refusal refuse(const ReplaceKey& replace) const;
  [[nodiscard]] Refusal refuse(const ResumeLinks& resume) const;
  [[nodiscard]] static Refusal refuse(const NewRecoveryCodes& made);
  [[nodiscard]] static Refusal refuse(const ChangeParameters&) { return Refusal::none; }
  [[nodiscard]] Rejection check_item(const DualControlCommand& act) const;
  // Whether both departments would still have a person for dual control if this person had these
  // roles.
  [[nodiscard]] bool leaves_both_halves(const Badge& badge, const std::set<Role>& roles) const;

  // The settlement of a correction or a transfer; empty for other commands.
  [[nodiscard]] Settlement settlement_of(const DualControlCommand& act) const;
  // The postings of a correction, a transfer or a discontinuation.
  [[nodiscard]] std::vector<Posting> postings_of(const DualControlCommand& act) const;

  const State& state_;
  const FloorRules& rules_;
  const Person& person_;
  Timestamp now_;
  const PersonMessage& message_;
};

// For decide(): a recovery with codes.
[[nodiscard]] Decision decide_recovery(const State& state, const RecoveryTry& asked, Timestamp now);

// The right to validate and reject claims of that wager. A Bad Beat of Poker belongs to its
// supervisor.
Right judging_right(const WagerRules& wager);

// Whether the note is empty or a well-formed text.
bool is_well_formed_note(const std::string& note);

// "reject_claim": the name of the command in a CommandRejected.
std::string_view name(const OperatorCommand& act);

}  // namespace linkmeter
