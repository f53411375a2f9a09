#include "meters/facts/entry.h"

namespace linkmeter {

namespace {

struct NameOf {
  std::string_view operator()(const FloorOpened&) const { return "floor_opened"; }
  std::string_view operator()(const RoundLocked&) const { return "round_locked"; }
  std::string_view operator()(const CountMismatched&) const { return "count_differed"; }
  std::string_view operator()(const CountResolved&) const { return "count_resolved"; }
  std::string_view operator()(const HandsShown&) const { return "hands_shown"; }
  std::string_view operator()(const RoundClosed&) const { return "round_closed"; }
  std::string_view operator()(const RoundVoided&) const { return "round_voided"; }
  std::string_view operator()(const PotPlayed&) const { return "pot_played"; }
  std::string_view operator()(const MessageRefused&) const { return "message_refused"; }
  std::string_view operator()(const ClaimValidated&) const { return "claim_validated"; }
  std::string_view operator()(const ClaimPaid&) const { return "claim_paid"; }
  std::string_view operator()(const ClaimRejected&) const { return "claim_rejected"; }
  std::string_view operator()(const LinkSuspended&) const { return "link_suspended"; }
  std::string_view operator()(const PinChanged&) const { return "pin_changed"; }
  std::string_view operator()(const SignedIn&) const { return "signed_in"; }
  std::string_view operator()(const SignInFailed&) const { return "sign_in_failed"; }
  std::string_view operator()(const ActProposed&) const { return "act_proposed"; }
  std::string_view operator()(const ActConfirmed&) const { return "act_confirmed"; }
  std::string_view operator()(const CommandRejected&) const { return "act_refused"; }
  std::string_view operator()(const SelfChecked&) const { return "self_checked"; }
  std::string_view operator()(const ClockChanged&) const { return "clock_changed"; }
  std::string_view operator()(const HeadSigned&) const { return "head_signed"; }
  std::string_view operator()(const ClaimCountersigned&) const { return "claim_countersigned"; }
  std::string_view operator()(const SlipIssued&) const { return "slip_issued"; }
  std::string_view operator()(const SlipVoided&) const { return "slip_voided"; }
  std::string_view operator()(const SlipStored&) const { return "slip_stored"; }
  std::string_view operator()(const NoticePosted&) const { return "notice_posted"; }
  std::string_view operator()(const HandCorrected&) const { return "hand_corrected"; }
  std::string_view operator()(const DayEnded&) const { return "day_ended"; }
  std::string_view operator()(const ReadingTaken&) const { return "reading_taken"; }
  std::string_view operator()(const CountersReported&) const { return "counters_told"; }
  std::string_view operator()(const CountRecorded&) const { return "count_recorded"; }
  std::string_view operator()(const VarianceExplained&) const { return "variance_explained"; }
  std::string_view operator()(const DaySigned&) const { return "day_signed"; }
  std::string_view operator()(const DayClosed&) const { return "day_closed"; }
  std::string_view operator()(const HistoryRestored&) const { return "history_restored"; }
  std::string_view operator()(const ClockDoubted&) const { return "clock_doubted"; }
  std::string_view operator()(const ClockReturned&) const { return "clock_returned"; }
  std::string_view operator()(const FundMoved&) const { return "fund_moved"; }
  std::string_view operator()(const DisplayAdjusted&) const { return "display_adjusted"; }
  std::string_view operator()(const TableFrozen&) const { return "table_frozen"; }
  std::string_view operator()(const HandVoided&) const { return "hand_voided"; }
  std::string_view operator()(const DealerCorrected&) const { return "dealer_corrected"; }
  std::string_view operator()(const PotCorrected&) const { return "pot_corrected"; }
  std::string_view operator()(const Recovered&) const { return "recovered"; }
  std::string_view operator()(const RecoveryFailed&) const { return "recovery_failed"; }
  std::string_view operator()(const PinsTried&) const { return "pins_tried"; }
};

}  // namespace

std::string_view name(const Fact& fact) { return std::visit(NameOf{}, fact); }

}  // namespace linkmeter
