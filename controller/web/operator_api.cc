#include "controller/web/operator_api.h"

#include <algorithm>
#include <vector>

#include "meters/state/claim.h"
#include "meters/values/gaming_day.h"
#include "meters/values/hex.h"
#include "meters/values/limits.h"
#include "meters/values/number.h"

namespace linkmeter {
namespace {

using Read = std::variant<WebCommand, WebResponse>;

// "/api/claims/7/validate" -> {"claims", "7", "validate"}.
std::vector<std::string> parts_of(std::string_view path) {
  constexpr std::string_view root = "/api/";
  std::vector<std::string> parts;
  if (!path.starts_with(root)) return parts;
  path.remove_prefix(root.size());
  while (true) {
    const std::size_t end = path.find('/');
    parts.emplace_back(path.substr(0, end));
    if (end == std::string_view::npos) return parts;
    path.remove_prefix(end + 1);
  }
}

WebResponse missing(const std::string& key, const std::string& what) {
  return web_refusal(400, key + "_malformed", "\"" + key + "\" is " + what);
}

Read reject(ClaimNumber claim, const Json& body) {
  const auto reason = parse_reject_reason(body_text(body, "reason"));
  if (!reason) return missing("reason", "one of the reasons for a rejection");
  return WebCommand{RejectClaim{claim, *reason, body_text(body, "note")}, claim};
}

Read issue(ClaimNumber claim, const Json& body) {
  const auto source = parse_payment_source(body_text(body, "source"));
  if (!source) return missing("source", "table_inventory, game_account or hand_pay");
  return WebCommand{IssueSlip{claim, *source}, claim};
}

// From the source that the slip says, so that nobody types it twice.
Read pay(ClaimNumber claim, const Json& body, const State& state) {
  const auto said = body.find("slip");
  SlipNumber number;
  if (said != body.end() && said->is_number_unsigned()) {
    number = SlipNumber(said->get<std::uint64_t>());
  } else if (said != body.end() && !said->is_null()) {
    return missing("slip", "the number of the claim's slip");
  }
  const Slip* slip = state.find_slip(number);
  PayClaim paying{claim, slip == nullptr ? PaymentSource::hand_pay : slip->source, number};
  return WebCommand{paying, claim};
}

std::optional<Read> of_claim(const std::string& number, const std::string& what, const Json& body,
                             const State& state) {
  const auto parsed = parse_number(number);
  if (!parsed) return std::nullopt;
  const ClaimNumber claim(*parsed);
  if (what == "validate") {
    return WebCommand{ValidateClaim{claim, Badge(body_text(body, "notified"))}, claim};
  }
  if (what == "countersign") return WebCommand{CountersignClaim{claim}, claim};
  if (what == "reject") return reject(claim, body);
  if (what == "slip") return issue(claim, body);
  if (what == "pay") return pay(claim, body, state);
  return std::nullopt;
}

std::optional<Read> of_slip(const std::string& number, const Json& body, const State& state) {
  const auto parsed = parse_number(number);
  if (!parsed) return std::nullopt;
  const auto reason = parse_void_reason(body_text(body, "reason"));
  if (!reason) return missing("reason", "one of the reasons for a void");
  const Slip* slip = state.find_slip(SlipNumber(*parsed));
  return WebCommand{VoidSlip{SlipNumber(*parsed), *reason, body_text(body, "note")},
                    slip == nullptr ? ClaimNumber() : slip->claim};
}

// "12.34" of a body, where it may be missing.
std::optional<Amount> cents_of(const Json& body, const char* key) {
  return parse_cents(body_text(body, key));
}

Read adjust_display(const std::string& link, const Json& body) {
  AdjustDisplay act{
      LinkId(link), {}, {}, body_text(body, "note"), Badge(body_text(body, "witness"))};
  const auto kept = cents_of(body, "kept");
  if (!kept) return missing("kept", "dollars and cents, \"311.00\"");
  act.kept = *kept;
  const auto shown = body.find("shown");
  if (shown == body.end() || shown->is_null()) return WebCommand{std::move(act), {}};
  act.shown = cents_of(body, "shown");
  if (!act.shown) return missing("shown", "dollars and cents, \"311.00\", or null");
  return WebCommand{std::move(act), {}};
}

std::optional<Read> of_link(const std::string& link, const std::string& what, const Json& body) {
  if (what == "display") return adjust_display(link, body);
  if (what == "suspend") return WebCommand{SuspendLink{LinkId(link), body_text(body, "note")}, {}};
  if (what != "notice") return std::nullopt;
  const auto posted = body.find("posted");
  if (posted == body.end() || !posted->is_boolean()) return missing("posted", "true or false");
  return WebCommand{PostNotice{LinkId(link), *posted == true}, {}};
}

std::optional<Read> of_table(const std::string& table, const std::string& what, const Json& body) {
  if (what != "freeze") return std::nullopt;
  return WebCommand{FreezeTable{TableId(table), body_text(body, "note")}, {}};
}

// "As Ks Qs", or ["As","Ks","Qs"].
std::optional<std::vector<Card>> cards_of(const Json& body, const char* key = "cards") {
  const auto said = body.find(key);
  if (said == body.end()) return std::nullopt;
  if (said->is_string()) return parse_cards(said->get<std::string>());
  if (!said->is_array()) return std::nullopt;
  std::vector<Card> cards;
  for (const Json& one : *said) {
    const auto card = one.is_string() ? parse_card(one.get<std::string>()) : std::nullopt;
    if (!card) return std::nullopt;
    cards.push_back(*card);
  }
  return cards;
}

Read correct(const std::string& table, const std::string& round, const Json& body) {
  CorrectHand hand;
  hand.table = TableId(table);
  hand.round = RoundId(round);
  bool is_folded = false, is_no_hand = false;
  const auto seat = body.find("seat");
  constexpr std::uint64_t seat_max = 255;
  if (seat == body.end() || !seat->is_number_unsigned() || seat->get<std::uint64_t>() > seat_max) {
    return missing("seat", "the number of a seat");
  }
  hand.seat = Seat(seat->get<std::uint8_t>());
  for (const auto& [key, said] :
       {std::pair("folded", &is_folded), std::pair("no_hand", &is_no_hand)}) {
    const auto found = body.find(key);
    if (found != body.end() && !found->is_boolean()) return missing(key, "true or false");
    *said = found != body.end() && found->get<bool>();
  }
  if (is_folded && is_no_hand) return missing("folded", "false where nobody has a hand");
  hand.folded = is_folded;
  // "no_hand" says that there is no hand; an empty field alone does not.
  auto cards = is_no_hand && !body.contains("cards") ? std::vector<Card>() : cards_of(body);
  if (!cards || cards->size() > limits::cards_per_hand_max ||
      (cards->empty() && !is_folded && !is_no_hand)) {
    return missing("cards", "all the hand's cards, as \"As Ks Qs\"");
  }
  if (is_no_hand && !cards->empty()) return missing("cards", "empty where nobody has a hand");
  hand.cards = std::move(*cards);
  const auto reason = parse_hand_reason(body_text(body, "reason"));
  if (!reason) return missing("reason", "one of the reasons for a correction");
  hand.reason = *reason;
  hand.note = body_text(body, "note");
  return WebCommand{std::move(hand), {}};
}

// The cards of a body where they may be missing; false: what is there is not a list of cards.
bool take_cards(const Json& body, const char* key, std::optional<std::vector<Card>>& cards) {
  const auto said = body.find(key);
  if (said == body.end() || said->is_null()) return true;
  cards = cards_of(body, key);
  return cards && cards->size() <= limits::cards_per_hand_max;
}

std::optional<HandReason> hand_reason_of(const Json& body) {
  return parse_hand_reason(body_text(body, "reason"));
}

Read correct_dealer(const std::string& table, const std::string& round, const Json& body) {
  CorrectDealer act;
  act.table = TableId(table);
  act.round = RoundId(round);
  if (!take_cards(body, "cards", act.cards)) {
    return missing("cards", "all the dealer's cards, as \"As Ks Qs\"");
  }
  if (!take_cards(body, "board", act.board)) return missing("board", "cards, as \"As Ks Qs\"");
  const auto magic = body.find("magic");
  if (magic != body.end() && !magic->is_null()) {
    act.magic = magic->is_string() ? parse_card(magic->get<std::string>()) : std::nullopt;
    if (!act.magic) return missing("magic", "a card, as \"7h\"");
  }
  const auto lucky = body.find("lucky");
  constexpr std::uint64_t seat_max = 255;
  if (lucky != body.end() && !lucky->is_null()) {
    if (!lucky->is_number_unsigned() || lucky->get<std::uint64_t>() > seat_max) {
      return missing("lucky", "the number of a seat, or 0 for the dealer");
    }
    act.lucky = Seat(lucky->get<std::uint8_t>());
  }
  const auto reason = hand_reason_of(body);
  if (!reason) return missing("reason", "one of the reasons for a correction");
  act.reason = *reason;
  act.note = body_text(body, "note");
  return WebCommand{std::move(act), {}};
}

std::optional<CorrectPot::Hand> pot_hand_of(const Json& body) {
  CorrectPot::Hand hand;
  if (!body.is_object()) return std::nullopt;
  const auto seat = body.find("seat");
  constexpr std::uint64_t seat_max = 255;
  if (seat == body.end() || !seat->is_number_unsigned() || seat->get<std::uint64_t>() > seat_max) {
    return std::nullopt;
  }
  hand.seat = Seat(seat->get<std::uint8_t>());
  for (const auto& [key, said] :
       {std::pair("folded", &hand.folded), std::pair("not_dealt_in", &hand.not_dealt_in)}) {
    const auto found = body.find(key);
    if (found != body.end() && !found->is_boolean()) return std::nullopt;
    *said = found != body.end() && found->get<bool>();
  }
  std::optional<std::vector<Card>> cards;
  if (!take_cards(body, "cards", cards)) return std::nullopt;
  hand.cards = std::move(cards).value_or(std::vector<Card>());
  if (hand.not_dealt_in && (hand.folded || !hand.cards.empty())) return std::nullopt;
  return hand;
}

Read correct_pot(const std::string& table, const std::string& pot, const Json& body) {
  CorrectPot act;
  act.table = TableId(table);
  act.round = RoundId(pot);
  const auto hands = body.find("hands");
  if (hands != body.end() && (!hands->is_array() || hands->size() > limits::seats_max)) {
    return missing("hands", "a list of seats and their cards");
  }
  if (hands != body.end()) {
    for (const Json& one : *hands) {
      auto hand = pot_hand_of(one);
      if (!hand) return missing("hands", "a list of seats and their cards");
      act.hands.push_back(std::move(*hand));
    }
  }
  if (!take_cards(body, "board", act.board)) return missing("board", "cards, as \"As Ks Qs\"");
  const auto showdown = body.find("showdown");
  if (showdown != body.end() && !showdown->is_null()) {
    if (!showdown->is_boolean()) return missing("showdown", "true or false");
    act.showdown = showdown->get<bool>();
  }
  const auto reason = hand_reason_of(body);
  if (!reason) return missing("reason", "one of the reasons for a correction");
  act.reason = *reason;
  act.note = body_text(body, "note");
  return WebCommand{std::move(act), {}};
}

}  // namespace

std::string body_text(const Json& body, const char* key) {
  const auto found = body.find(key);
  return found == body.end() || !found->is_string() ? "" : found->get<std::string>();
}

namespace {

Read explain_variance(GamingDay day, const Json& body) {
  ExplainVariance act{
      day, body_text(body, "item"), body_text(body, "difference"), body_text(body, "note"), {}};
  const auto entry = body.find("corrected_by");
  if (entry == body.end() || entry->is_null()) return WebCommand{std::move(act), {}};
  if (!entry->is_number_unsigned()) return missing("corrected_by", "the number of an entry");
  act.corrected_by = EntryNumber(entry->get<std::uint64_t>());
  return WebCommand{std::move(act), {}};
}

Read record_count(GamingDay day, const Json& body) {
  const auto kind = parse_count_kind(body_text(body, "kind"));
  if (!kind) return missing("kind", "poker_box, fund_kept or chips");
  const auto amount = cents_of(body, "amount");
  if (!amount) return missing("amount", "dollars and cents, \"311.00\"");
  return WebCommand{
      RecordCount{day, *kind, TableId(body_text(body, "table")), LinkId(body_text(body, "link")),
                  *amount, body_text(body, "note"), Badge(body_text(body, "witness")),
                  body_text(body, "notice"), body_text(body, "recording")},
      {}};
}

// "verified" is null, or missing, where locked boxes were carried that nobody had counted.
Read move_fund(GamingDay day, const Json& body) {
  MoveFund act{day,
               LinkId(body_text(body, "link")),
               {},
               {},
               body_text(body, "note"),
               Badge(body_text(body, "carried_by")),
               Badge(body_text(body, "accounted_by"))};
  const auto tables = body.find("tables");
  if (tables == body.end() || !tables->is_array() || tables->size() > limits::tables_max) {
    return missing("tables", "a list of tables");
  }
  for (const Json& table : *tables) {
    if (!table.is_string()) return missing("tables", "a list of tables");
    act.tables.emplace_back(table.get<std::string>());
  }
  const auto verified = body.find("verified");
  if (verified == body.end() || verified->is_null()) return WebCommand{std::move(act), {}};
  act.verified = cents_of(body, "verified");
  if (!act.verified) return missing("verified", "dollars and cents, \"311.00\", or null");
  return WebCommand{std::move(act), {}};
}

std::optional<Read> of_day(const std::string& name, const std::string& what, const Json& body) {
  const auto day = parse_gaming_day(name);
  if (!day) return std::nullopt;
  if (what == "explain") return explain_variance(*day, body);
  if (what == "count") return record_count(*day, body);
  if (what == "transfer") return move_fund(*day, body);
  if (what != "sign" && what != "close") return std::nullopt;
  const auto report = parse_digest(body_text(body, "report"));
  if (!report) return missing("report", "the SHA-256 of the report that was read");
  if (what == "sign") return WebCommand{SignDay{*day, *report}, {}};
  return WebCommand{CloseDay{*day, *report}, {}};
}

Read take_reading(const Json& body) {
  TakeReading act;
  act.note = body_text(body, "note");
  const auto seen = body.find("seen");
  constexpr std::size_t seen_max = 1'000;
  if (seen != body.end() && (!seen->is_array() || seen->size() > seen_max)) {
    return missing("seen", "a list of links, levels and amounts");
  }
  if (seen == body.end()) return WebCommand{std::move(act), {}};
  for (const Json& one : *seen) {
    const auto amount = one.is_object() ? cents_of(one, "amount") : std::nullopt;
    if (!amount) return missing("seen", "a list of links, levels and amounts");
    act.seen.push_back({LinkId(body_text(one, "link")), LevelId(body_text(one, "level")), *amount});
  }
  return WebCommand{std::move(act), {}};
}

}  // namespace

std::optional<Read> web_act(const std::string& path, const Json& body, const State& state) {
  const std::vector<std::string> parts = parts_of(path);
  if (parts == std::vector<std::string>{"pin"}) return WebCommand{ChangePin{}, {}};
  if (parts == std::vector<std::string>{"readings"}) return take_reading(body);
  if (parts.size() < 3) return std::nullopt;
  const std::string& what = parts.back();
  if (parts[0] == "claims" && parts.size() == 3) return of_claim(parts[1], what, body, state);
  if (parts[0] == "days" && parts.size() == 3) return of_day(parts[1], what, body);
  if (parts[0] == "slips" && parts.size() == 3 && what == "void") {
    return of_slip(parts[1], body, state);
  }
  // Ids may have slashes.
  const auto joined = [&parts](std::size_t from, std::size_t end) {
    std::string id = parts[from];
    for (std::size_t at = from + 1; at < end; ++at) id += "/" + parts[at];
    return id;
  };
  if (parts[0] == "tables" && (what == "correct" || what == "correct_dealer")) {
    const auto named = std::find_if(parts.begin() + 2, parts.end() - 1, [](const auto& part) {
      return part == "rounds" || part == "pots";
    });
    const auto at = static_cast<std::size_t>(named - parts.begin());
    if (at + 2 >= parts.size()) return std::nullopt;
    const std::string table = joined(1, at), round = joined(at + 1, parts.size() - 1);
    const bool is_pot = parts[at] == "pots";
    if (what == "correct")
      return is_pot ? correct_pot(table, round, body) : correct(table, round, body);
    return is_pot ? std::nullopt : std::optional(correct_dealer(table, round, body));
  }
  if (parts[0] == "tables") return of_table(joined(1, parts.size() - 1), what, body);
  if (parts[0] != "links") return std::nullopt;
  return of_link(joined(1, parts.size() - 1), what, body);
}

WebResponse web_busy() {
  WebResponse no = web_refusal(503, "busy", "there is too much to do at this moment; try again");
  no.headers.emplace_back("Retry-After", "2");
  return no;
}

int web_status_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::pin_wrong:
    case Refusal::person_unknown:
    case Refusal::person_locked: return 401;
    case Refusal::right_missing:
    case Refusal::same_hand:
    case Refusal::same_person:
    case Refusal::same_department:
    case Refusal::pin_to_be_changed: return 403;
    case Refusal::claim_unknown:
    case Refusal::slip_unknown:
    case Refusal::table_unknown:
    case Refusal::round_unknown:
    case Refusal::pot_unknown:
    case Refusal::link_unknown:
    case Refusal::day_unknown:
    case Refusal::item_unknown:
    case Refusal::entry_unknown: return 404;
    case Refusal::message_malformed:
    case Refusal::pin_malformed:
    case Refusal::pin_too_simple:
    case Refusal::name_malformed: return 400;
    default: return 409;
  }
}

}  // namespace linkmeter
