#include "controller/web/web_command.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "controller/web/responses.h"
#include "meters/state/slip.h"
#include "meters/values/gaming_day.h"
#include "meters/values/hex.h"
#include "meters/values/limits.h"

namespace linkmeter {

std::string body_text(const Json& body, const char* key) {
  const auto found = body.find(key);
  return found == body.end() || !found->is_string() ? "" : found->get<std::string>();
}

namespace {

constexpr const char* cents_form = "dollars and cents, \"311.00\"";
constexpr const char* cents_or_null_form = "dollars and cents, \"311.00\", or null";
constexpr const char* hand_reason_form = "one of the reasons for a correction";

// "12.34"; nullopt: missing, or not in that form.
std::optional<Amount> cents_of(const Json& body, const char* key) {
  return parse_cents(body_text(body, key));
}

// nullopt: missing, or no number of a seat.
std::optional<Seat> seat_of(const Json& body, const char* key) {
  constexpr std::uint64_t seat_max = 255;
  const auto found = body.find(key);
  if (found == body.end() || !found->is_number_unsigned()) return std::nullopt;
  if (found->get<std::uint64_t>() > seat_max) return std::nullopt;
  return Seat(found->get<std::uint8_t>());
}

// False if missing; nullopt: neither true nor false.
std::optional<bool> flag_of(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end()) return false;
  return found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
}

// Whether the body has a value under `key`. A null is none.
bool has(const Json& body, const char* key) {
  const auto found = body.find(key);
  return found != body.end() && !found->is_null();
}

// "As Ks Qs", or ["As","Ks","Qs"]; nullopt: missing, or not in either form.
std::optional<std::vector<Card>> cards_of(const Json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end()) return std::nullopt;
  if (found->is_string()) return parse_cards(found->get<std::string>());
  if (!found->is_array()) return std::nullopt;
  std::vector<Card> cards;
  for (const Json& one : *found) {
    const auto card = one.is_string() ? parse_card(one.get<std::string>()) : std::nullopt;
    if (!card) return std::nullopt;
    cards.push_back(*card);
  }
  return cards;
}

// Reads cards that may be missing. False: the value is not a list of cards.
bool read_cards(const Json& body, const char* key, std::optional<std::vector<Card>>& cards) {
  if (!has(body, key)) return true;
  cards = cards_of(body, key);
  return cards && cards->size() <= limits::cards_per_hand_max;
}

// ---- the person ----

CommandOrRefusal change_pin(const PathVariables& /*path*/, const Json& /*body*/,
                            const State& /*state*/) {
  return WebCommand{ChangePin{}};
}

// ---- claims ----

// The reader of a command about the claim whose number is in the path.
template <CommandOrRefusal (*read)(ClaimNumber claim, const Json& body, const State& state)>
CommandOrRefusal of_claim(const PathVariables& path, const Json& body, const State& state) {
  const auto number = path.number("claim");
  return number ? read(ClaimNumber(*number), body, state) : not_found();
}

CommandOrRefusal validate(ClaimNumber claim, const Json& body, const State& /*state*/) {
  return WebCommand{ValidateClaim{claim, Badge(body_text(body, "notified"))}, claim};
}

CommandOrRefusal countersign(ClaimNumber claim, const Json& /*body*/, const State& /*state*/) {
  return WebCommand{CountersignClaim{claim}, claim};
}

CommandOrRefusal reject(ClaimNumber claim, const Json& body, const State& /*state*/) {
  const auto reason = parse_reject_reason(body_text(body, "reason"));
  if (!reason) return malformed("reason", "one of the reasons for a rejection");
  return WebCommand{RejectClaim{claim, *reason, body_text(body, "note")}, claim};
}

CommandOrRefusal issue_slip(ClaimNumber claim, const Json& body, const State& /*state*/) {
  const auto source = parse_payment_source(body_text(body, "source"));
  if (!source) return malformed("source", "table_inventory, game_account or hand_pay");
  return WebCommand{IssueSlip{claim, *source}, claim};
}

