#include "meters/rules/decide_restoration.h"

#include <algorithm>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

template <class... Kinds, class Variant>
bool is_one_of(const Variant& said) {
  return (std::holds_alternative<Kinds>(said) || ...);
}

bool is_known(const State& state, const HistoryRestored& restored) {
  return std::any_of(state.restorations().begin(), state.restorations().end(),
                     [&](const Restoration& one) { return one.fact == restored; });
}

}  // namespace

const Restoration* waiting_restoration(const State& state) {
  const auto found = std::find_if(state.restorations().begin(), state.restorations().end(),
                                  [](const Restoration& one) { return !one.is_accepted(); });
  return found == state.restorations().end() ? nullptr : &*found;
}

const Restoration* find_restoration(const State& state, EntryNumber entry) {
  const auto found = std::find_if(state.restorations().begin(), state.restorations().end(),
                                  [entry](const Restoration& one) { return one.entry == entry; });
  return found == state.restorations().end() ? nullptr : &*found;
}

bool waits_for_acceptance(const OperatorCommand& act) {
  return is_one_of<ValidateClaim, RejectClaim, CountersignClaim, IssueSlip, VoidSlip, PayClaim,
                   PostNotice, CorrectHand, CorrectDealer, CorrectPot, SignDay, CloseDay,
                   AdjustDisplay>(act);
}

bool waits_for_acceptance(const DualControlCommand& act) {
  return is_one_of<ResumeLink, ResumeLinks, CorrectMeter, TransferMeter, ChangeParameters,
                   StopCollecting, Discontinue>(act);
}

bool waits_for_acceptance(const Fact& fact) {
  if (const auto* proposed = std::get_if<ActProposed>(&fact))
    return waits_for_acceptance(proposed->act);
  if (const auto* confirmed = std::get_if<ActConfirmed>(&fact))
    return waits_for_acceptance(confirmed->act);
  return is_one_of<ClaimValidated, ClaimRejected, ClaimCountersigned, SlipIssued, SlipVoided,
                   ClaimPaid, NoticePosted, HandCorrected, DealerCorrected, PotCorrected, DaySigned,
                   DayClosed, DisplayAdjusted>(fact);
}

bool is_held_by_restoration(const State& state, LinkIndex link) {
  return std::any_of(state.restorations().begin(), state.restorations().end(),
                     [&](const Restoration& one) {
                       return !one.is_accepted() &&
                              state.link(link).suspended == suspension_reason(one.entry, one.fact);
                     });
}

Decision decide_restored(const State& state, const HistoryRestored& restored, Timestamp now) {
  if (is_known(state, restored)) return Refusal::restoration_known;
  return next_entry(state, restored, now);
}

Refusal check_acceptance(const State& state, const AcceptHistory& accept) {
  if (!is_well_formed_note(accept.note)) return Refusal::name_malformed;
  const Restoration* restoration = find_restoration(state, accept.restored);
  if (restoration == nullptr) return Refusal::restoration_unknown;
  if (restoration->is_accepted()) return Refusal::restoration_accepted;
  AcceptHistory known = restoration->to_accept();
  known.note = accept.note;
  return known == accept ? Refusal::none : Refusal::restoration_unknown;
}

std::optional<std::string> restoration_violation(const State& state, const Entry& entry,
                                                 const HistoryRestored& restored) {
  if (entry.origin) return "the system's own step from a table";
  if (restored.ended_with == EntryNumber() || restored.ended_with >= entry.number) {
    return "it was restored up to an entry that is not before it";
  }
  if (is_known(state, restored)) return "it says a restoration a second time";
  // A backup holds all entries up to its end, including restorations.
  if (!state.restorations().empty() && state.restorations().back().entry > restored.ended_with) {
    return "it was restored up to an entry before another restoration of this journal";
  }
  return std::nullopt;
}

std::optional<std::string> restoration_violation(const State& state, const AcceptHistory& accept) {
  const Restoration* restoration = find_restoration(state, accept.restored);
  if (restoration == nullptr) return "it accepts a restoration that there was not";
  if (restoration->is_accepted()) return "it accepts a restoration a second time";
  AcceptHistory known = restoration->to_accept();
  known.note = accept.note;
  return known == accept ? std::nullopt
                         : std::optional<std::string>(
                               "it accepts another restoration than the "
                               "entry says");
}

}  // namespace linkmeter
