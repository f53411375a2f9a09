#include "meters/state/claim.h"

#include <algorithm>

#include "meters/facts/settled.h"
#include "meters/values/enum_names.h"
#include "meters/values/invariant.h"

namespace linkmeter {

std::string_view name(ClaimState state) {
  static constexpr EnumNames<ClaimState::raised, ClaimState::paid> names{"raised", "validated",
                                                                         "rejected", "paid"};
  return names.of(state);
}

namespace {

// The wager that won the award. A wager on the dealer's hand is another wager of the same seat.
Amount wager_of(const Award& award, const Round& round) {
  for (const PlacedWager& wager : round.wagers) {
    if (wager.seat == award.seat && wager.link == award.link &&
        wager.on_dealer == award.on_dealer) {
      return wager.amount;
    }
  }
  return {};
}

// The keyed line, for a line won by the seat's own hand. A bonus is not a line, and the dealer's
// hand is not keyed.
LineId keyed_for(const Award& award, const std::vector<ShownHand>& hands) {
  if (award.kind != AwardKind::line || award.on_dealer) return {};
  const auto hand = std::find_if(hands.begin(), hands.end(), [&award](const ShownHand& shown) {
    return shown.seat == award.seat;
  });
  return hand == hands.end() ? LineId() : hand->keyed.value_or(LineId());
}

// A corrected hand raises claims as if it had been shown that way; the line that the dealer keyed
// for it is kept.
std::vector<ShownHand> hands_of(const Entry& entry, const Award& award, const Round* round) {
  if (const auto* shown = std::get_if<HandsShown>(&entry.fact)) return shown->hands;
  const SeatShown* seen = round == nullptr ? nullptr : round->find_shown(award.seat);
  return seen == nullptr ? std::vector<ShownHand>() : std::vector{seen->hand};
}

// The person whose correction the award depends on. A table's message may follow a person's
// correction: a hand that the person took back before, or a draw that the person corrected.
Badge corrector_of(const Fact& fact, const Award& award, const Round* round) {
  if (const auto* hand = std::get_if<HandCorrected>(&fact)) return hand->by;
  if (const auto* dealer = std::get_if<DealerCorrected>(&fact)) return dealer->by;
  if (const auto* pot = std::get_if<PotCorrected>(&fact)) return pot->by;
  if (round == nullptr) return {};
  const bool is_bonus = award.kind == AwardKind::magic_card || award.kind == AwardKind::lucky_bonus;
  if (is_bonus && !round->draw_corrected_by.empty()) return round->draw_corrected_by;
  return round->taken_back_by(award.holder.value_or(award.seat));
}

}  // namespace

Claim raised_claim(const Entry& entry, const Award& award, const Round* round,
                   std::span<const std::uint64_t> hits) {
  const Settled outcome = settled(entry);
  INVARIANT(award.claim && outcome.table && outcome.round != nullptr);
  Claim claim;
  claim.number = *award.claim;
  claim.entry = entry.number;
  claim.link = award.link;
  claim.table = *outcome.table;
  claim.round = *outcome.round;
  claim.seat = award.seat;
  claim.holder = award.holder;
  claim.line = award.line;
  claim.level = award.level;
  claim.amount = award.amount;
  claim.whole_meter = award.whole_meter;
  claim.on_dealer = award.on_dealer;
  const std::vector<JackpotHit>& all = *outcome.hits;
  INVARIANT(hits.size() == all.size());
  if (award.hit > 0 && award.hit <= all.size()) {
    const JackpotHit& hit = all[award.hit - 1];
    claim.hit = hits[award.hit - 1];
    claim.reseeded = hit.reseeded;
    claim.from_reserve = hit.from_reserve;
    claim.meter_before = hit.meter_before;
  }
  // A person's command has no separate time of sending.
  claim.sent_at = entry.origin ? entry.origin->sent_at : entry.recorded_at;
  claim.corrected_by = corrector_of(entry.fact, award, round);
  claim.raised_at = entry.recorded_at;
  claim.uncut = award.uncut;
  claim.keyed = keyed_for(award, hands_of(entry, award, round));
  if (round != nullptr) {
    claim.wager = wager_of(award, *round);
    claim.count_differed = round->count_differed;
  }
  for (const Award& envy : *outcome.awards) {
    if (envy.waits_for == award.claim) claim.envy.push_back(envy);
  }
  return claim;
}

bool is_keyed_for_another(const Claim& claim, const std::vector<Award>& awards) {
  if (claim.keyed.empty() || claim.keyed == claim.line) return false;
  return std::any_of(awards.begin(), awards.end(), [&claim](const Award& award) {
    return award.kind == AwardKind::line && !award.on_dealer && award.seat == claim.seat &&
           award.line == claim.keyed;
  });
}

}  // namespace linkmeter
