#include "meters/raised_claim.h"

#include <algorithm>

#include "meters/check.h"

namespace linkmeter {

namespace {

// The wager that was won with it; what the dealer's hand wins is another wager of the seat.
Amount wager_of(const Award& award, const Round& round) {
  for (const PlacedWager& wager : round.wagers) {
    if (wager.seat == award.seat && wager.link == award.link &&
        wager.on_dealer == award.on_dealer) {
      return wager.amount;
    }
  }
  return {};
}

// Of a line that the seat's own hand is: a bonus is none, and the dealer's hand is not keyed.
LineId keyed_for(const Award& award, const Round& round, EntryNumber entry) {
  if (award.kind != AwardKind::line || award.on_dealer) return {};
  const SeatShown* shown = round.find_shown(award.seat);
  return shown == nullptr || shown->entry != entry ? LineId()
                                                   : shown->hand.keyed.value_or(LineId());
}

// Where an award was made, and what was called for it.
struct Raising {
  TablePlace table;
  RoundId round;
  Timestamp sent_at;
  const std::vector<MeterCall>* calls = nullptr;
  Badge corrected_by = {};
};

Raising raising_of(const Entry& entry) {
  if (const auto* corrected = std::get_if<HandCorrected>(&entry.fact)) {
    // What a person says is said where it is recorded.
    return {corrected->table, corrected->round, entry.recorded_at, &corrected->calls,
            corrected->by};
  }
  CHECK(entry.origin);
  const Origin& origin = *entry.origin;
  if (const auto* shown = std::get_if<HandsShown>(&entry.fact)) {
    return {origin.table, shown->round, origin.sent_at, &shown->calls};
  }
  const auto* pot = std::get_if<PotPlayed>(&entry.fact);
  CHECK(pot != nullptr);
  return {origin.table, pot->round, origin.sent_at, &pot->calls};
}

}  // namespace

Claim raised_claim(const Entry& entry, const Award& award, const Round* round,
                   std::span<const std::uint64_t> calls) {
  CHECK(award.claim);
  const Raising raising = raising_of(entry);
  Claim claim;
  claim.number = *award.claim;
  claim.entry = entry.number;
  claim.link = award.link;
  claim.table = raising.table;
  claim.round = raising.round;
  claim.seat = award.seat;
  claim.line = award.line;
  claim.level = award.level;
  claim.amount = award.amount;
  claim.whole_meter = award.whole_meter;
  claim.on_dealer = award.on_dealer;
  const std::vector<MeterCall>& all = *raising.calls;
  CHECK(calls.size() == all.size());
  if (award.call > 0 && award.call <= all.size()) {
    const MeterCall& called = all[award.call - 1];
    claim.call = calls[award.call - 1];
    claim.reseeded = called.reseeded;
    claim.from_reserve = called.from_reserve;
    claim.stood = called.stood;
  }
  claim.sent_at = raising.sent_at;
  claim.corrected_by = raising.corrected_by;
  claim.raised_at = entry.recorded_at;
  claim.uncut = award.uncut;
  if (round != nullptr) {
    claim.keyed = keyed_for(award, *round, entry.number);
    claim.wager = wager_of(award, *round);
    claim.count_differed = round->count_differed;
  }
  return claim;
}

}  // namespace linkmeter
