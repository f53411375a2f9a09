#include "controller/accounting/evidence/bundle_bounds.h"

#include <algorithm>
#include <variant>

#include "meters/facts/settled.h"

namespace linkmeter {

void BundleBounds::add(const Entry& entry, const Floor& floor) {
  if (!first_) first_ = entry.number;
  if (const auto* ended = std::get_if<DayEnded>(&entry.fact)) {
    if (!first_ended_) first_ended_ = ended->day;
    last_ended_ = entry.number;
  }
  if (day_) add_for_day(entry);
  if (claim_) add_for_claim(entry, floor);
}

void BundleBounds::add_for_day(const Entry& entry) {
  const auto* ended = std::get_if<DayEnded>(&entry.fact);
  const auto* is_signed = std::get_if<DaySigned>(&entry.fact);
  const auto* closed = std::get_if<DayClosed>(&entry.fact);
  if ((ended != nullptr && ended->day == *day_) ||
      (is_signed != nullptr && is_signed->day == *day_)) {
    last_of_day_ = entry.number;
  } else if (closed != nullptr && closed->day == *day_) {
    last_of_day_ = entry.number;
    is_closed_ = true;
  }
}

void BundleBounds::add_for_claim(const Entry& entry, const Floor& floor) {
  const std::optional<TableIndex> table =
      entry.origin ? std::optional(entry.origin->table) : std::nullopt;
  if (table && entry.number == first_) {
    if (const auto* pot = std::get_if<PotPlayed>(&entry.fact)) {
      played_first_ = Round{*table, pot->round};
    } else if (const auto* locked = std::get_if<RoundLocked>(&entry.fact)) {
      locked_first_ = Round{*table, locked->round};
    } else if (const auto* differed = std::get_if<CountMismatched>(&entry.fact)) {
      locked_first_ = Round{*table, differed->round};
    }
  }
  const Settled said = settled(entry);
  if (said.table) note_raised(*said.awards, {*said.table, *said.round}, floor);
  if (const auto* paid = std::get_if<ClaimPaid>(&entry.fact)) {
    is_settled_ = is_settled_ || paid->claim == *claim_;
  }
  is_settled_ = is_settled_ || std::find(said.rejected.begin(), said.rejected.end(), *claim_) !=
                                   said.rejected.end();
}

void BundleBounds::note_raised(const std::vector<Award>& awards, const Round& round,
                               const Floor& floor) {
  const auto award = std::find_if(awards.begin(), awards.end(),
                                  [this](const Award& one) { return one.claim == *claim_; });
  if (award == awards.end()) return;
  raised_ = round;
  const std::size_t link = award->link.value();
  is_of_pot_ = link < floor.links.size() && floor.links[link].pot.has_value();
}

BundleBounds::Finding BundleBounds::hold(const Segment& run, bool ends_day_before,
                                         const Head& made_at) const {
  Finding found;
  if (claim_.has_value() == day_.has_value()) {
    found.wrong.emplace_back("it is not said of which one claim or gaming day it is");
  } else if (day_) {
    hold_day(run, ends_day_before, found);
  } else {
    hold_claim(run, made_at, found);
  }
  return found;
}

void BundleBounds::hold_day(const Segment& run, bool ends_day_before, Finding& found) const {
  const std::string day = "the gaming day " + text(*day_);
  if (!first_ended_) {
    found.wrong.push_back(day + " does not end in it");
  } else if (*first_ended_ != *day_) {
    found.wrong.push_back("the first gaming day that ends in it is " + text(*first_ended_) +
                          ", not " + text(*day_));
  }
  if (run.before.entry != EntryNumber() && !ends_day_before) {
    found.wrong.push_back("it does not begin where " + day + " does: the entry before it, " +
                          std::to_string(run.before.entry.value()) +
                          ", is not shown to end the day before");
  }
  if (last_of_day_ != run.last.entry) {
    found.wrong.push_back("its last entry, " + std::to_string(run.last.entry.value()) +
                          ", neither ends nor signs nor closes " + day);
  }
  if (!is_closed_) {
    found.notes.push_back("by these entries " + day +
                          " is not closed; later steps of it are not shown");
  }
}

void BundleBounds::hold_claim(const Segment& run, const Head& made_at, Finding& found) const {
  const bool begins_there = raised_ && (is_of_pot_ ? played_first_ : locked_first_) == raised_;
  if (!begins_there) {
    found.wrong.push_back("its first entry, " + std::to_string(run.before.entry.next().value()) +
                          (is_of_pot_ ? ", is not the claim's pot as it was played"
                                      : ", is not the lock of the claim's round"));
  }
  const bool ends_with_day = last_ended_ == run.last.entry;
  if (!ends_with_day && run.last != made_at) {
    found.wrong.push_back("it ends before the gaming day does, with entry " +
                          std::to_string(run.last.entry.value()) +
                          ", and that is not the journal's last when the bundle was made");
  } else if (!ends_with_day) {
    found.notes.emplace_back(
        "it ends before the gaming day does, with what is told as the journal's last entry when it "
        "was made; later steps are not shown");
  } else if (!is_settled_) {
    found.notes.emplace_back(
        "by these entries the claim is neither paid nor rejected; later steps are not shown");
  }
}

}  // namespace linkmeter
