#include "controller/turn/operator_reply.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "controller/view/display_names.h"
#include "meters/state/claim.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {
namespace {

std::string claim_text(ClaimNumber claim) { return "claim " + std::to_string(claim.value()); }
std::string slip_text(SlipNumber slip) { return "slip " + std::to_string(slip.value()); }

// Fills in the reply's fields for a fact. Facts that no person makes have no such fields.
struct ReplyBuilder {
  const Floor& floor;
  ControlReply& reply;

  void operator()(const ClaimValidated& validated) const {
    reply.text = claim_text(validated.claim) + " is validated" +
                 (validated.posts_notice ? "; pending adjustment is posted on the display" : "");
    if (!validated.notified.empty())
      reply.text += "; " + validated.notified.text() + " is notified";
    for (const Award& envy : validated.envy) {
      reply.text += ", envy of " + money_text(envy.amount) + " is due to seat " +
                    std::to_string(envy.seat.value());
    }
  }
  void operator()(const ClaimPaid& paid) const {
    reply.text = claim_text(paid.claim) + " is paid";
    if (paid.slip != SlipNumber()) reply.text += " on " + slip_text(paid.slip);
    reply.text += ": " + std::string(payment_source_text(paid.source));
    reply.slip = paid.slip;
  }
  void operator()(const ClaimCountersigned& countersigned) const {
    reply.text = claim_text(countersigned.claim) + " is countersigned";
  }
  void operator()(const SlipIssued& issued) const {
    reply.text = slip_text(issued.slip) + " is issued for " + claim_text(issued.claim) + ": " +
                 money_text(issued.amount) + ", " +
                 std::string(payment_source_text(issued.source)) +
                 (issued.taxable ? ", taxable" : "");
    reply.slip = issued.slip;
  }
  void operator()(const SlipVoided& voided) const {
    reply.text = slip_text(voided.slip) + " is void";
    reply.slip = voided.slip;
  }
  void operator()(const NoticePosted& notice) const {
    reply.text = "pending adjustment is " + std::string(notice.posted ? "posted" : "taken down") +
                 " on " + floor.link(notice.link).id.text();
  }
  void operator()(const ClaimRejected& rejected) const {
    reply.text = claim_text(rejected.claim) + " is rejected" +
                 (rejected.restored ? ", and the meter is restored as if it had not been hit"
                  : rejected.hits.deferred.empty()
                      ? ""
                      : "; its effect on the meter stays while a later win stands");
    for (const Award& award : rejected.reversed) {
      reply.text += ", envy of " + money_text(award.amount) + " to be taken back from seat " +
                    std::to_string(award.seat.value());
    }
    for (const Award& award : rejected.envy) {
      reply.text += ", envy of " + money_text(award.amount) + " is due to seat " +
                    std::to_string(award.seat.value());
    }
  }
  void operator()(const HandCorrected& corrected) const {
    const std::string seat = "seat " + std::to_string(corrected.seat.value()) + " in round " +
                             corrected.round.text() + " at " +
                             floor.table(corrected.table).id.text();
    reply.text = corrected.is_no_hand() ? seat + " has no hand; the dealer may show it again"
                                        : "the hand of " + seat + " is corrected";
    tell(corrected.reversed, corrected.rejected, corrected.awards);
  }
  void operator()(const DealerCorrected& corrected) const {
    reply.text = "the dealer's side of round " + corrected.round.text() + " at " +
                 floor.table(corrected.table).id.text() + " is corrected";
    tell(corrected.reversed, corrected.rejected, corrected.awards);
  }
  void operator()(const PotCorrected& corrected) const {
    reply.text = "pot " + corrected.round.text() + " at " + floor.table(corrected.table).id.text() +
                 " is corrected";
    tell({}, corrected.rejected, corrected.awards);
  }
  void tell(const std::vector<Award>& reversed, const RejectedClaims& rejected,
            const std::vector<Award>& awards) const {
    for (const Award& award : reversed) {
      reply.text += ", " + money_text(award.amount) + " to be taken back from seat " +
                    std::to_string(award.seat.value());
    }
    for (const ClaimNumber claim : rejected.claims) {
      reply.text += ", " + claim_text(claim) + " is rejected";
    }
    for (const Award& award : awards) {
      if (award.claim) reply.text += ", " + claim_text(*award.claim) + " is raised";
    }
  }
  void operator()(const ReadingTaken&) const { reply.text = "the reading is taken"; }
  void operator()(const CountRecorded& count) const {
    reply.text = money_text(count.amount) + " is recorded for " + text(count.day);
  }
  void operator()(const FundMoved& moved) const {
    reply.text = (moved.verified ? money_text(*moved.verified) + " of "
                                 : std::string("the uncounted boxes of ")) +
                 floor.link(moved.link).id.text() + " for " + text(moved.day) +
                 (moved.verified ? " is at the cage" : " are at the cage");
  }
  void operator()(const DisplayAdjusted& adjusted) const {
    reply.text = floor.link(adjusted.link).id.text() + " shows " + money_text(adjusted.shown) +
                 ", finance keeps " + money_text(adjusted.kept);
    if (adjusted.shown != adjusted.kept) reply.text += ": the day's report shows the difference";
  }
  void operator()(const VarianceExplained& explained) const {
    reply.text = explained.item + " of " + text(explained.day) + " is explained";
  }
  void operator()(const DaySigned& first) const {
    reply.text = "the report of " + text(first.day) + " is signed";
  }
  void operator()(const DayClosed& closed) const { reply.text = text(closed.day) + " is closed"; }
  void operator()(const LinkSuspended& suspended) const {
    reply.text = floor.link(suspended.link).id.text() + " is suspended";
  }
  void operator()(const TableFrozen& frozen) const {
    reply.text = "table " + floor.table(frozen.table).id.text() + " is frozen";
  }
  void operator()(const PinChanged&) const { reply.text = "the PIN is changed"; }
  void operator()(const ActProposed& proposed) const {
    reply.proposal = proposed.proposal;
    reply.summary = summary(proposed.act);
    reply.text = "proposal " + std::to_string(proposed.proposal.value()) + ": " + reply.summary;
  }
  void operator()(const ActConfirmed& confirmed) const {
    reply.proposal = confirmed.proposal;
    reply.summary = summary(confirmed.act);
    reply.text = "done: " + reply.summary;
  }
  void operator()(const CommandRejected& no) const {
    refuse(no.refusal);
    if (!no.about.empty()) reply.text += ": " + no.about;
  }
  void operator()(const SignInFailed&) const { refuse(Refusal::pin_wrong); }
  void operator()(const RecoveryFailed&) const { refuse(Refusal::recovery_codes_wrong); }
  void operator()(const Recovered& recovered) const {
    reply.text = recovered.badge.text() + " has a new PIN; every link is suspended";
  }
  template <class Other>
  void operator()(const Other&) const {}

