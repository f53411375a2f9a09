#include "controller/view/entry_json.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "controller/store/hash_chain.h"
#include "controller/view/display_names.h"
#include "controller/view/json.h"
#include "meters/game/card.h"
#include "meters/state/claim.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"

namespace linkmeter {

namespace {

Json draw_json(const Draw& draw) {
  Json result = Json::object();
  if (draw.magic) result["magic"] = text(*draw.magic);
  if (draw.seat) result["seat"] = draw.seat->value();
  return result;
}

// Adds a fact's fields to its entry's object: each member in the form of its type, in the order of
// the fact's list. What a correction replaced ("old_cards") is collected in "was". The few facts
// with an order or a form of their own have an overload.
class FactJson {
 public:
  FactJson(const Floor& floor, Json& entry) : floor_(floor), entry_(entry) {}

  template <class Listed>
  void operator()(const Listed& fact) const {
    for_each_field(fact, [&](const auto& field) { add(field); });
  }
  // Only the hands of a pot show what they won.
  void operator()(const HandsShown& shown) const {
    for_each_field(shown, [&](const auto& field) { add(field); });
    entry_["hands"] =
        json_list(shown.hands, [](const ShownHand& hand) { return hand_json(hand, false); });
  }
  void operator()(const HandCorrected& corrected) const {
    for_each_field(corrected, [&](const auto& field) {
      if (field.name == "reason" && corrected.is_no_hand()) entry_["no_hand"] = true;
      add(field);
    });
  }
  void operator()(const PotCorrected& corrected) const {
    for_each_field(corrected, [&](const auto& field) {
      if (field.name == "old_board") entry_["hands"] = nullptr;  // its place
      add(field);
    });
  }
  // Other parameters come last here, and before the person in a proposal.
  void operator()(const ActConfirmed& confirmed) const {
    put("proposal", confirmed.proposal);
    put("summary", summary(confirmed.act));
    put("proposed_by", confirmed.proposed_by);
    put("by", confirmed.by);
    put_parameters(confirmed.act);
  }

 private:
  template <class Member, Shown shown>
  void add(const Field<Member, shown>& field) const {
    using Plain = std::remove_const_t<Member>;
    const std::string key(field.name);
    if constexpr (shown == Shown::as_hex) {
      entry_[key] = hexadecimal(field.value);
    } else if constexpr (shown == Shown::always) {
      if constexpr (requires { value(field.value); }) {
        constexpr std::string_view replaced = "old_";
        if (key.starts_with(replaced)) {
          entry_["was"][key.substr(replaced.size())] = value(field.value);
          return;
        }
      }
      put(key, field.value);
    } else if constexpr (shown != Shown::never) {
      if (field.value != Plain()) {
        put(key, field.value);
      } else if (shown == Shown::or_null) {
        entry_[key] = nullptr;
      }
    }
  }

  // ---- what adds more keys than its own ---------------------------------------------------------

  template <class Single>
  void put(const std::string& key, const Single& single) const {
    entry_[key] = value(single);
  }
  void put(const std::string&, const Floor& floor) const {
    entry_["house"] = floor.house;
    const auto id = [](const auto& one) { return one.id.text(); };
    entry_["links"] = json_list(floor.links, id);
    entry_["tables"] = json_list(floor.tables, id);
  }
  void put(const std::string& key, Refusal refusal) const {
    entry_[key] = name(refusal);
    entry_["sentence"] = sentence(refusal);
  }
  void put(const std::string& key, const RejectedClaims& rejected) const {
    entry_[key] = value(rejected.claims);
    put("", rejected.hits);
  }
  // Jackpot hits, each by the lowest number of its claims.
  void put(const std::string&, const HitReversal& hits) const {
    entry_["undone"] = value(hits.undone);
    entry_["deferred"] = value(hits.deferred);
  }
  void put(const std::string& key, const std::vector<SelfChecked::Failure>& failures) const {
    entry_["passed"] = failures.empty();
    entry_[key] = value(failures);
  }
  void put(const std::string&, const DualControlCommand& act) const {
    entry_["summary"] = summary(act);
    put_parameters(act);
  }
  void put_parameters(const DualControlCommand& act) const {
    const auto* change = std::get_if<ChangeParameters>(&act);
    if (change == nullptr) return;
    entry_["since"] = change->since.value();
    entry_["changes"] = change->changes;
    entry_["floor_file"] = change->floor_text;
  }

