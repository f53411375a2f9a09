#include "controller/accounting/export/entry_links.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meters/facts/settled.h"
#include "meters/values/number.h"

namespace linkmeter {
namespace {

// One overload for each kind of fact and act, and no default: a new kind does not compile until it
// is decided which links it is about.
class EntryLinks {
 public:
  EntryLinks(const Entry& entry, const State& state) : entry_(entry), state_(state) {
    for (const Posting& posting : entry.postings) found_.insert(posting.link);
    const Settled said = settled(entry);
    for (const JackpotHit& call : *said.calls) found_.insert(call.link);
    for (const auto* awards : {said.awards, said.envy_paid, said.reversed}) {
      for (const Award& award : *awards) found_.insert(award.link);
    }
    for (const auto* claims : {&said.rejected, &said.undone, &said.deferred}) {
      for (const ClaimNumber one : *claims) claim(one);
    }
    std::visit(*this, entry.fact);
  }
  [[nodiscard]] std::set<LinkIndex> found() const { return found_; }

  void operator()(const FloorOpened&) { every(); }

  void operator()(const RoundLocked& locked) { wagers(locked.wagers); }
  void operator()(const CountMismatched& differed) { wagers(differed.wagers); }
  void operator()(const CountResolved& resolved) { wagers(resolved.wagers); }
  void operator()(const PotPlayed& pot) { found_.insert(pot.link); }
  void operator()(const PotCorrected& pot) { found_.insert(pot.link); }
  void operator()(const HandsShown&) { origin(); }
  void operator()(const RoundClosed&) { origin(); }
  void operator()(const RoundVoided&) { origin(); }
  void operator()(const HandVoided&) { origin(); }
  void operator()(const MessageRefused&) { origin(); }
  void operator()(const HandCorrected& corrected) { table(corrected.table); }
  void operator()(const DealerCorrected& corrected) { table(corrected.table); }
  void operator()(const TableFrozen& frozen) { table(frozen.table); }

  void operator()(const ClaimValidated& validated) { claim(validated.claim); }
  void operator()(const ClaimPaid& paid) { claim(paid.claim); }
  void operator()(const ClaimRejected& rejected) { claim(rejected.claim); }
  void operator()(const ClaimCountersigned& countersigned) { claim(countersigned.claim); }
  void operator()(const SlipIssued& issued) { claim(issued.claim); }
  void operator()(const SlipVoided& voided) { slip(voided.slip); }
  void operator()(const SlipStored& stored) { slip(stored.slip); }

  void operator()(const LinkSuspended& suspended) { found_.insert(suspended.link); }
  void operator()(const NoticePosted& notice) { found_.insert(notice.link); }
  void operator()(const CountRecorded& count) { found_.insert(count.link); }
  void operator()(const FundMoved& moved) { found_.insert(moved.link); }
  void operator()(const DisplayAdjusted& adjusted) { found_.insert(adjusted.link); }
  void operator()(const CountersReported& told) {
    for (const LinkCount& count : told.told) found_.insert(count.link);
    for (const LinkCount& count : told.counted) found_.insert(count.link);
  }
  void operator()(const VarianceExplained& explained) { item(explained.item); }

  void operator()(const DayEnded&) { every(); }
  void operator()(const ReadingTaken&) { every(); }
  void operator()(const DaySigned&) { every(); }
  void operator()(const DayClosed&) { every(); }
  void operator()(const HistoryRestored&) { every(); }
  void operator()(const ClockDoubted&) { every(); }
  void operator()(const ClockReturned&) { every(); }

  void operator()(const ActProposed& proposed) { std::visit(*this, proposed.act); }
  void operator()(const ActConfirmed& confirmed) { std::visit(*this, confirmed.act); }
  void operator()(const CommandRejected& refused) {
    item(refused.about);
    named(refused.about.substr(0, refused.about.find(' ')));
  }

