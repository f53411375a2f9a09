#include "controller/accounting/claim_story.h"

#include <algorithm>
#include <variant>

#include "controller/moment_text.h"
#include "controller/money_text.h"
#include "controller/place_names.h"
#include "meters/claim.h"
#include "meters/hexadecimal.h"
#include "meters/settled.h"

namespace linkmeter {

// What each fact says of the claim.
struct ClaimSteps {
  ClaimStory& story;
  const Entry& entry;
  const Floor& floor;

  // What the entry says of awards, whatever kind of fact it holds.
  void settled_with() const {
    const Settled said = settled(entry);
    for (const Award& award : *said.awards) {
      if (award.claim != story.claim_) continue;
      story.raised_ = entry.number;
      const std::string table =
          entry.origin ? " at " + table_name(floor, entry.origin->table) : std::string();
      story.step(entry, "raised" + table + " seat " +
                            std::to_string(static_cast<int>(award.seat.value())) + ", round " +
                            said.round->text() + ": " + money_text(award.amount) + " for " +
                            award.line.text() + " on " + link_name(floor, award.link));
    }
    const bool is_alone = std::holds_alternative<ClaimRejected>(entry.fact);
    const bool is_rejected =
        std::find(said.rejected.begin(), said.rejected.end(), story.claim_) != said.rejected.end();
    if (is_alone || !is_rejected) return;
    story.step(entry, "rejected" + (said.by.empty() ? "" : " by " + said.by.text()) + ", " +
                          std::string(name(*said.why)) +
                          (said.note->empty() ? "" : ": " + *said.note));
  }
  void operator()(const ClaimValidated& validated) const {
    if (validated.claim != story.claim_) return;
    story.step(entry,
               "validated by " + validated.by.text() +
                   (validated.notified.empty() ? "" : "; notified: " + validated.notified.text()));
  }
  void operator()(const ClaimCountersigned& signed_too) const {
    if (signed_too.claim != story.claim_) return;
    story.step(entry, "countersigned by " + signed_too.by.text());
  }
  void operator()(const ClaimRejected& rejected) const {
    const std::vector<ClaimNumber>& undone = rejected.calls.undone;
    if (rejected.claim == story.claim_) {
      story.step(entry, "rejected by " + rejected.by.text() + ", " +
                            std::string(name(rejected.reason)) +
                            (rejected.note.empty() ? "" : ": " + rejected.note) +
                            (rejected.calls.deferred.empty()
                                 ? ""
                                 : "; what its call had put on the meter stays there while a later "
                                   "call stands"));
    } else if (std::find(undone.begin(), undone.end(), story.claim_) != undone.end()) {
      story.step(entry,
                 "no later call stands: what its call had put on the meter went back, with "
                 "the rejection of claim " +
                     std::to_string(rejected.claim.value()));
    }
  }
  void operator()(const ClaimPaid& paid) const {
    if (paid.claim != story.claim_) return;
    story.step(entry,
               "paid by " + paid.by.text() + ", " + std::string(name(paid.source)) +
                   (paid.slip == SlipNumber() ? std::string()
                                              : ", on slip " + std::to_string(paid.slip.value())));
  }
  void operator()(const SlipIssued& issued) const {
    if (issued.claim != story.claim_) return;
    story.slips_.push_back(issued.slip);
    story.step(entry, "slip " + std::to_string(issued.slip.value()) + " issued by " +
                          issued.by.text() + ": " + money_text(issued.amount));
  }
  void operator()(const SlipVoided& voided) const {
    if (!story.has(voided.slip)) return;
    story.step(entry, "slip " + std::to_string(voided.slip.value()) + " made void by " +
                          voided.by.text() + ", " + std::string(name(voided.reason)));
  }
  void operator()(const SlipStored& stored) const {
    if (!story.has(stored.slip)) return;
    story.step(entry, "slip " + std::to_string(stored.slip.value()) +
                          " is on the disk with SHA-256 " + hex(stored.digest));
  }
  template <class Other>
  void operator()(const Other&) const {}
};

bool ClaimStory::has(SlipNumber slip) const {
  return std::find(slips_.begin(), slips_.end(), slip) != slips_.end();
}

void ClaimStory::step(const Entry& entry, const std::string& what) {
  last_step_ = entry.number;
  lines_.push_back("claim " + std::to_string(claim_.value()) + " " + what + " (entry " +
                   std::to_string(entry.number.value()) + ", " + text(entry.recorded_at) + ")");
}

void ClaimStory::add(const Entry& entry, const Floor& floor) {
  const ClaimSteps steps{*this, entry, floor};
  steps.settled_with();
  std::visit(steps, entry.fact);
}

}  // namespace linkmeter