  // ---- values -----------------------------------------------------------------------------------

  static Json value(const std::string& text) { return text; }
  template <class Number>
  requires std::is_arithmetic_v<Number>
  static Json value(Number number) { return number; }
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  static Json value(Enumeration one) { return name(one); }
  template <class Kind>
  static Json value(const Name<Kind>& id) {
    return id.text();
  }
  template <class Kind, class Integer>
  static Json value(Numbered<Kind, Integer> number) {
    return number.value();
  }
  [[nodiscard]] Json value(LinkIndex link) const { return link_name(floor_, link); }
  [[nodiscard]] Json value(TableIndex table) const { return table_name(floor_, table); }
  static Json value(Amount amount) { return text_cents(amount); }
  static Json value(Timestamp moment) { return text(moment); }
  static Json value(GamingDay day) { return text(day); }
  static Json value(const Digest& digest) { return hex(digest); }
  static Json value(Card card) { return text(card); }
  static Json value(const Draw& draw) { return draw_json(draw); }
  static Json value(const TaxThreshold& threshold) {
    return Json{{"since", threshold.date},
                {"amount", text_cents(threshold.amount)},
                {"ratio", threshold.ratio}};
  }
  static Json value(const Person& person) {
    return Json{{"badge", person.badge.text()},
                {"name", person.name},
                {"department", name(person.department)},
                {"roles", json_list(person.roles, [](Role role) { return name(role); })},
                {"pin_is_given", person.pin_set_by_other}};
  }
  static Json value(const PinsTried::Tries& one) {
    return Json{{"badge", one.badge.text()}, {"count", one.count}};
  }
  static Json value(const SelfChecked::Failure& failure) {
    return Json{{"check", failure.check}, {"words", failure.words}};
  }
  // When a person's lock ends.
  static Json value(const std::optional<Timestamp>& moment) {
    if (!moment) return nullptr;
    return *moment == until_new_pin ? Json("new_pin") : Json(text(*moment));
  }
  template <class Optional>
  [[nodiscard]] Json value(const std::optional<Optional>& one) const {
    return one ? value(*one) : Json();
  }
  template <class Element>
  [[nodiscard]] Json value(const std::vector<Element>& all) const {
    return json_list(all, [&](const Element& one) { return value(one); });
  }
  [[nodiscard]] Json value(const PlacedWager& wager) const {
    Json one{{"seat", wager.seat.value()},
             {"link", link_name(floor_, wager.link)},
             {"amount", text_cents(wager.amount)}};
    if (wager.on_dealer) one["on"] = "dealer";
    return one;
  }
  static Json value(const ShownHand& hand) { return hand_json(hand, true); }
  static Json hand_json(const ShownHand& hand, bool with_won) {
    Json one{
        {"seat", hand.seat.value()}, {"cards", cards_json(hand.cards)}, {"folded", hand.folded}};
    if (with_won) one["won"] = text_cents(hand.won);
    if (hand.keyed) one["keyed_line"] = hand.keyed->text();
    return one;
  }
  [[nodiscard]] Json value(const JackpotHit& hit) const {
    return Json{{"link", link_name(floor_, hit.link)},
                {"level", level(hit.link, hit.level)},
                {"whole", hit.whole},
                {"amount", text_cents(hit.amount)},
                {"stood", text_exact(hit.meter_before)}};
  }
  [[nodiscard]] Json value(const Award& award) const {
    Json one{{"kind", name(award.kind)},
             {"link", link_name(floor_, award.link)},
             {"seat", award.seat.value()},
             {"holder", value(award.holder)},
             {"line", award.line.text()},
             {"level", award.level ? Json(level(award.link, *award.level)) : Json()},
             {"amount", text_cents(award.amount)},
             {"claim", value(award.claim)}};
    if (award.on_dealer) one["on"] = "dealer";
    if (award.uncut) one["uncut"] = text_cents(*award.uncut);
    if (award.source) one["source"] = name(*award.source);
    if (award.waits_for) one["waits_for"] = award.waits_for->value();
    return one;
  }
  [[nodiscard]] Json value(const SeenAmount& seen) const {
    return Json{{"link", link_name(floor_, seen.link)},
                {"level", level(seen.link, seen.level)},
                {"amount", text_cents(seen.amount)}};
  }
  [[nodiscard]] Json value(const LinkCount& count) const {
    return Json{{"link", link_name(floor_, count.link)},
                {"rounds", count.rounds},
                {"wagers", count.wagers},
                {"handle", text_cents(count.handle)}};
  }
  [[nodiscard]] Json value(const Reading& reading) const { return reading_json(reading, floor_); }
  [[nodiscard]] std::string level(LinkIndex link, LevelIndex level) const {
    return pool_name(floor_, link, Pool::level(level));
  }