  void refuse(Refusal refusal) const { reply = refusal_reply(refusal, reply.entry); }
};

}  // namespace

namespace {

// The names in a command, which may not exist on the floor.
struct CommandNames {
  std::vector<std::pair<LinkId, LevelId>> meters;  // a level may be empty
  std::vector<TableId> tables;
  std::string person, claim, slip, proposal, item;

  void operator()(const ValidateClaim& act) { of_claim(act.claim); }
  void operator()(const RejectClaim& act) { of_claim(act.claim); }
  void operator()(const CountersignClaim& act) { of_claim(act.claim); }
  void operator()(const IssueSlip& act) { of_claim(act.claim); }
  void operator()(const PayClaim& act) {
    of_claim(act.claim);
    slip = std::to_string(act.slip.value());
  }
  void operator()(const VoidSlip& act) { slip = std::to_string(act.slip.value()); }
  void operator()(const CorrectHand& act) { tables = {act.table}; }
  void operator()(const CorrectDealer& act) { tables = {act.table}; }
  void operator()(const CorrectPot& act) { tables = {act.table}; }
  void operator()(const FreezeTable& act) { tables = {act.table}; }
  void operator()(const SuspendLink& act) { of_link(act.link); }
  void operator()(const PostNotice& act) { of_link(act.link); }
  void operator()(const AdjustDisplay& act) { of_link(act.link); }
  void operator()(const TakeReading& act) {
    for (const TakeReading::Seen& seen : act.seen) meters.emplace_back(seen.link, seen.level);
  }
  void operator()(const RecordCount& act) {
    of_link(act.link);
    if (!act.table.empty()) tables = {act.table};
  }
  void operator()(const MoveFund& act) {
    of_link(act.link);
    tables = act.tables;
  }
  void operator()(const ExplainVariance& act) { item = act.item; }
  void operator()(const Confirm& act) { proposal = std::to_string(act.proposal.value()); }
  void operator()(const Propose& act) {
    std::visit([this](const auto& one) { (*this)(one); }, act.act);
  }
  void operator()(const ResumeLink& act) { of_link(act.link); }
  void operator()(const ResumeLinks& act) {
    for (const ResumeLinks::Suspended& one : act.links) of_link(one.link);
  }
  void operator()(const UnfreezeTable& act) { tables = {act.table}; }
  void operator()(const StopCollecting& act) { of_link(act.link); }
  void operator()(const CorrectMeter& act) { meters.emplace_back(act.link, act.level); }
  void operator()(const TransferMeter& act) {
    meters = {{act.from, act.from_level}, {act.to, act.to_level}};
  }
  void operator()(const Discontinue& act) {
    of_link(act.link);
    if (!act.to.empty()) meters.emplace_back(act.to, act.to_level);
  }
  void operator()(const AddPerson& act) { person = act.person.badge.text(); }
  void operator()(const RemovePerson& act) { person = act.badge.text(); }
  void operator()(const SetRoles& act) { person = act.badge.text(); }
  void operator()(const ResetPin& act) { person = act.badge.text(); }
  void operator()(const Enrol& act) { of_enrolled(act.enrolment.name); }
  void operator()(const Revoke& act) { of_enrolled(act.name); }
  template <class Other>
  void operator()(const Other&) {}