// Pays from the source that the slip names, so that nobody types it twice.
CommandOrRefusal pay(ClaimNumber claim, const Json& body, const State& state) {
  SlipNumber number;
  if (has(body, "slip")) {
    const Json& given = body.at("slip");
    if (!given.is_number_unsigned()) return malformed("slip", "the number of the claim's slip");
    number = SlipNumber(given.get<std::uint64_t>());
  }
  const Slip* slip = state.find_slip(number);
  PayClaim paying{claim, slip == nullptr ? PaymentSource::hand_pay : slip->source, number};
  return WebCommand{paying, claim};
}

CommandOrRefusal void_slip(const PathVariables& path, const Json& body, const State& state) {
  const auto number = path.number("slip");
  if (!number) return not_found();
  const auto reason = parse_void_reason(body_text(body, "reason"));
  if (!reason) return malformed("reason", "one of the reasons for a void");
  const Slip* slip = state.find_slip(SlipNumber(*number));
  return WebCommand{VoidSlip{SlipNumber(*number), *reason, body_text(body, "note")},
                    slip == nullptr ? ClaimNumber() : slip->claim};
}

// ---- links and tables ----

CommandOrRefusal adjust_display(const PathVariables& path, const Json& body,
                                const State& /*state*/) {
  AdjustDisplay act{LinkId(path.text("link")),
                    {},
                    {},
                    body_text(body, "note"),
                    Badge(body_text(body, "witness"))};
  const auto kept = cents_of(body, "kept");
  if (!kept) return malformed("kept", cents_form);
  act.kept = *kept;
  if (!has(body, "shown")) return WebCommand{std::move(act)};
  act.shown = cents_of(body, "shown");
  if (!act.shown) return malformed("shown", cents_or_null_form);
  return WebCommand{std::move(act)};
}

CommandOrRefusal suspend(const PathVariables& path, const Json& body, const State& /*state*/) {
  return WebCommand{SuspendLink{LinkId(path.text("link")), body_text(body, "note")}};
}

CommandOrRefusal post_notice(const PathVariables& path, const Json& body, const State& /*state*/) {
  const auto posted = body.find("posted");
  if (posted == body.end() || !posted->is_boolean()) return malformed("posted", "true or false");
  return WebCommand{PostNotice{LinkId(path.text("link")), posted->get<bool>()}};
}

CommandOrRefusal freeze(const PathVariables& path, const Json& body, const State& /*state*/) {
  return WebCommand{FreezeTable{TableId(path.text("table")), body_text(body, "note")}};
}

// ---- corrections ----

CommandOrRefusal correct_hand(const PathVariables& path, const Json& body, const State& /*state*/) {
  CorrectHand hand;
  hand.table = TableId(path.text("table"));
  hand.round = RoundId(path.text("round"));
  const auto seat = seat_of(body, "seat");
  if (!seat) return malformed("seat", "the number of a seat");
  hand.seat = *seat;
  const auto folded = flag_of(body, "folded"), no_hand = flag_of(body, "no_hand");
  if (!folded) return malformed("folded", "true or false");
  if (!no_hand) return malformed("no_hand", "true or false");
  if (*folded && *no_hand) return malformed("folded", "false if there is no hand");
  hand.folded = *folded;
  // "no_hand" says that there is no hand; an empty field alone does not.
  auto cards = *no_hand && !body.contains("cards") ? std::vector<Card>() : cards_of(body, "cards");
  if (!cards || cards->size() > limits::cards_per_hand_max ||
      (cards->empty() && !*folded && !*no_hand)) {
    return malformed("cards", "all cards of the hand, as \"As Ks Qs\"");
  }
  if (*no_hand && !cards->empty()) return malformed("cards", "empty if there is no hand");
  hand.cards = std::move(*cards);
  const auto reason = parse_hand_reason(body_text(body, "reason"));
  if (!reason) return malformed("reason", hand_reason_form);
  hand.reason = *reason;
  hand.note = body_text(body, "note");
  return WebCommand{std::move(hand)};
}

