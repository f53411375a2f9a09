// claim_detail_json(): a claim with all the details needed before signing it.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "controller/store/journal_reader.h"
#include "controller/view/claim_cards.h"
#include "controller/view/claim_json.h"
#include "meters/facts/settled.h"
#include "meters/floor/payment_policy.h"

namespace linkmeter {
namespace {

// The seat whose hand won: for an Envy claim, another seat.
Seat holder_of(const std::vector<Award>& awards, const Claim& claim) {
  for (const Award& award : awards) {
    if (award.claim == claim.number && award.holder) return *award.holder;
  }
  return claim.seat;
}

// The correction in the entry that raised the claim; null: none. `seat`: the seat of the corrected
// hand, null for the dealer's hand. The cards are those before the correction.
struct CorrectsJson {
  Seat holder;

  Json operator()(const HandCorrected& corrected) const {
    return of(corrected, corrected.seat.value(), corrected.old_cards, corrected.old_folded);
  }
  Json operator()(const DealerCorrected& corrected) const {
    return of(corrected, nullptr, corrected.old_cards, false);
  }
  Json operator()(const PotCorrected& corrected) const {
    for (const ShownHand& hand : corrected.old_hands) {
      if (hand.seat == holder) return of(corrected, holder.value(), hand.cards, hand.folded);
    }
    return of(corrected, holder.value(), {}, false);
  }
  template <class Other>
  Json operator()(const Other&) const {
    return nullptr;
  }

