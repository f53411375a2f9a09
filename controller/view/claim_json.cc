#include "controller/view/claim_json.h"

#include <algorithm>

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
void add_payment_rules(const LinkRules* rules, const Claim& claim, Json& json) {
  for (const char* key : {"verified_by", "not_from", "cards_stay", "section"}) json[key] = nullptr;
  if (rules == nullptr) return;
  json["verified_by"] = name(rules->wager.verified_by);
  json["cards_stay"] = name(rules->wager.cards_stay);
  json["not_from"] = sources_json(*rules, claim, false);
  json["section"] = rules->paytable.section;
  for (const Line& line : rules->paytable.lines) {
    if (line.id == claim.line) json["section"] = line.section;
  }
}

// For an Envy claim, the seat that holds the hand.
Json holder_or_null(const Claim& claim) {
  return claim.holder ? Json(claim.holder->value()) : Json();
}

// Old entries do not record the meter's amount.
bool has_meter_amount(const Claim& claim) {
  return claim.level && claim.meter_before >= claim.amount;
}

constexpr std::int64_t simultaneous_us = 2'000'000;
constexpr std::size_t simultaneous_max = 5;  // on each side

bool is_simultaneous(const Claim& left, const Claim& right) {
  const std::int64_t apart = left.raised_at.microseconds() - right.raised_at.microseconds();
  return apart <= simultaneous_us && apart >= -simultaneous_us;
}

std::string entry_text(const Claim& claim) {
  return "entry " + std::to_string(claim.entry.value());
}

// Claims of one level raised within two seconds of each other (L7): up to five before this one and
// five after it, in journal order; none for a fixed award. The cost is proportional to the claims
// within those seconds.
std::vector<const Claim*> simultaneous_wins(const std::vector<Claim>& claims, const Claim& claim) {
  std::vector<const Claim*> near;
  if (!claim.level) return near;
  const auto is_of_level = [&claim](const Claim& other) {
    return other.link == claim.link && other.level == claim.level;
  };
  const auto place = static_cast<std::size_t>(claim.number.value() - 1);
  for (std::size_t at = place; at > 0 && near.size() < simultaneous_max; --at) {
    if (!is_simultaneous(claims[at - 1], claim)) break;
    if (is_of_level(claims[at - 1])) near.push_back(&claims[at - 1]);
  }
  std::reverse(near.begin(), near.end());
  const std::size_t most = near.size() + simultaneous_max;
  for (std::size_t at = place + 1; at < claims.size() && near.size() < most; ++at) {
    if (!is_simultaneous(claims[at], claim)) break;
    if (is_of_level(claims[at])) near.push_back(&claims[at]);
  }
  return near;
}

// The order of two jackpot hits: `other` is "earlier" or "later", or both are shares of one hit:
// "together". The journal decides it; the clock readings are only reported.
std::string_view order_of(const Claim& other, const Claim& claim) {
  if (other.entry == claim.entry && other.hit == claim.hit) return "together";
  return other.number < claim.number ? "earlier" : "later";
}

std::string why_in_order(const Claim& other, const Claim& claim) {
  const Claim& first = other.number < claim.number ? other : claim;
  const Claim& second = other.number < claim.number ? claim : other;
  if (first.entry != second.entry) {
    return "the journal's order decides: " + entry_text(first) + " before " + entry_text(second);
  }
  if (first.hit == second.hit) return "shares of one award, " + entry_text(first);
  return "one round, " + entry_text(first) + ": seat " + std::to_string(first.seat.value()) +
         " was in turn before seat " + std::to_string(second.seat.value());
}

