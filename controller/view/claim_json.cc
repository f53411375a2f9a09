#include "controller/view/claim_json.h"

#include <algorithm>

#include "controller/view/simultaneous_wins.h"
#include "meters/rules/claim_need.h"

namespace linkmeter {

namespace {

// A longer delay means that the message was held back.
constexpr std::int64_t late_us = 5'000'000;

std::string level_text(const Floor& floor, const Claim& claim) {
  return claim.level ? floor.link(claim.link).levels[claim.level->value()].id.text() : "";
}

// The rules for paying the claim: who validates it, payment sources that are excluded, hands whose
// cards stay on the table. null if this release cannot resolve the rules.
void add_payment_rules(const LinkRules* rules, const Claim& claim, Json& told) {
  for (const char* key : {"verified_by", "not_from", "cards_stay", "section"}) told[key] = nullptr;
  if (rules == nullptr) return;
  told["verified_by"] = name(rules->wager.verified_by);
  told["cards_stay"] = name(rules->wager.cards_stay);
  told["not_from"] = Json::array();
  for (const PaymentSource source : payment_sources) {
    if (!rules->wager.pays_from(source, claim.level.has_value())) {
      told["not_from"].push_back(name(source));
    }
  }
  told["section"] = rules->paytable.section;
  for (const Line& line : rules->paytable.lines) {
    if (line.id == claim.line) told["section"] = line.section;
  }
}

// For an Envy claim, the seat that holds the hand.
Json holder_or_null(const Claim& claim) {
  return claim.holder ? Json(claim.holder->value()) : Json();
}

// Old entries do not record the meter's amount.
bool has_meter_amount(const Claim& claim) { return claim.level && claim.stood >= claim.amount; }

Json simultaneous_json(const State& state, const Claim& claim) {
  Json all = Json::array();
  for (const Claim* other : simultaneous_wins(state.claims(), claim)) {
    all.push_back(Json{{"claim", other->number.value()},
                       {"entry", other->entry.value()},
                       {"table", state.floor().table(other->table).id.text()},
                       {"seat", other->seat.value()},
                       {"call", other->call},
                       {"amount", text_cents(other->amount)},
                       {"sent_at", moment_or_null(other->sent_at)},
                       {"raised_at", moment_or_null(other->raised_at)},
                       {"order", order_of(*other, claim)},
                       {"why", why_in_order(*other, claim)}});
  }
  return all;
}

// The slip that pays the claim, or paid it; nullptr: none, or only void ones.
const Slip* slip_of(const State& state, const Claim& claim) {
  const Slip* last = claim.slips.empty() ? nullptr : state.find_slip(claim.slips.back());
  return last == nullptr || last->state == SlipState::voided ? nullptr : last;
}

Json slip_or_null(const State& state, const Claim& claim) {
  const Slip* slip = slip_of(state, claim);
  return slip == nullptr ? Json() : Json(slip->number.value());
}

Json need_or_null(const State& state, const Claim& claim) {
  const ClaimNeed need = need_of(state, claim);
  return need == ClaimNeed::nothing ? Json() : Json(name(need));
}

void add_slip(const State& state, const Claim& claim, Json& told) {
  const Slip* slip = slip_of(state, claim);
  told["countersigned_at"] = moment_or_null(claim.countersigned_at);
  told["countersigned_by"] = text_or_null(claim.countersigned_by);
  told["slip"] = slip_or_null(state, claim);
  told["taxable"] = slip == nullptr ? Json() : Json(slip->taxable);
  told["keyed_line"] = text_or_null(claim.keyed);
  told["corrected_by"] = text_or_null(claim.corrected_by);
  told["needs"] = need_or_null(state, claim);
}

// "12.1".
std::string seconds_text(std::int64_t microseconds) {
  const std::int64_t tenths = microseconds / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

Json claim_json(const State& state, const Claim& claim, const LinkRules* rules) {
  const Floor& floor = state.floor();
  Json told{{"claim", claim.number.value()},
            {"entry", claim.entry.value()},
            {"link", floor.link(claim.link).id.text()},
            {"table", floor.table(claim.table).id.text()},
            {"asset", floor.table(claim.table).asset},
            {"round", claim.round.text()},
            {"seat", claim.seat.value()},
            {"holder", holder_or_null(claim)},
            {"line", claim.line.text()},
            {"on", claim.on_dealer ? Json("dealer") : Json(nullptr)},
            {"level", claim.level ? Json(level_text(floor, claim)) : Json(nullptr)},
            {"amount", text_cents(claim.amount)},
            {"call", claim.level ? Json(claim.call) : Json(nullptr)},
            {"stood", has_meter_amount(claim) ? Json(text_exact(claim.stood)) : Json(nullptr)},
            {"state", name(claim.state)},
            {"source", claim.source ? Json(name(*claim.source)) : Json(nullptr)},
            {"sent_at", moment_or_null(claim.sent_at)},
            {"raised_at", moment_or_null(claim.raised_at)},
            {"validated_at", moment_or_null(claim.validated_at)},
            {"validated_by", text_or_null(claim.validated_by)},
            {"paid_at", moment_or_null(claim.paid_at)},
            {"paid_by", text_or_null(claim.paid_by)},
            {"rejected_at", moment_or_null(claim.rejected_at)},
            {"rejected_by", text_or_null(claim.rejected_by)},
            {"reject_reason", claim.reject_reason ? Json(name(*claim.reject_reason)) : Json()},
            {"reject_note", claim.reject_note.empty() ? Json() : Json(claim.reject_note)}};
  add_slip(state, claim, told);
  told["near"] = simultaneous_json(state, claim);
  add_payment_rules(rules, claim, told);
  return told;
}

std::vector<ClaimFlag> flags_of(const State& state, const Claim& claim, const LinkRules& rules) {
  std::vector<ClaimFlag> flags;
  // A result that depends on the dealer's hand was not keyed.
  const bool may_differ = rules.wager.decided_by != DecidedBy::dealer_hand;
  if (may_differ && !claim.keyed.empty() && claim.keyed != claim.line) {
    flags.push_back({"keyed_line_differs", "the dealer keyed " + claim.keyed.text() +
                                               ", the cards are " + claim.line.text()});
  }
  // A table's clock may be wrong; a time before 1970 is invalid.
  const Timestamp sent_at = std::max(claim.sent_at, Timestamp());
  const std::int64_t late = claim.raised_at.microseconds() - sent_at.microseconds();
  if (late > late_us) {
    flags.push_back({"late_report", "sent " + seconds_text(late) + " s before it arrived"});
  }
  if (claim.count_differed) {
    flags.push_back(
        {"count_mismatch", "the chips of its round were miscounted, and corrected by a person"});
  }
  for (const Claim* other : simultaneous_wins(state.claims(), claim)) {
    if (order_of(*other, claim) == "together") continue;
    flags.push_back({"near_simultaneous", "claim " + std::to_string(other->number.value()) + ": " +
                                              why_in_order(*other, claim)});
    break;
  }
  return flags;
}

Json claim_summary(const State& state, const Claim& claim, const LinkRules& rules, Timestamp now) {
  const Floor& floor = state.floor();
  const std::int64_t age_ms = (now.microseconds() - claim.raised_at.microseconds()) / 1'000;
  Json flags = Json::array();
  for (const ClaimFlag& flag : flags_of(state, claim, rules)) flags.push_back(flag.name);
  return Json{{"claim", claim.number.value()},
              {"link", floor.link(claim.link).id.text()},
              {"table", floor.table(claim.table).id.text()},
              {"asset", floor.table(claim.table).asset},
              {"seat", claim.seat.value()},
              {"holder", holder_or_null(claim)},
              {"line", claim.line.text()},
              {"level", claim.level ? Json(level_text(floor, claim)) : Json(nullptr)},
              {"amount", text_cents(claim.amount)},
              {"state", name(claim.state)},
              {"raised_at", moment_or_null(claim.raised_at)},
              {"age_ms", std::max<std::int64_t>(0, age_ms)},
              {"flags", std::move(flags)},
              {"needs", need_or_null(state, claim)},
              {"slip", slip_or_null(state, claim)}};
}

std::optional<Amount> opened_after(const State& state, const Claim& claim) {
  if (!has_meter_amount(claim)) return std::nullopt;
  if (!claim.whole_meter) {
    Amount left = claim.stood;  // minus the shares of all seats in this hit
    const std::vector<Claim>& claims = state.claims();
    auto at = static_cast<std::size_t>(claim.number.value()) - 1;
    while (at > 0 && claims[at - 1].entry == claim.entry) --at;  // claims of one entry are adjacent
    for (; at < claims.size() && claims[at].entry == claim.entry; ++at) {
      const Claim& one = claims[at];
      const bool is_same_hit =
          one.link == claim.link && one.level == claim.level && one.call == claim.call;
      if (is_same_hit) left -= one.amount;
    }
    return left;
  }
  // The remainder on the meter: the fraction of a cent, and the excess over a payout limit.
  const Amount kept = claim.stood - claim.stood.whole_cents();
  const Amount left = claim.uncut ? *claim.uncut - claim.amount : Amount();
  return kept + left + claim.reseeded + claim.from_reserve;
}

namespace {

// The claims of these awards that are not rejected.
Json claims_of(const State& state, const std::vector<Award>& awards) {
  Json claims = Json::array();
  for (const Award& award : awards) {
    const Claim* claim = award.claim ? state.find_claim(*award.claim) : nullptr;
    if (claim != nullptr && claim->state != ClaimState::rejected) {
      claims.push_back(claim->number.value());
    }
  }
  return claims;
}

Json hand_json(const ShownHand& hand) {
  return Json{
      {"seat", hand.seat.value()}, {"cards", cards_json(hand.cards)}, {"folded", hand.folded}};
}

Json shown_json(const State& state, const Round& round, const SeatShown& shown) {
  Json told = hand_json(shown.hand);
  told["entry"] = shown.entry.value();
  told["claims"] = claims_of(state, shown.awards);
  told["void"] = round.is_void(shown.hand.seat);
  return told;
}

// The dealer's cards, and the claims that depend on them; null: no cards yet.
Json dealer_json(const State& state, const Round& round) {
  const DealerShown& dealer = round.dealer;
  if (dealer.entry == EntryNumber()) return nullptr;
  const std::optional<Draw>& draw = round.draw;
  return Json{{"cards", cards_json(dealer.cards)},
              {"board", cards_json(dealer.board)},
              {"magic", draw && draw->magic ? Json(text(*draw->magic)) : Json()},
              {"lucky", draw && draw->seat ? Json(draw->seat->value()) : Json()},
              {"entry", dealer.entry.value()},
              {"claims", claims_of(state, round.awards)}};
}

Json seats_json(const std::vector<Seat>& seats) {
  Json list = Json::array();
  for (const Seat seat : seats) list.push_back(seat.value());
  return list;
}

}  // namespace

Json pots_json(const State& state, TableIndex table, std::size_t most) {
  std::vector<const PlayedPot*> newest;
  for (const PlayedPot& pot : state.session(table).pots()) newest.push_back(&pot);
  // Of two corrected pots the one corrected later.
  std::sort(newest.begin(), newest.end(),
            [](const PlayedPot* one, const PlayedPot* other) { return one->entry > other->entry; });
  if (newest.size() > most) newest.resize(most);
  Json list = Json::array();
  for (const PlayedPot* pot : newest) {
    Json hands = Json::array();
    for (const ShownHand& hand : pot->hands) hands.push_back(hand_json(hand));
    list.push_back(Json{{"pot", pot->id.text()},
                        {"amount", text_cents(pot->pot)},
                        {"board", cards_json(pot->board)},
                        {"showdown", pot->showdown},
                        {"hands", std::move(hands)},
                        {"entry", pot->entry.value()},
                        {"claims", claims_of(state, pot->awards)}});
  }
  return list;
}

Json rounds_json(const State& state, TableIndex table, std::size_t most) {
  Json list = Json::array();
  const std::vector<Round>& rounds = state.session(table).rounds();
  std::vector<const Round*> newest;
  newest.reserve(rounds.size());
  for (const Round& round : rounds) newest.push_back(&round);
  const auto last_entry = [](const Round* round) {
    EntryNumber last = round->dealer.entry;
    for (const SeatShown& shown : round->shown) last = std::max(last, shown.entry);
    return last;
  };
  std::stable_sort(newest.begin(), newest.end(), [&](const Round* one, const Round* other) {
    return last_entry(one) > last_entry(other);
  });
  if (newest.size() > most) newest.resize(most);
  for (const Round* round : newest) {
    Json hands = Json::array();
    for (const SeatShown& shown : round->shown) {
      hands.push_back(shown_json(state, *round, shown));
    }
    list.push_back(Json{{"round", round->id.text()},
                        {"blocked", round->blocked},
                        {"dealer_shown", round->dealer_shown},
                        {"dealer", dealer_json(state, *round)},
                        {"void", seats_json(round->voided)},
                        {"hands", std::move(hands)}});
  }
  return list;
}

}  // namespace linkmeter
