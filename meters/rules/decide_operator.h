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
#include "meters/rules/decide_claim.h"
#include "meters/rules/decide_correction.h"
#include "meters/rules/decide_day.h"
#include "meters/rules/decide_parameters.h"
#include "meters/rules/discontinuation.h"
#include "meters/rules/outcome.h"
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

  Outcome operator()(const ValidateClaim& act) const { return decide_claim(act); }
  Outcome operator()(const RejectClaim& act) const { return decide_claim(act); }
  Outcome operator()(const CountersignClaim& act) const { return decide_claim(act); }
  Outcome operator()(const IssueSlip& act) const { return decide_claim(act); }
  Outcome operator()(const VoidSlip& act) const { return decide_claim(act); }
  Outcome operator()(const PayClaim& act) const { return decide_claim(act); }
  Outcome operator()(const SuspendLink& suspend) const;
  Outcome operator()(const FreezeTable& freeze) const;
  Outcome operator()(const PostNotice& notice) const;
  Outcome operator()(const ChangePin& change) const;
  Outcome operator()(const CorrectHand& act) const { return decide_correction(act); }
  Outcome operator()(const CorrectDealer& act) const { return decide_correction(act); }
  Outcome operator()(const CorrectPot& act) const { return decide_correction(act); }
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
  template <class ClaimAct>
  [[nodiscard]] Outcome decide_claim(const ClaimAct& act) const {
    return ClaimDecision(state_, rules_, person_, now_)(act);
  }
  template <class Correction>
  [[nodiscard]] Outcome decide_correction(const Correction& act) const {
    if (const Refusal no = check_correction(act.note, act.table, may_correct(act));
        no != Refusal::none) {
      return refused(no);
    }
    return CorrectionDecision(state_, rules_, *state_.floor().find_table(act.table), now_,
                              person_)(act);
  }
  [[nodiscard]] bool may_correct(const CorrectHand&) const {
    return person_.has(Right::correct_hands);
  }
  [[nodiscard]] bool may_correct(const CorrectDealer&) const {
    return person_.has(Right::correct_hands);
  }
  // The supervisor of a Bad Beat may correct the pots that they verify.
  [[nodiscard]] bool may_correct(const CorrectPot&) const {
    return person_.has(Right::correct_hands) || person_.has(Right::verify_bad_beats);
  }
  [[nodiscard]] Refusal check_correction(const std::string& note, const TableId& table,
                                         bool may) const;
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
  [[nodiscard]] Refusal refuse(const LeaveCluster& leave) const;
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
[[nodiscard]] Decision decide_recovery(const State& state, const RecoveryTry& attempt,
                                       Timestamp now);

// "reject_claim": the name of the command in a CommandRejected.
std::string_view name(const OperatorCommand& act);

}  // namespace linkmeter
