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
LineId keyed_for(const Award& award, const std::vector<ShownHand>& hands) {
  if (award.kind != AwardKind::line || award.on_dealer) return {};
  const auto hand = std::find_if(hands.begin(), hands.end(), [&award](const ShownHand& shown) {
    return shown.seat == award.seat;
  });
  return hand == hands.end() ? LineId() : hand->keyed.value_or(LineId());
}

// A hand that was put right raises its claims as if it had been shown so; what the dealer keyed for
// it stays keyed.
HandsShown as_shown(const HandCorrected& corrected, const Round* round) {
  HandsShown shown;
  shown.round = corrected.round;
  const SeatShown* seen = round == nullptr ? nullptr : round->find_shown(corrected.seat);
  if (seen != nullptr) shown.hands.push_back(seen->hand);
  shown.calls = corrected.calls;
  shown.awards = corrected.awards;
  return shown;
}

}  // namespace

Claim raised_claim(const Entry& entry, const Award& award, const Round* round,
                   std::span<const std::uint64_t> calls) {
  const auto* corrected = std::get_if<HandCorrected>(&entry.fact);
  CHECK((entry.origin || corrected != nullptr) && award.claim);
  const HandsShown put_right = corrected != nullptr ? as_shown(*corrected, round) : HandsShown{};
  const auto* shown = corrected != nullptr ? &put_right : std::get_if<HandsShown>(&entry.fact);
  const auto* pot = std::get_if<PotPlayed>(&entry.fact);
  CHECK(shown != nullptr || pot != nullptr);
  Claim claim;
  claim.number = *award.claim;
  claim.entry = entry.number;
  claim.link = award.link;
  claim.table = corrected != nullptr ? corrected->table : entry.origin->table;
  claim.round = shown != nullptr ? shown->round : pot->round;
  claim.seat = award.seat;
  claim.line = award.line;
  claim.level = award.level;
  claim.amount = award.amount;
  claim.whole_meter = award.whole_meter;
  claim.on_dealer = award.on_dealer;
  const std::vector<MeterCall>& all = shown != nullptr ? shown->calls : pot->calls;
  CHECK(calls.size() == all.size());
  if (award.call > 0 && award.call <= all.size()) {
    const MeterCall& called = all[award.call - 1];
    claim.call = calls[award.call - 1];
    claim.reseeded = called.reseeded;
    claim.from_reserve = called.from_reserve;
    claim.stood = called.stood;
  }
  // What a person says is said where it is recorded.
  claim.sent_at = corrected != nullptr ? entry.recorded_at : entry.origin->sent_at;
  if (corrected != nullptr) claim.corrected_by = corrected->by;
  claim.raised_at = entry.recorded_at;
  claim.uncut = award.uncut;
  if (shown != nullptr) claim.keyed = keyed_for(award, shown->hands);
  if (round != nullptr) {
    claim.wager = wager_of(award, *round);
    claim.count_differed = round->count_differed;
  }
  return claim;
}

bool is_called_for_another(const Claim& claim, const std::vector<Award>& awards) {
  if (claim.keyed.empty() || claim.keyed == claim.line) return false;
  return std::any_of(awards.begin(), awards.end(), [&claim](const Award& award) {
    return award.kind == AwardKind::line && !award.on_dealer && award.seat == claim.seat &&
           award.line == claim.keyed;
  });
}

}  // namespace linkmeter