 private:
  template <class Correction>
  static Json of(const Correction& corrected, Json seat, const std::vector<Card>& cards,
                 bool folded) {
    return {{"entry", corrected.corrects.value()},
            {"seat", std::move(seat)},
            {"cards", cards_json(cards)},
            {"folded", folded},
            {"by", corrected.by.text()},
            {"reason", name(corrected.reason)},
            {"note", corrected.note}};
  }
};

void add_cards(const Journal& journal, const Claim& claim, Json& json) {
  json["cards"] = Json::array();
  json["folded"] = false;
  json["corrects"] = nullptr;
  const ClaimCards cards = claim_cards(journal, claim);
  json["dealer"] = cards_json(cards.dealer);
  json["board"] = cards_json(cards.board);
  const std::optional<Entry> raised = find_entry(journal, claim.entry);
  if (!raised) return;
  const Seat holder = holder_of(*settled(*raised).awards, claim);
  if (const ShownHand* hand = cards.find(holder)) {
    json["cards"] = cards_json(hand->cards);
    json["folded"] = hand->folded;
  }
  if (claim.on_dealer) json["cards"] = json["dealer"];
  json["corrects"] = std::visit(CorrectsJson{holder}, raised->fact);
}

bool is_same_level(const Claim& one, const Claim& other) {
  return one.link == other.link && one.level == other.level;
}

// How the meter reached the amount at which it was won: its opening amount, the hit that had
// emptied it, percentage awards, and contributions.
Json how_json(const State& state, const Claim& claim) {
  if (!claim.level || claim.meter_before < claim.amount) return nullptr;
  const LevelConfig& terms = state.floor().link(claim.link).levels[claim.level->value()];
  Amount opened = terms.seed, partial;
  std::string by = "seed";
  const auto& claims = state.claims();
  for (std::size_t at = static_cast<std::size_t>(claim.number.value()) - 1; at > 0; --at) {
    const Claim& before = claims[at - 1];
    if (!is_same_level(before, claim) || is_same_hit(before, claim)) continue;
    // The claims alone do not record what a rejection restored, and to which level.
    if (before.state == ClaimState::rejected) return nullptr;
    if (!before.whole_meter) {
      partial += before.amount;
      continue;
    }
    const auto after = opened_after(state, before);
    if (!after) return nullptr;
    opened = *after;
    by = "claim " + std::to_string(before.number.value());
    break;
  }
  // Contributions, and any corrections and transfers, so it may be negative.
  const Amount since = claim.meter_before - opened + partial;
  if (since < Amount()) return nullptr;
  return Json{{"opened", text_cents(opened.whole_cents())},
              {"opened_by", by},
              {"partial_awards", text_cents(partial)},
              // Computed from the displayed amounts, so that they add up.
              {"contributions",
               text_cents(claim.meter_before.whole_cents() - opened.whole_cents() + partial)}};
}

Json signatures_json(const State& state, const Claim& claim) {
  Json list = Json::array();
  const auto add = [&](const char* as, const Badge& badge, Timestamp at) {
    if (badge.empty()) return;
    const Person* person = state.find_person(badge);
    list.push_back(Json{{"as", as},
                        {"badge", badge.text()},
                        {"name", person == nullptr ? Json() : Json(person->name)},
                        {"at", moment_or_null(at)}});
  };
  add("validated", claim.validated_by, claim.validated_at);
  add("countersigned", claim.countersigned_by, claim.countersigned_at);
  add("rejected", claim.rejected_by, claim.rejected_at);
  add("paid", claim.paid_by, claim.paid_at);
  return list;
}

Json second_signature_json(const State& state, const Claim& claim) {
  const SignatureStep* step = step_for(state.floor().second_signature, claim.amount);
  if (step == nullptr) return nullptr;
  return Json{{"roles", json_list(step->roles, [](Role role) { return name(role); })},
              {"from", text_cents(step->from)}};
}

Json share_json(const State& state, const Claim& claim, const std::string& section) {
  if (!claim.level) return nullptr;
  Amount whole;
  Json seats = json_list(claims_of_hit(state.claims(), claim), [&whole](const Claim* share) {
    whole += share->amount;
    return Json{{"seat", share->seat.value()},
                {"claim", share->number.value()},
                {"amount", text_cents(share->amount)}};
  });
  if (seats.size() < 2) return nullptr;
  return Json{{"call_amount", text_cents(whole)}, {"seats", std::move(seats)}, {"rule", section}};
}

Json slips_json(const State& state, const Claim& claim) {
  Json list = Json::array();
  for (const SlipNumber number : claim.slips) {
    const Slip* slip = state.find_slip(number);
    if (slip == nullptr) continue;
    list.push_back(
        Json{{"slip", number.value()},
             {"state", name(slip->state)},
             {"source", name(slip->source)},
             {"issued_at", moment_or_null(slip->issued_at)},
             {"issued_by", slip->issued_by.text()},
             {"void_reason", slip->void_reason ? Json(name(*slip->void_reason)) : Json()}});
  }
  return list;
}

bool is_taxable(const State& state, const Claim& claim, Timestamp now) {
  if (const Slip* slip = state.open_slip(claim)) return slip->taxable;
  if (claim.state == ClaimState::paid && !claim.slips.empty()) {
    if (const Slip* slip = state.find_slip(claim.slips.back())) return slip->taxable;
  }
  const TaxThreshold* threshold = threshold_at(state.floor().taxable, now);
  return threshold != nullptr && threshold->taxes(claim.amount, claim.wager);
}

}  // namespace

Json claim_detail_json(const State& state, const Claim& claim, const LinkRules& rules,
                       const Journal& journal, Timestamp now) {
  Json json = claim_json(state, claim, &rules);
  add_cards(journal, claim, json);
  const bool has_meter_amount = claim.level && claim.meter_before >= claim.amount;
  json["level_before"] =
      has_meter_amount ? Json(text_cents(claim.meter_before.whole_cents())) : Json();
  json["how"] = how_json(state, claim);
  json["sources"] = sources_json(rules, claim, true);
  json["second_signature"] = second_signature_json(state, claim);
  json["signatures"] = signatures_json(state, claim);
  json["flags"] = json_list(flags_of(state, claim, rules), [](const ClaimFlag& flag) {
    return Json{{"flag", flag.name}, {"why", flag.why}};
  });
  json["slips"] = slips_json(state, claim);
  json["taxable"] = is_taxable(state, claim, now);
  json["share"] = share_json(state, claim, json["section"]);
  const std::optional<Amount>& limit = state.floor().link(claim.link).payout_limit;
  json["limit"] = claim.uncut && limit
                      ? Json{{"before", text_cents(*claim.uncut)}, {"limit", text_cents(*limit)}}
                      : Json();
  json["age_ms"] =
      std::max<std::int64_t>(0, (now.microseconds() - claim.raised_at.microseconds()) / 1'000);
  return json;
}

}  // namespace linkmeter