  void of_claim(ClaimNumber number) { claim = std::to_string(number.value()); }
  void of_link(const LinkId& link) { meters.emplace_back(link, LevelId()); }
  void of_enrolled(const std::string& name) {
    person = name;
    tables = {TableId(name)};
  }
};

bool has_level(const LinkConfig& link, const LevelId& level) {
  return level.empty() || level.text() == "reserve" ||
         std::any_of(link.levels.begin(), link.levels.end(),
                     [&level](const auto& one) { return one.id == level; });
}

std::string unknown_in(const CommandNames& named, Refusal refusal, const Floor& floor) {
  switch (refusal) {
    case Refusal::claim_unknown: return named.claim;
    case Refusal::slip_unknown: return named.slip;
    case Refusal::proposal_unknown: return named.proposal;
    case Refusal::item_unknown: return named.item;
    case Refusal::person_unknown:
    case Refusal::person_exists:
    case Refusal::not_enrolled: return named.person;
    case Refusal::table_unknown:
      for (const TableId& table : named.tables) {
        if (!floor.find_table(table)) return table.text();
      }
      return "";
    case Refusal::link_unknown:
      for (const auto& [link, level] : named.meters) {
        const auto place = floor.find_link(link);
        if (!place) return link.text();
        if (!has_level(floor.link(*place), level)) return link.text() + " " + level.text();
      }
      return "";
    default: return "";
  }
}

}  // namespace

void add_unknown_name(const OperatorCommand& act, const Floor& floor, ControlReply& reply) {
  if (reply.refusal == Refusal::none) return;
  CommandNames named;
  std::visit([&named](const auto& one) { named(one); }, act);
  const std::string unknown = unknown_in(named, reply.refusal, floor);
  if (!unknown.empty()) reply.text += ": " + sanitize_text(unknown, limits::name_length_max);
}

ControlReply refusal_reply(Refusal refusal, EntryNumber entry) {
  return ControlReply{refusal, entry, {}, {}, std::string(sentence(refusal)), {}};
}

ControlReply reply_to(const Entry& entry, const Floor& floor) {
  ControlReply reply;
  reply.entry = entry.number;
  std::visit(ReplyBuilder{floor, reply}, entry.fact);
  return reply;
}

}  // namespace linkmeter