  const Floor& floor_;
  Json& entry_;
};

}  // namespace

std::string entry_json(const Entry& entry, const Floor& floor, const Digest& hash) {
  Json line{{"entry", entry.number.value()},
            {"fact", name(entry.fact)},
            {"recorded_at", text(entry.recorded_at)}};
  if (entry.origin) {
    line["table"] = table_name(floor, entry.origin->table);
    line["message"] = entry.origin->number.value();
    line["digest"] = hex(entry.origin->digest);
    line["sent_at"] = text(entry.origin->sent_at);
  }
  std::visit(FactJson(floor, line), entry.fact);
  line["postings"] = json_list(entry.postings, [&floor](const Posting& posting) {
    return Json{{"link", link_name(floor, posting.link)},
                {"level", pool_name(floor, posting.link, posting.pool)},
                {"account", name(posting.account)},
                {"amount", text_exact(posting.amount)}};
  });
  line["hash"] = hex(hash);
  // Texts from outside may hold invalid UTF-8: it is replaced, never an error.
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

Json pool_json(std::string name, const PoolBalances& pool) {
  Json json{{"level", std::move(name)}};
  for (const auto& [key, amount] : pool_amounts) json[key] = text_exact(pool.*amount);
  return json;
}

}  // namespace

Json table_counts_json(const std::vector<TableCount>& counts, const Floor& floor) {
  return json_list(counts, [&floor](const TableCount& count) {
    return Json{{"table", table_name(floor, count.table)},
                {"rounds", count.rounds},
                {"wagers", count.wagers},
                {"handle", text_cents(count.handle)},
                {"attendant_paid", text_cents(count.paid.by_attendant)},
                {"device_paid", text_cents(count.paid.by_device)},
                {"progressive_paid", text_cents(count.paid.in_all)}};
  });
}

Json reading_json(const Reading& reading, const Floor& floor) {
  Json list = Json::array();
  for (std::uint32_t at = 0; at < reading.size(); ++at) {
    const LinkIndex index(at);
    const LinkReading& link = reading[at];
    Json levels = Json::array();
    for (std::size_t level = 0; level < link.book.levels.size(); ++level) {
      const LevelBalances& book = link.book.levels[level];
      Json one = pool_json(
          pool_name(floor, index, Pool::level(LevelIndex(static_cast<std::uint8_t>(level)))),
          book.pool);
      one["hits"] = book.hits;
      one["partial_hits"] = book.partial_hits;
      one["shown"] = cents_or_null(link.shown[level]);
      levels.push_back(std::move(one));
    }
    list.push_back(Json{{"link", link_name(floor, index)},
                        {"suspended", text_or_null(link.book.suspended)},
                        {"levels", std::move(levels)},
                        {"reserve", pool_json("reserve", link.book.reserve)},
                        {"tables", table_counts_json(link.book.tables, floor)}});
  }
  return list;
}

}  // namespace linkmeter
