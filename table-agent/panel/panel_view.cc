#include "table-agent/panel/panel_view.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "meters/state/claim.h"
#include "meters/values/refusal.h"
#include "table-agent/panel/panel_actions.h"
#include "table-agent/panel/panel_driver.h"
#include "table-agent/round/round_rules.h"

namespace linkmeter {

namespace {

using Json = nlohmann::json;
using Phase = RoundRecord::Phase;

Json none_or(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json texts_of(const std::vector<Card>& cards) {
  Json list = Json::array();
  for (const Card card : cards) list.push_back(text(card));
  return list;
}

Json offer_json(const Offer& offer) {
  Json links = Json::array();
  for (const LinkConfig& link : offer.links) {
    links.push_back({{"link", link.id.text()},
                     {"unit", link.unit ? Json(text_cents(*link.unit)) : Json()},
                     {"minimum", link.minimum ? Json(text_cents(*link.minimum)) : Json()},
                     {"maximum", link.maximum ? Json(text_cents(*link.maximum)) : Json()}});
  }
  return {{"wager", offer.wager.text()},
          {"title", offer.rules.title},
          {"placement", name(offer.rules.placement)},
          {"decided_by", name(offer.rules.decided_by)},
          {"is_drawn", offer.is_drawn},
          {"links", links}};
}

Json game_json(const TableOffers& table) {
  const GameRules& game = table.game;
  return {{"id", game.id.text()},
          {"title", game.title},
          {"player_cards_min", game.player_cards_min},
          {"player_cards_max", game.player_cards_max},
          {"dealer_cards_min", game.dealer_cards_min},
          {"dealer_cards_max", game.dealer_cards_max},
          {"board_cards_max", game.board_cards_max},
          {"decks", table.terms.decks},
          {"joker", game.joker},
          {"folds", game.folds}};
}

Json wager_json(const TableOffers& table, const AskedWager& wager, std::string_view light,
                const std::string& why) {
  const Offer& offer = table.offer(wager.wager);
  Json json = {{"wager", wager.wager.text()},
               {"title", offer.rules.title},
               {"placement", name(offer.rules.placement)},
               {"amount", text_cents(wager.amount)},
               {"on", wager.on_dealer ? "dealer" : "own"},
               {"light", light},
               {"why", none_or(why)}};
  if (!why.empty()) json["words"] = panel_words(why);
  return json;
}

const Offer* offer_of(const TableOffers& table, const LinkId& link) {
  for (const Offer& offer : table.offers) {
    for (const LinkConfig& terms : offer.links) {
      if (terms.id == link) return &offer;
    }
  }
  return nullptr;
}

// "$5,000.70"
std::string dollars_words(Amount amount) {
  std::string text = text_cents(amount);
  constexpr std::size_t cents_digits = 3, group_digits = 3;  // ".70", "000"
  for (std::size_t at = text.size() - cents_digits; at > group_digits;) {
    at -= group_digits;
    text.insert(at, 1, ',');
  }
  return "$" + text;
}

// Envy for a hand whose line raised a claim is paid when that claim is validated. `unknown`: the
// controller does not report the state of that claim.
enum class EnvyState : std::uint8_t { due, paid_before, owed, unknown, gone };
EnvyState envy_state(const PanelState& scene, const AwardNotice& award) {
  if (!award.waits_for) {
    return scene.round.was_paid_before(award) ? EnvyState::paid_before : EnvyState::due;
  }
  const ClaimNotice* claim = find_claim(scene, *award.waits_for);
  if (claim == nullptr) {
    return scene.round.has_just_raised(*award.waits_for) ? EnvyState::owed : EnvyState::unknown;
  }
  if (claim->envy == "owed") return EnvyState::owed;
  return claim->envy == "due" ? EnvyState::due : EnvyState::gone;
}

std::string_view pay_of(const AwardNotice& award, EnvyState envy) {
  if (award.claim || envy == EnvyState::owed || envy == EnvyState::unknown) {
    return "after_validation";
  }
  if (envy == EnvyState::paid_before) return "paid_before";
  return envy == EnvyState::gone ? "nothing" : "now";
}

bool is_electronic(const Offer* offer) {
  return offer != nullptr && offer->rules.placement == Placement::electronic;
}

// The state of the award's own claim; "": it has no claim, or the controller does not report it.
std::string claim_state(const PanelState& scene, const AwardNotice& award) {
  if (!award.claim) return "";
  if (const ClaimNotice* notice = find_claim(scene, *award.claim)) return notice->state;
  return scene.round.has_just_raised(*award.claim) ? "raised" : "";
}

std::string claim_award_words(const PanelState& scene, const AwardNotice& award, bool bars_rack) {
  const std::string who = "seat " + std::to_string(award.seat.value());
  const std::string number = std::to_string(award.claim->value());
  const std::string amount = dollars_words(award.amount);
  const std::string judge = scene.table.pot ? "poker shift supervisor" : "floor";
  const std::string state = claim_state(scene, award);
  if (state.empty()) return "Claim " + number + " of " + who + ", " + amount + ": ask the " + judge;
  if (state != "raised") {
    return "Claim " + number + " of " + who + ", " + amount + ", is " +
           claim_words(*find_claim(scene, *award.claim));
  }
  return "Call the " + judge + ": " + who + " has " + amount + ", claim " + number +
         ". Pay nothing yet; leave the cards" + (bars_rack ? ". It is not paid from the rack" : "");
}

// REQUIRES: the award has no claim of its own.
std::string award_words(const PanelState& scene, const AwardNotice& award, EnvyState envy) {
  const std::string who = "seat " + std::to_string(award.seat.value());
  const std::string amount = dollars_words(award.amount);
  const std::string claim =
      award.waits_for ? "claim " + std::to_string(award.waits_for->value()) : "";
  const std::string place =
      is_electronic(offer_of(scene.table, award.link)) ? " to the game account" : " from the rack";
  switch (envy) {
    case EnvyState::gone:
      return "Nothing for " + who + ": " + claim + " was rejected. If it was paid, take it back";
    case EnvyState::owed:
    case EnvyState::unknown:
      return "Wait: " + who + " is owed " + amount + " when " + claim +
             " is validated. Pay nothing yet" +
             (envy == EnvyState::unknown ? "; ask the floor how the claim stands" : "");
    case EnvyState::paid_before:
      return "Paid before: " + who + " keeps " + amount + ". Pay it only if it was not paid yet";
    case EnvyState::due: break;
  }
  // An award for a corrected hand is paid in full, because everything paid for the old hand is
  // taken back in full.
  if (!award.waits_for && scene.round.is_correction_unreported(award.holder.value_or(award.seat))) {
    return "Corrected: take back what " + who + " was paid for the old hand, and pay it " + amount +
           place;
  }
  return "Pay " + who + " " + amount + place + " now";
}

// What to pay, to whom and from where, as a sentence and as names.
Json award_json(const PanelState& scene, const AwardNotice& award) {
  const Offer* offer = offer_of(scene.table, award.link);
  Json json = {{"seat", award.seat.value()},
               {"line", award.line.text()},
               {"line_words", plain_words(award.line.text())},
               {"amount", text_cents(award.amount)},
               {"kind", name(award.kind)},
               {"holder", award.holder ? Json(award.holder->value()) : Json()},
               {"link", none_or(award.link.text())},
               {"level", none_or(award.level.text())},
               {"title", offer != nullptr ? Json(offer->rules.title) : Json()}};
  json["claim"] = award.claim ? Json(award.claim->value()) : Json();
  const EnvyState envy = envy_state(scene, award);
  json["waits_for"] = award.waits_for ? Json(award.waits_for->value()) : Json();
  json["claim_state"] = none_or(claim_state(scene, award));
  Json from = Json::array(), not_from = Json::array();
  const Placement placement = offer != nullptr ? offer->rules.placement : Placement::pot;
  const auto& barred =
      offer != nullptr ? offer->rules.meter_award_not_from : scene.table.pot_award_not_from;
  for (const PaymentSource source : payment_sources) {
    const bool pays = may_be_paid_from(source, placement, !award.level.empty(), barred);
    (pays ? from : not_from).push_back(name(source));
  }
  const bool bars_rack =
      std::find(not_from.begin(), not_from.end(), "table_inventory") != not_from.end();
  if (!award.claim) {
    from = Json::array({is_electronic(offer) ? "game_account" : "table_inventory"});
  }
  json["pay"] = pay_of(award, envy);
  json["from"] = from;
  json["not_from"] = not_from;
  json["cards_stay"] = award.claim.has_value();
  json["words"] =
      award.claim ? claim_award_words(scene, award, bars_rack) : award_words(scene, award, envy);
  return json;
}

// Wins stay visible until betting opens again.
std::vector<AwardNotice> wins_of(const PanelState& scene) {
  return scene.is_betting() ? std::vector<AwardNotice>() : scene.round.wins;
}

Json hand_json(const PanelState& scene, Seat seat) {
  const ShownHand* hand = scene.has_round() ? scene.round.hand_of(seat) : nullptr;
  if (hand == nullptr) return {};
  return {{"cards", texts_of(hand->cards)},
          {"folded", hand->folded},
          {"keyed", hand->keyed ? Json(hand->keyed->text()) : Json()},
          {"state", scene.round.is_waiting(seat) ? "waiting" : "settled"}};
}

// A person's correction of the seat's hand, for the dealer.
Json correction_json(const PanelState& scene, Seat seat) {
  const auto* correction = scene.has_round() ? scene.round.correction_of(seat) : nullptr;
  if (correction == nullptr) return {};
  const bool has_hand = correction->hand.has_value();
  return {
      {"state", has_hand ? "corrected" : "taken_back"},
      {"words", has_hand ? "The floor corrected this hand: pay nothing new before a claim of it "
                           "is validated"
                         : "The floor took this hand back: nothing is owed for it"}};
}

Json seat_json(const PanelState& scene, Seat seat, const std::vector<Seat>& to_show) {
  Json wagers = Json::array();
  const bool is_betting = scene.is_betting();
  for (const AskedWager& wager : scene.wagers()) {
    if (wager.seat != seat) continue;
    const bool is_refused = !is_betting && scene.round.light == RoundRecord::Light::refused;
    wagers.push_back(wager_json(scene.table, wager,
                                is_betting ? "placed" : scene.round.light_state(),
                                is_refused ? std::string(name(scene.round.why)) : std::string()));
  }
  if (scene.machine != nullptr) {
    for (const auto& [wager, why] : scene.machine->given_back()) {
      if (wager.seat == seat) wagers.push_back(wager_json(scene.table, wager, "given_back", why));
    }
  }
  Json awards = Json::array();
  for (const AwardNotice& award : wins_of(scene)) {
    if (award.seat == seat) awards.push_back(award_json(scene, award));
  }
  const SeatNeed need = need_of(scene.table, scene.round.wagers, seat);
  const std::string fault =
      scene.machine != nullptr ? scene.machine->bets().fault_of(seat) : std::string();
  return {{"seat", seat.value()},
          {"wagers", wagers},
          {"hand", hand_json(scene, seat)},
          {"correction", correction_json(scene, seat)},
          {"to_show", std::find(to_show.begin(), to_show.end(), seat) != to_show.end()},
          {"with_dealer", need.together},
          {"void", scene.has_round() && scene.round.is_void(seat)},
          {"awards", awards},
          {"fault", none_or(fault)}};
}

std::string_view envy_words(EnvyState state) {
  switch (state) {
    case EnvyState::due: return "due";
    case EnvyState::paid_before: return "paid_before";
    case EnvyState::owed: return "owed";
    case EnvyState::unknown: return "unknown";
    case EnvyState::gone: return "gone";
  }
  return "owed";
}

// Who gets envy for whose hand, in the controller's order. Envy with a claim of its own is listed
// with the claims.
Json envy_json(const PanelState& scene) {
  Json lists = Json::array();
  std::map<std::pair<int, std::string>, std::size_t> places;
  for (const AwardNotice& award : wins_of(scene)) {
    if (award.kind != AwardKind::envy || award.claim) continue;
    const int holder = award.holder ? award.holder->value() : -1;
    const auto [place, is_new] = places.try_emplace({holder, award.line.text()}, lists.size());
    if (is_new) {
      lists.push_back(
          {{"holder", award.holder ? Json(holder) : Json()},
           {"line", award.line.text()},
           {"line_words", plain_words(award.line.text())},
           {"corrected", scene.round.is_correction_unreported(award.holder.value_or(award.seat))},
           {"to", Json::array()}});
    }
    lists[place->second]["to"].push_back(
        {{"seat", award.seat.value()},
         {"amount", text_cents(award.amount)},
         {"state", envy_words(envy_state(scene, award))},
         {"claim", award.waits_for ? Json(award.waits_for->value()) : Json()}});
  }
  return lists;
}

// What was paid for void or corrected hands, and from whom to take it back.
Json take_back_json(const PanelState& scene) {
  Json list = Json::array();
  if (scene.is_betting()) return list;
  for (const AwardNotice& award : scene.round.to_take_back) {
    const Offer* offer = offer_of(scene.table, award.link);
    list.push_back(
        {{"seat", award.seat.value()},
         {"line", award.line.text()},
         {"kind", name(award.kind)},
         {"amount", text_cents(award.amount)},
         {"words", "Take back " + dollars_words(award.amount) + " from seat " +
                       std::to_string(award.seat.value()) +
                       (is_electronic(offer) ? ", off the game account" : ", into the rack")}});
  }
  return list;
}

Json count_json(const PanelState& scene) {
  const RoundRecord& round = scene.round;
  const bool is_betting = scene.is_betting();
  Json placed;
  if (is_betting && scene.machine != nullptr && !scene.is_cut_off()) {
    placed = scene.machine->bets().chips();
  }
  return {{"chips", !is_betting && round.chips ? Json(*round.chips) : Json()},
          {"expected", !is_betting && round.chips_expected ? Json(*round.chips_expected) : Json()},
          {"differs", !is_betting && round.phase == Phase::blocked},
          {"placed", placed}};
}

Json draw_json(const PanelState& scene) {
  const bool is_offered = std::any_of(scene.table.offers.begin(), scene.table.offers.end(),
                                      [](const Offer& offer) { return offer.is_drawn; });
  const std::optional<Draw> draw = scene.round.draw();
  return {{"offered", is_offered},
          {"magic", draw && draw->magic ? Json(text(*draw->magic)) : Json()},
          {"seat", draw && draw->seat ? Json(draw->seat->value()) : Json()}};
}

// The round that was left open and needs a decision, and how many wait behind it.
Json left_open_json(const PanelState& scene) {
  if (!scene.asks_about_left_open_round()) return {};
  const std::int64_t since_us = scene.round.left_open_since.microseconds();
  const bool differs = scene.round.phase == Phase::blocked;
  return {{"since_ms", since_us > 0 ? Json(since_us / 1'000) : Json()},
          {"count_differs", differs},
          {"more", scene.machine != nullptr ? scene.machine->left_open_count() : 0}};
}

// The table's claims of all rounds.
Json claims_json(const PanelState& scene) {
  Json list = Json::array();
  for (const ClaimNotice& claim : scene.claims) {
    const Offer* offer = offer_of(scene.table, claim.link);
    list.push_back({{"claim", claim.number.value()},
                    {"round", claim.round.text()},
                    {"seat", claim.seat.value()},
                    {"link", claim.link.text()},
                    {"title", offer != nullptr ? Json(offer->rules.title) : Json()},
                    {"line", claim.line.text()},
                    {"line_words", plain_words(claim.line.text())},
                    {"level", none_or(claim.level.text())},
                    {"amount", text_cents(claim.amount)},
                    {"state", claim.state},
                    {"needs", none_or(claim.needs)},
                    {"reason", none_or(claim.reason)},
                    {"slip", claim.slip.value() > 0 ? Json(claim.slip.value()) : Json()},
                    {"source", none_or(claim.source)},
                    {"words", claim_words(claim)}});
  }
  return list;
}

Json lines_json(const TableOffers& table) {
  Json list = Json::array();
  for (const LineId& line : lines_to_key(table)) {
    list.push_back({{"line", line.text()}, {"words", plain_words(line.text())}});
  }
  return list;
}

Json pot_json(const PanelState& scene) {
  const TableOffers& table = scene.table;
  if (!table.pot) return {};
  const std::vector<LinkId>& stopped = scene.stopped;
  const bool collects = std::find(stopped.begin(), stopped.end(), table.pot_link) == stopped.end();
  return {{"link", table.pot_link.text()},
          {"collects", collects},
          {"minimum", text_cents(table.pot->minimum_pot)},
          {"contribution", text_cents(collects ? table.pot->contribution : Amount())},
          {"qualifying", threshold_words(table.pot->qualifying)}};
}

Json link_json(const PanelState& scene) {
  Json suspended = Json::array();
  for (const SuspendedLink& one : scene.suspended) {
    suspended.push_back({{"link", one.link.text()}, {"reason", one.reason}});
  }
  const std::string& why = scene.locked_by;
  const bool is_linked =
      why.empty() || why == "stopping" || why == "frozen" || why == "pace_exceeded";
  const std::string words =
      why == "frozen" ? panel_words(why) + ": " + scene.frozen : panel_words(why);
  return {{"state", why.empty() ? "linked" : why},
          {"linked", is_linked},
          {"words", why.empty() ? "linked to the controller" : words},
          {"controller", none_or(scene.controller)},
          {"unacknowledged", scene.unacknowledged},
          {"suspended", suspended}};
}

Json doings_json(const PanelState& scene) {
  Json may = Json::object();
  for (const AllowedAction& doing : allowed_actions(scene)) {
    may[std::string(doing.action)] = {
        {"may", doing.why.empty()}, {"why", none_or(doing.why)}, {"words", none_or(doing.words)}};
  }
  return may;
}

Json refused_json(const PanelState& scene) {
  Json list = Json::array();
  if (scene.machine == nullptr) return list;
  for (const auto& [event, refusal] : scene.machine->refused()) {
    list.push_back(
        {{"event", event}, {"refusal", name(refusal)}, {"words", std::string(sentence(refusal))}});
  }
  return list;
}

}  // namespace

std::string plain_words(const std::string& name) {
  std::string words = name;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string panel_view_json(const PanelState& scene, const std::string& house) {
  const PanelMode mode = mode_of(scene);
  const std::vector<Seat> to_show = seats_to_show(scene);
  Json seats = Json::array(), order = Json::array(), awards = Json::array(), offers = Json::array();
  for (std::uint8_t number = 1; number <= scene.table.terms.seats; ++number) {
    seats.push_back(seat_json(scene, Seat(number), to_show));
  }
  for (const Seat seat : to_show) order.push_back(seat.value());
  for (const AwardNotice& award : wins_of(scene)) awards.push_back(award_json(scene, award));
  for (const Offer& offer : scene.table.offers) offers.push_back(offer_json(offer));
  const bool has_round = scene.has_round();
  Json view = {
      {"table", scene.table.terms.id.text()},
      {"asset", scene.table.terms.asset},
      {"house", house},
      {"game", game_json(scene.table)},
      {"offers", offers},
      {"lines", lines_json(scene.table)},
      {"pot", pot_json(scene)},
      {"only_shows", scene.only_shows()},
      {"has_device", scene.sensors.there_are},
      {"sensors_are_there", scene.sensors.are_there},
      {"connection", link_json(scene)},
      {"calls_floor", scene.calls_floor},
      {"mode", mode.name},
      {"mode_words", mode.words},
      {"round", none_or(scene.round_id().text())},
      {"next_round", scene.round.next_id().text()},
      {"count", count_json(scene)},
      {"draw", draw_json(scene)},
      {"left_open", left_open_json(scene)},
      {"seats", seats},
      {"hands_are_told", scene.machine == nullptr || scene.machine->reports_hands()},
      {"order", order},
      {"dealer",
       {{"cards", has_round ? texts_of(scene.round.dealer()) : Json::array()},
        {"to_show", dealer_is_to_show(scene)}}},
      {"board", has_round ? texts_of(scene.round.board()) : Json::array()},
      {"awards", awards},
      {"claims", claims_json(scene)},
      {"envy", envy_json(scene)},
      {"take_back", take_back_json(scene)},
      {"refused", refused_json(scene)},
      {"may", doings_json(scene)},
  };
  return view.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

using ClaimWords = std::pair<std::string_view, std::string_view>;
constexpr std::array<ClaimWords, 3> payment_places = {{
    {"hand_pay", "at the cage"},
    {"table_inventory", "from the rack"},
    {"game_account", "to the game account"},
}};
constexpr std::array<ClaimWords, 3> needs_words = {{
    {"validation", "pay nothing yet, a person verifies it first"},
    {"second_signature", "it waits for a second signature"},
    {"slip", "it waits for its slip"},
}};

template <std::size_t count>
std::string claim_words_of(const std::array<ClaimWords, count>& list, const std::string& name) {
  for (const auto& [one, words] : list) {
    if (one == name) return std::string(words);
  }
  return plain_words(name);
}

}  // namespace

std::string claim_words(const ClaimNotice& claim) {
  const std::string slip =
      claim.slip.value() > 0 ? ", on slip " + std::to_string(claim.slip.value()) : "";
  const std::string place =
      claim.source.empty() ? "" : " " + claim_words_of(payment_places, claim.source);
  if (claim.state == "paid") return "paid" + place + slip;
  if (claim.state == "rejected") {
    return "rejected" + (claim.reason.empty() ? "" : ": " + plain_words(claim.reason)) +
           "; nothing is paid";
  }
  std::string state = claim.state == "raised" ? "pending" : plain_words(claim.state);
  if (claim.needs.empty()) return state;
  if (claim.needs == "payment") return state + ": to be paid" + place + slip;
  return state + ": " + claim_words_of(needs_words, claim.needs);
}

const ClaimNotice* find_claim(const PanelState& scene, ClaimNumber number) {
  for (const ClaimNotice& claim : scene.claims) {
    if (claim.number == number) return &claim;
  }
  const auto known = scene.known_claims.find(number);
  return known == scene.known_claims.end() ? nullptr : &known->second;
}

}  // namespace linkmeter