Json simultaneous_json(const State& state, const Claim& claim) {
  return json_list(simultaneous_wins(state.claims(), claim), [&](const Claim* other) {
    return Json{{"claim", other->number.value()},
                {"entry", other->entry.value()},
                {"table", state.floor().table(other->table).id.text()},
                {"seat", other->seat.value()},
                {"call", other->hit},
                {"amount", text_cents(other->amount)},
                {"sent_at", moment_or_null(other->sent_at)},
                {"raised_at", moment_or_null(other->raised_at)},
                {"order", order_of(*other, claim)},
                {"why", why_in_order(*other, claim)}};
  });
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

void add_slip(const State& state, const Claim& claim, Json& json) {
  const Slip* slip = slip_of(state, claim);
  json["countersigned_at"] = moment_or_null(claim.countersigned_at);
  json["countersigned_by"] = text_or_null(claim.countersigned_by);
  json["slip"] = slip_or_null(state, claim);
  json["taxable"] = slip == nullptr ? Json() : Json(slip->taxable);
  json["keyed_line"] = text_or_null(claim.keyed);
  json["corrected_by"] = text_or_null(claim.corrected_by);
  json["needs"] = need_or_null(state, claim);
}

// "12.1".
std::string seconds_text(std::int64_t microseconds) {
  const std::int64_t tenths = microseconds / 100'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

Json claim_json(const State& state, const Claim& claim, const LinkRules* rules) {
  const Floor& floor = state.floor();
  Json json{
      {"claim", claim.number.value()},
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
      {"call", claim.level ? Json(claim.hit) : Json(nullptr)},
      {"stood", has_meter_amount(claim) ? Json(text_exact(claim.meter_before)) : Json(nullptr)},
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
  add_slip(state, claim, json);
  json["near"] = simultaneous_json(state, claim);
  add_payment_rules(rules, claim, json);
  return json;
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
              {"flags", json_list(flags_of(state, claim, rules),
                                  [](const ClaimFlag& flag) { return flag.name; })},
              {"needs", need_or_null(state, claim)},
              {"slip", slip_or_null(state, claim)}};
}

std::vector<const Claim*> claims_of_hit(const std::vector<Claim>& claims, const Claim& claim) {
  std::vector<const Claim*> hit;
  auto at = static_cast<std::size_t>(claim.number.value()) - 1;
  while (at > 0 && claims[at - 1].entry == claim.entry) --at;  // claims of one entry are adjacent
  for (; at < claims.size() && claims[at].entry == claim.entry; ++at) {
    if (is_same_hit(claims[at], claim)) hit.push_back(&claims[at]);
  }
  return hit;
}

Json sources_json(const LinkRules& rules, const Claim& claim, bool allowed) {
  Json list = Json::array();
  for (const PaymentSource source : payment_sources) {
    if (rules.wager.pays_from(source, claim.level.has_value()) == allowed) {
      list.push_back(name(source));
    }
  }
  return list;
}

std::optional<Amount> opened_after(const State& state, const Claim& claim) {
  if (!has_meter_amount(claim)) return std::nullopt;
  if (!claim.whole_meter) {
    Amount left = claim.meter_before;
    for (const Claim* share : claims_of_hit(state.claims(), claim)) left -= share->amount;
    return left;
  }
  // The remainder on the meter: the fraction of a cent, and the excess over a payout limit.
  const Amount kept = claim.meter_before - claim.meter_before.whole_cents();
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
  Json json = hand_json(shown.hand);
  json["entry"] = shown.entry.value();
  json["claims"] = claims_of(state, shown.awards);
  json["void"] = round.is_void(shown.hand.seat);
  return json;
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

// The newest `most`, newest first.
template <class Kept, class EntryOf>
std::vector<const Kept*> newest(const std::vector<Kept>& all, std::size_t most,
                                const EntryOf& entry_of) {
  std::vector<const Kept*> list;
  list.reserve(all.size());
  for (const Kept& one : all) list.push_back(&one);
  std::stable_sort(list.begin(), list.end(), [&](const Kept* one, const Kept* other) {
    return entry_of(*one) > entry_of(*other);
  });
  if (list.size() > most) list.resize(most);
  return list;
}

}  // namespace

Json pots_json(const State& state, TableIndex table, std::size_t most) {
  // A correction makes a pot newer.
  const auto pots =
      newest(state.session(table).pots(), most, [](const PlayedPot& pot) { return pot.entry; });
  return json_list(pots, [&](const PlayedPot* pot) {
    return Json{{"pot", pot->id.text()},
                {"amount", text_cents(pot->pot)},
                {"board", cards_json(pot->board)},
                {"showdown", pot->showdown},
                {"hands", json_list(pot->hands, hand_json)},
                {"entry", pot->entry.value()},
                {"claims", claims_of(state, pot->awards)}};
  });
}

Json rounds_json(const State& state, TableIndex table, std::size_t most) {
  const auto rounds = newest(state.session(table).rounds(), most, [](const Round& round) {
    EntryNumber last = round.dealer.entry;
    for (const SeatShown& shown : round.shown) last = std::max(last, shown.entry);
    return last;
  });
  return json_list(rounds, [&](const Round* round) {
    const auto shown = [&](const SeatShown& one) { return shown_json(state, *round, one); };
    return Json{{"round", round->id.text()},           {"blocked", round->blocked},
                {"dealer_shown", round->dealer_shown}, {"dealer", dealer_json(state, *round)},
                {"void", numbers_json(round->voided)}, {"hands", json_list(round->shown, shown)}};
  });
}

}  // namespace linkmeter
