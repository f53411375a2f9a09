// Claim payout: how the amount of one claim was reached, from the entry that raised it: a fixed
// award, the whole meter, a percentage of it, or a seat's share of one of these.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/view/json.h"
#include "meters/facts/award.h"
#include "meters/facts/entry.h"
#include "meters/floor/floor.h"
#include "meters/state/claim.h"

namespace linkmeter {

struct ClaimPayout {
  struct Share {
    Seat seat;
    std::optional<ClaimNumber> claim;
    Amount amount;
  };
  Claim claim;
  AwardKind kind = AwardKind::line;
  std::optional<Seat> holder;  // envy: whose hand it was
  // Off a meter: what the line took of it, and who shares it, in the order of settlement.
  std::optional<JackpotHit> call;
  std::vector<Share> shares;  // one: nobody shares it
};

// Nullopt: the entry has no award of this claim.
std::optional<ClaimPayout> claim_payout(const Entry& entry, const Claim& claim);

// The percentage that a call took: 100 of the whole meter. Nullopt where the entry is too old to
// say what the meter was, or where that was so little that several percentages give the amount.
std::optional<int> percent_of(const JackpotHit& call, Amount before_limit);

// For people, one step of the calculation each.
std::vector<std::string> payout_sentences(const ClaimPayout& payout, const Floor& floor);
Json payout_json(const ClaimPayout& payout, const Floor& floor);

}  // namespace linkmeter