  void operator()(const PinChanged&) const {}
  void operator()(const SignedIn&) const {}
  void operator()(const SignInFailed&) const {}
  void operator()(const Recovered&) const {}
  void operator()(const RecoveryFailed&) const {}
  void operator()(const PinsTried&) const {}
  void operator()(const SelfChecked&) const {}
  void operator()(const ClockChanged&) const {}
  void operator()(const HeadSigned&) const {}

  void operator()(const ResumeLink& resume) { named(resume.link.text()); }
  void operator()(const ResumeLinks& resume) {
    for (const ResumeLinks::Suspended& one : resume.links) named(one.link.text());
  }
  void operator()(const CorrectMeter& correct) { named(correct.link.text()); }
  void operator()(const TransferMeter& transfer) {
    named(transfer.from.text());
    named(transfer.to.text());
  }
  void operator()(const StopCollecting& stop) { named(stop.link.text()); }
  void operator()(const Discontinue& end) {
    named(end.link.text());
    named(end.to.text());
  }
  void operator()(const UnfreezeTable& unfreeze) {
    if (const auto place = state_.find_table(unfreeze.table)) table(*place);
  }
  void operator()(const ChangeParameters& change) {
    for (const std::string& line : change.changes) changed(line.substr(0, line.find(' ')));
    if (change.changes.empty()) every();
  }
  void operator()(const AcceptHistory&) { every(); }
  void operator()(const ConfirmClock&) { every(); }
  void operator()(const AddPerson&) const {}
  void operator()(const RemovePerson&) const {}
  void operator()(const SetRoles&) const {}
  void operator()(const ResetPin&) const {}
  void operator()(const Enrol&) const {}
  void operator()(const Revoke&) const {}
  void operator()(const ReplaceKey&) const {}
  void operator()(const NewRecoveryCodes&) const {}

 private:
  // A house's links, and the tables of each, are those of entry 1 for ever.
  [[nodiscard]] const Floor& floor() const { return state_.floor(); }
  void every() {
    for (std::uint32_t at = 0; at < floor().links.size(); ++at) found_.emplace(at);
  }
  void table(TableIndex place) {
    for (const LinkIndex link : floor().links_of(place)) found_.insert(link);
  }
  void origin() {
    if (entry_.origin) table(entry_.origin->table);
  }
  void wagers(const std::vector<PlacedWager>& placed) {
    for (const PlacedWager& wager : placed) found_.insert(wager.link);
  }
  void claim(ClaimNumber number) {
    if (const Claim* const one = state_.find_claim(number)) found_.insert(one->link);
  }
  void slip(SlipNumber number) {
    if (const Slip* const one = state_.find_slip(number)) claim(one->claim);
  }
  bool named(const std::string& link) {
    const auto place = floor().find_link(LinkId(link));
    if (place) found_.insert(*place);
    return place.has_value();
  }
  // The first word of a line of changes.
  void changed(const std::string& subject) {
    const auto place = state_.find_table(TableId(subject));
    if (place) table(*place);
    if (!named(subject) && !place) every();
  }
  // An item of a day's report (day_variances.cc): "count/C4-MEGA/C4-01", "claim/4",
  // "counters/C4-01/C4-MEGA". A name may have slashes of its own.
  void item(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return;
    const std::string_view kind = text.substr(0, slash);
    const std::string_view rest = text.substr(slash + 1);
    const auto number = parse_number(rest);
    if (kind == "claim" && number) return claim(ClaimNumber(*number));
    for (std::uint32_t at = 0; at < floor().links.size(); ++at) {
      const std::string id = floor().links[at].id.text();
      const bool is_first = rest == id || rest.starts_with(id + "/");
      if (kind == "counters" ? rest.ends_with("/" + id) : is_first) found_.emplace(at);
    }
  }

  const Entry& entry_;
  const State& state_;
  std::set<LinkIndex> found_;
};

}  // namespace

std::set<LinkIndex> links_of(const Entry& entry, const State& state) {
  return EntryLinks(entry, state).found();
}

}  // namespace linkmeter
