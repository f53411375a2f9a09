#include "controller/accounting/evidence/claim_timeline.h"

#include <algorithm>
#include <variant>

#include "controller/view/display_names.h"
#include "meters/facts/settled.h"
#include "meters/state/claim.h"
#include "meters/values/amount.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"

namespace linkmeter {

// The steps of the claim in each kind of fact.
struct ClaimSteps {
  ClaimTimeline& timeline;
  const Entry& entry;
  const Floor& floor;

  // The awards and rejections of the entry, for every kind of fact.
  void settled_with() const {
    const Settled outcome = settled(entry);
    for (const Award& award : *outcome.awards) {
      if (award.claim != timeline.claim_) continue;
      timeline.raised_ = entry.number;
      timeline.hit_ = award_hit_of(award, *outcome.awards);
      const std::string table = outcome.table ? " at " + table_name(floor, *outcome.table) : "";
      timeline.step(entry, "raised" + table + " seat " +
                               std::to_string(static_cast<int>(award.seat.value())) + ", round " +
                               outcome.round->text() + ": " + money_text(award.amount) + " for " +
                               award.line.text() + " on " + link_name(floor, award.link));
    }
    if (has(outcome.rejected, timeline.claim_)) {
      timeline.step(entry,
                    "rejected" + (outcome.by.empty() ? "" : " by " + outcome.by.text()) + ", " +
                        std::string(name(*outcome.why)) +
                        (outcome.note->empty() ? "" : ": " + *outcome.note) +
                        (has(outcome.deferred, timeline.hit_)
                             ? "; what its call had put on the meter stays there while a later "
                               "call stands"
                             : ""));
    } else if (has(outcome.undone, timeline.hit_)) {
      std::string claims;
      for (const ClaimNumber claim : outcome.rejected) {
        claims += (claims.empty() ? "" : ", ") + std::to_string(claim.value());
      }
      timeline.step(entry,
                    "no later call stands: what its call had put on the meter went back, with the "
                    "rejection of claim " +
                        claims);
    }
  }
  static bool has(const std::vector<ClaimNumber>& claims, ClaimNumber wanted) {
    return std::find(claims.begin(), claims.end(), wanted) != claims.end();
  }
  // The hit that the award is a share of has the lowest number of its claims (hit_reversal.h).
  static ClaimNumber award_hit_of(const Award& share, const std::vector<Award>& awards) {
    ClaimNumber first = *share.claim;
    for (const Award& other : awards) {
      const bool is_shared = share.hit != 0 && other.hit == share.hit && other.claim;
      if (is_shared) first = std::min(first, *other.claim);
    }
    return first;
  }
  void operator()(const ClaimValidated& validated) const {
    if (validated.claim != timeline.claim_) return;
    timeline.step(
        entry, "validated by " + validated.by.text() +
                   (validated.notified.empty() ? "" : "; notified: " + validated.notified.text()));
  }
  void operator()(const ClaimCountersigned& signed_too) const {
    if (signed_too.claim != timeline.claim_) return;
    timeline.step(entry, "countersigned by " + signed_too.by.text());
  }
  void operator()(const ClaimPaid& paid) const {
    if (paid.claim != timeline.claim_) return;
    timeline.step(
        entry, "paid by " + paid.by.text() + ", " + std::string(name(paid.source)) +
                   (paid.slip == SlipNumber() ? std::string()
                                              : ", on slip " + std::to_string(paid.slip.value())));
  }
  void operator()(const SlipIssued& issued) const {
    if (issued.claim != timeline.claim_) return;
    timeline.slips_.push_back(issued.slip);
    timeline.step(entry, "slip " + std::to_string(issued.slip.value()) + " issued by " +
                             issued.by.text() + ": " + money_text(issued.amount));
  }
  void operator()(const SlipVoided& voided) const {
    if (!timeline.has(voided.slip)) return;
    timeline.step(entry, "slip " + std::to_string(voided.slip.value()) + " made void by " +
                             voided.by.text() + ", " + std::string(name(voided.reason)));
  }
  void operator()(const SlipStored& stored) const {
    if (!timeline.has(stored.slip)) return;
    timeline.step(entry, "slip " + std::to_string(stored.slip.value()) +
                             " is on the disk with SHA-256 " + hex(stored.digest));
  }
  template <class Other>
  void operator()(const Other&) const {}
};

bool ClaimTimeline::has(SlipNumber slip) const {
  return std::find(slips_.begin(), slips_.end(), slip) != slips_.end();
}

void ClaimTimeline::step(const Entry& entry, const std::string& what) {
  last_step_ = entry.number;
  lines_.push_back("claim " + std::to_string(claim_.value()) + " " + what + " (entry " +
                   std::to_string(entry.number.value()) + ", " + text(entry.recorded_at) + ")");
}

void ClaimTimeline::add(const Entry& entry, const Floor& floor) {
  const ClaimSteps steps{*this, entry, floor};
  steps.settled_with();
  std::visit(steps, entry.fact);
}

}  // namespace linkmeter