CommandOrRefusal correct_dealer(const PathVariables& path, const Json& body,
                                const State& /*state*/) {
  CorrectDealer act;
  act.table = TableId(path.text("table"));
  act.round = RoundId(path.text("round"));
  if (!read_cards(body, "cards", act.cards)) {
    return malformed("cards", "all cards of the dealer, as \"As Ks Qs\"");
  }
  if (!read_cards(body, "board", act.board)) return malformed("board", "cards, as \"As Ks Qs\"");
  if (has(body, "magic")) {
    act.magic = parse_card(body_text(body, "magic"));
    if (!act.magic) return malformed("magic", "a card, as \"7h\"");
  }
  if (has(body, "lucky")) {
    act.lucky = seat_of(body, "lucky");
    if (!act.lucky) return malformed("lucky", "the number of a seat, or 0 for the dealer");
  }
  const auto reason = parse_hand_reason(body_text(body, "reason"));
  if (!reason) return malformed("reason", hand_reason_form);
  act.reason = *reason;
  act.note = body_text(body, "note");
  return WebCommand{std::move(act)};
}

std::optional<CorrectPot::Hand> pot_hand_of(const Json& body) {
  CorrectPot::Hand hand;
  if (!body.is_object()) return std::nullopt;
  const auto seat = seat_of(body, "seat");
  const auto folded = flag_of(body, "folded"), not_dealt_in = flag_of(body, "not_dealt_in");
  if (!seat || !folded || !not_dealt_in) return std::nullopt;
  hand.seat = *seat;
  hand.folded = *folded;
  hand.not_dealt_in = *not_dealt_in;
  std::optional<std::vector<Card>> cards;
  if (!read_cards(body, "cards", cards)) return std::nullopt;
  hand.cards = std::move(cards).value_or(std::vector<Card>());
  if (hand.not_dealt_in && (hand.folded || !hand.cards.empty())) return std::nullopt;
  return hand;
}

CommandOrRefusal correct_pot(const PathVariables& path, const Json& body, const State& /*state*/) {
  CorrectPot act;
  act.table = TableId(path.text("table"));
  act.round = RoundId(path.text("pot"));
  const auto hands = body.find("hands");
  if (hands != body.end() && (!hands->is_array() || hands->size() > limits::seats_max)) {
    return malformed("hands", "a list of seats and their cards");
  }
  if (hands != body.end()) {
    for (const Json& one : *hands) {
      auto hand = pot_hand_of(one);
      if (!hand) return malformed("hands", "a list of seats and their cards");
      act.hands.push_back(std::move(*hand));
    }
  }
  if (!read_cards(body, "board", act.board)) return malformed("board", "cards, as \"As Ks Qs\"");
  if (has(body, "showdown")) {
    act.showdown = flag_of(body, "showdown");
    if (!act.showdown) return malformed("showdown", "true or false");
  }
  const auto reason = parse_hand_reason(body_text(body, "reason"));
  if (!reason) return malformed("reason", hand_reason_form);
  act.reason = *reason;
  act.note = body_text(body, "note");
  return WebCommand{std::move(act)};
}

// ---- gaming days ----

// The reader of a command about the gaming day in the path.
template <CommandOrRefusal (*read)(GamingDay day, const Json& body)>
CommandOrRefusal of_day(const PathVariables& path, const Json& body, const State& /*state*/) {
  const auto day = parse_gaming_day(path.text("day"));
  return day ? read(*day, body) : not_found();
}

CommandOrRefusal explain_variance(GamingDay day, const Json& body) {
  ExplainVariance act{
      day, body_text(body, "item"), body_text(body, "difference"), body_text(body, "note"), {}};
  if (!has(body, "corrected_by")) return WebCommand{std::move(act)};
  const Json& entry = body.at("corrected_by");
  if (!entry.is_number_unsigned()) return malformed("corrected_by", "the number of an entry");
  act.corrected_by = EntryNumber(entry.get<std::uint64_t>());
  return WebCommand{std::move(act)};
}

CommandOrRefusal record_count(GamingDay day, const Json& body) {
  const auto kind = parse_count_kind(body_text(body, "kind"));
  if (!kind) return malformed("kind", "poker_box, fund_kept or chips");
  const auto amount = cents_of(body, "amount");
  if (!amount) return malformed("amount", cents_form);
  return WebCommand{RecordCount{day, *kind, TableId(body_text(body, "table")),
                                LinkId(body_text(body, "link")), *amount, body_text(body, "note"),
                                Badge(body_text(body, "witness")), body_text(body, "notice"),
                                body_text(body, "recording")}};
}

