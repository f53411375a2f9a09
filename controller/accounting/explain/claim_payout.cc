#include "controller/accounting/explain/claim_payout.h"

#include <utility>

#include "controller/accounting/explain/explanation.h"
#include "controller/view/place_names.h"
#include "meters/values/int128.h"

namespace linkmeter {
namespace {

std::string seat_text(Seat seat) { return "seat " + std::to_string(seat.value()); }

// What the award came to before a payout limit cut it.
Amount before_limit(const ClaimPayout& payout) {
  return payout.shares.size() == 1 ? payout.claim.uncut.value_or(payout.call->amount)
                                   : payout.call->amount;
}

std::string fixed_sentence(const ClaimPayout& payout) {
  const Amount amount = payout.claim.uncut.value_or(payout.claim.amount);
  const Amount wager = payout.claim.wager;
  std::string text = "a fixed award of " + text_cents(amount);
  if (wager <= Amount()) return text + ", which hangs on no wager";
  if (payout.kind == AwardKind::line && amount.units() % wager.units() == 0) {
    text += ": " + std::to_string(amount.units() / wager.units()) + " times";
  } else {
    text += ", on";
  }
  return text + " the wager of " + text_cents(wager);
}

std::string call_sentence(const ClaimPayout& payout) {
  const JackpotHit& call = *payout.call;
  const Amount taken = before_limit(payout);
  const std::optional<int> percent = percent_of(call, taken);
  const std::string part = percent ? std::to_string(*percent) + "%" : "a percentage";
  if (call.stood == Amount()) {
    return part + " of the meter: " + text_cents(taken) +
           "; the entry is too old to say what the meter was";
  }
  return part + " of the meter, which stood at " + text_exact(call.stood) +
         ", in whole cents: " + text_cents(taken);
}

}  // namespace

std::optional<ClaimPayout> claim_payout(const Entry& entry, const Claim& claim) {
  std::optional<ClaimPayout> payout;
  for (const Award& award : awards_of(entry)) {
    if (award.claim != claim.number) continue;
    payout = ClaimPayout{claim, award.kind, award.holder, {}, {}};
    const std::vector<JackpotHit>& calls = calls_of(entry);
    if (award.level && award.call >= 1 && award.call <= calls.size()) {
      payout->call = calls[award.call - 1];
      for (const Award& other : awards_of(entry)) {
        if (other.level && other.call == award.call) {
          payout->shares.push_back({other.seat, other.claim, other.amount});
        }
      }
    }
  }
  return payout;
}

std::optional<int> percent_of(const JackpotHit& call, Amount before_limit) {
  constexpr int whole = 100;
  if (call.whole) return whole;
  std::optional<int> found;
  for (int percent = 1; percent < whole; ++percent) {
    const Int128 part = Int128{call.stood.units()} * percent / whole;
    if (part - part % Amount::units_per_cent != before_limit.units()) continue;
    if (found) return std::nullopt;
    found = percent;
  }
  return found;
}

std::vector<std::string> payout_sentences(const ClaimPayout& payout, const Floor& floor) {
  const Claim& claim = payout.claim;
  std::vector<std::string> all;
  std::string whose = seat_text(claim.seat) + " at " + table_name(floor, claim.table) + ", round " +
                      claim.round.text() + ", " + claim.line.text();
  if (payout.kind == AwardKind::envy) whose += ", envy";
  if (payout.kind != AwardKind::line && payout.kind != AwardKind::envy) {
    whose += ", " + std::string(name(payout.kind));
  }
  if (payout.holder) whose += " for the hand of " + seat_text(*payout.holder);
  if (claim.on_dealer) whose += ", won by the dealer's hand";
  all.push_back(std::move(whose));
  all.push_back(payout.call ? call_sentence(payout) : fixed_sentence(payout));
  if (payout.shares.size() > 1) {
    std::string shared = "shared by";
    for (const ClaimPayout::Share& share : payout.shares) {
      shared += std::string(&share == payout.shares.data() ? " " : ", ") + seat_text(share.seat) +
                ": " + text_cents(share.amount);
    }
    all.push_back(std::move(shared));
  }
  if (claim.uncut) {
    all.push_back("cut by the payout limit from " + text_cents(*claim.uncut) + " to " +
                  text_cents(claim.amount));
  }
  all.push_back("claim " + std::to_string(claim.number.value()) + " is " +
                text_cents(claim.amount) + ", " + std::string(name(claim.state)));
  return all;
}

Json payout_json(const ClaimPayout& payout, const Floor& floor) {
  const Claim& claim = payout.claim;
  Json told{{"kind", name(payout.kind)},
            {"line", claim.line.text()},
            {"table", table_name(floor, claim.table)},
            {"round", claim.round.text()},
            {"seat", claim.seat.value()},
            {"holder", payout.holder ? Json(payout.holder->value()) : Json()},
            {"on", claim.on_dealer ? Json("dealer") : Json()},
            {"wager", claim.wager == Amount() ? Json() : Json(text_cents(claim.wager))},
            {"amount", text_cents(claim.amount)},
            {"uncut", cents_or_null(claim.uncut)},
            {"meter", nullptr},
            {"sentences", payout_sentences(payout, floor)}};
  if (!payout.call) return told;
  const JackpotHit& call = *payout.call;
  const std::optional<int> percent = percent_of(call, before_limit(payout));
  Json shares = Json::array();
  for (const ClaimPayout::Share& share : payout.shares) {
    shares.push_back(Json{{"seat", share.seat.value()},
                          {"claim", share.claim ? Json(share.claim->value()) : Json()},
                          {"amount", text_cents(share.amount)}});
  }
  told["meter"] = Json{{"stood", call.stood == Amount() ? Json() : Json(text_exact(call.stood))},
                       {"percent", percent ? Json(*percent) : Json()},
                       {"taken", text_cents(call.amount)},
                       {"shares", std::move(shares)}};
  return told;
}

}  // namespace linkmeter