// "verified" is null or missing if locked boxes were carried that nobody had counted.
CommandOrRefusal move_fund(GamingDay day, const Json& body) {
  MoveFund act{day,
               LinkId(body_text(body, "link")),
               {},
               {},
               body_text(body, "note"),
               Badge(body_text(body, "carried_by")),
               Badge(body_text(body, "accounted_by"))};
  const auto tables = body.find("tables");
  if (tables == body.end() || !tables->is_array() || tables->size() > limits::tables_max) {
    return malformed("tables", "a list of tables");
  }
  for (const Json& table : *tables) {
    if (!table.is_string()) return malformed("tables", "a list of tables");
    act.tables.emplace_back(table.get<std::string>());
  }
  if (!has(body, "verified")) return WebCommand{std::move(act)};
  act.verified = cents_of(body, "verified");
  if (!act.verified) return malformed("verified", cents_or_null_form);
  return WebCommand{std::move(act)};
}

// Signs or closes a day, by the digest of its report.
template <class Command>
CommandOrRefusal by_report(GamingDay day, const Json& body) {
  const auto report = parse_digest(body_text(body, "report"));
  if (!report) return malformed("report", "the SHA-256 of the report that was read");
  return WebCommand{Command{day, *report}};
}

CommandOrRefusal take_reading(const PathVariables& /*path*/, const Json& body,
                              const State& /*state*/) {
  TakeReading act;
  act.note = body_text(body, "note");
  const auto seen = body.find("seen");
  constexpr std::size_t seen_max = 1'000;
  if (seen != body.end() && (!seen->is_array() || seen->size() > seen_max)) {
    return malformed("seen", "a list of links, levels and amounts");
  }
  if (seen == body.end()) return WebCommand{std::move(act)};
  for (const Json& one : *seen) {
    const auto amount = one.is_object() ? cents_of(one, "amount") : std::nullopt;
    if (!amount) return malformed("seen", "a list of links, levels and amounts");
    act.seen.push_back({LinkId(body_text(one, "link")), LevelId(body_text(one, "level")), *amount});
  }
  return WebCommand{std::move(act)};
}

constexpr std::array routes = {
    CommandRoute{"/api/pin", change_pin},
    CommandRoute{"/api/claims/{claim}/validate", of_claim<validate>},
    CommandRoute{"/api/claims/{claim}/countersign", of_claim<countersign>},
    CommandRoute{"/api/claims/{claim}/reject", of_claim<reject>},
    CommandRoute{"/api/claims/{claim}/slip", of_claim<issue_slip>},
    CommandRoute{"/api/claims/{claim}/pay", of_claim<pay>},
    CommandRoute{"/api/slips/{slip}/void", void_slip},
    CommandRoute{"/api/links/{link}/display", adjust_display},
    CommandRoute{"/api/links/{link}/suspend", suspend},
    CommandRoute{"/api/links/{link}/notice", post_notice},
    CommandRoute{"/api/tables/{table}/freeze", freeze},
    CommandRoute{"/api/tables/{table}/rounds/{round}/correct", correct_hand},
    CommandRoute{"/api/tables/{table}/rounds/{round}/correct_dealer", correct_dealer},
    CommandRoute{"/api/tables/{table}/pots/{pot}/correct", correct_pot},
    CommandRoute{"/api/days/{day}/explain", of_day<explain_variance>},
    CommandRoute{"/api/days/{day}/count", of_day<record_count>},
    CommandRoute{"/api/days/{day}/transfer", of_day<move_fund>},
    CommandRoute{"/api/days/{day}/sign", of_day<by_report<SignDay>>},
    CommandRoute{"/api/days/{day}/close", of_day<by_report<CloseDay>>},
    CommandRoute{"/api/readings", take_reading},
};

}  // namespace

std::span<const CommandRoute> command_routes() { return routes; }

}  // namespace linkmeter
