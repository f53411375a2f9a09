#include "controller/entry_json.h"

#include <nlohmann/json.hpp>

#include "controller/moment_text.h"
#include "controller/seal.h"
#include "meters/card.h"
#include "meters/claim.h"

namespace linkmeter {

namespace {

using Json = nlohmann::ordered_json;

std::string pool_name(const LinkTerms& link, Pool pool) {
  return pool.is_reserve() ? "reserve" : link.levels.at(pool.level_place().value()).id.text();
}

Json cards_json(const std::vector<Card>& cards) {
  Json list = Json::array();
  for (const Card card : cards) list.push_back(text(card));
  return list;
}

// Adds what a fact says to its entry's object.
class Telling {
 public:
  Telling(const Floor& floor, Json& entry) : floor_(floor), entry_(entry) {}

  void operator()(const FloorOpened& opened) const {
    entry_["house"] = opened.floor.house;
    Json links = Json::array();
    for (const LinkTerms& link : opened.floor.links) links.push_back(link.id.text());
    entry_["links"] = links;
    Json tables = Json::array();
    for (const TableTerms& table : opened.floor.tables) tables.push_back(table.id.text());
    entry_["tables"] = tables;
    entry_["floor_file"] = opened.floor_text;
  }
  void operator()(const RoundLocked& locked) const {
    head(locked.round, locked.by);
    entry_["wagers"] = wagers(locked.wagers);
    if (locked.chips) entry_["chips"] = *locked.chips;
  }
  void operator()(const CountDiffered& differed) const {
    head(differed.round, differed.by);
    entry_["wagers"] = wagers(differed.wagers);
    entry_["chips"] = differed.chips;
    entry_["chips_expected"] = differed.chips_expected;
  }
  void operator()(const CountResolved& resolved) const {
    head(resolved.round, resolved.by);
    entry_["wagers"] = wagers(resolved.wagers);
  }
  void operator()(const HandsShown& shown) const {
    head(shown.round, shown.by);
    hands(shown.hands, false);
    if (!shown.dealer.empty()) entry_["dealer"] = cards_json(shown.dealer);
    if (!shown.board.empty()) entry_["board"] = cards_json(shown.board);
    settled(shown.calls, shown.awards);
  }
  void operator()(const RoundClosed& closed) const { head(closed.round, closed.by); }
  void operator()(const RoundVoided& voided) const {
    head(voided.round, voided.by);
    entry_["reason"] = voided.reason;
    entry_["returned"] = wagers(voided.returned);
  }
  void operator()(const PotPlayed& pot) const {
    head(pot.round, pot.by);
    entry_["link"] = floor_.link(pot.link).id.text();
    entry_["pot"] = text_cents(pot.pot);
    entry_["contribution"] = text_cents(pot.contribution);
    entry_["board"] = cards_json(pot.board);
    entry_["showdown"] = pot.showdown;
    hands(pot.hands, true);
    settled(pot.calls, pot.awards);
  }
  void operator()(const MessageRefused& no) const {
    entry_["refusal"] = name(no.refusal);
    entry_["sentence"] = sentence(no.refusal);
  }
  void operator()(const ClaimValidated& validated) const {
    entry_["claim"] = validated.claim.value();
    entry_["by"] = validated.by.text();
  }
  void operator()(const ClaimPaid& paid) const {
    entry_["claim"] = paid.claim.value();
    entry_["source"] = name(paid.source);
    entry_["by"] = paid.by.text();
  }

 private:
  void head(const RoundId& round, const Badge& by) const {
    entry_["round"] = round.text();
    if (!by.empty()) entry_["by"] = by.text();
  }
  [[nodiscard]] Json wagers(const std::vector<PlacedWager>& placed) const {
    Json list = Json::array();
    for (const PlacedWager& wager : placed) {
      list.push_back(Json{{"seat", wager.seat.value()},
                          {"link", floor_.link(wager.link).id.text()},
                          {"amount", text_cents(wager.amount)}});
    }
    return list;
  }
  void hands(const std::vector<ShownHand>& shown, bool with_won) const {
    Json list = Json::array();
    for (const ShownHand& hand : shown) {
      Json one{
          {"seat", hand.seat.value()}, {"cards", cards_json(hand.cards)}, {"folded", hand.folded}};
      if (with_won) one["won"] = text_cents(hand.won);
      list.push_back(std::move(one));
    }
    entry_["hands"] = std::move(list);
  }
  void settled(const std::vector<MeterCall>& calls, const std::vector<Award>& awards) const {
    Json called = Json::array();
    for (const MeterCall& call : calls) {
      const LinkTerms& link = floor_.link(call.link);
      called.push_back(Json{{"link", link.id.text()},
                            {"level", pool_name(link, Pool::level(call.level))},
                            {"whole", call.whole},
                            {"amount", text_cents(call.amount)}});
    }
    entry_["calls"] = std::move(called);
    Json list = Json::array();
    for (const Award& award : awards) {
      const LinkTerms& link = floor_.link(award.link);
      list.push_back(Json{
          {"kind", name(award.kind)},
          {"link", link.id.text()},
          {"seat", award.seat.value()},
          {"holder", award.holder ? Json(award.holder->value()) : Json(nullptr)},
          {"line", award.line.text()},
          {"level", award.level ? Json(pool_name(link, Pool::level(*award.level))) : Json(nullptr)},
          {"amount", text_cents(award.amount)},
          {"claim", award.claim ? Json(award.claim->value()) : Json(nullptr)}});
    }
    entry_["awards"] = std::move(list);
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
    line["table"] = floor.table(entry.origin->table).id.text();
    line["message"] = entry.origin->number.value();
    line["digest"] = hex(entry.origin->digest);
    line["sent_at"] = text(entry.origin->sent_at);
  }
  std::visit(Telling(floor, line), entry.fact);
  Json postings = Json::array();
  for (const Posting& posting : entry.postings) {
    const LinkTerms& link = floor.link(posting.link);
    const bool negative = posting.amount < Amount();
    postings.push_back(
        Json{{"link", link.id.text()},
             {"level", pool_name(link, posting.pool)},
             {"account", name(posting.account)},
             {"amount",
              (negative ? "-" : "") + text_exact(negative ? -posting.amount : posting.amount)}});
  }
  line["postings"] = std::move(postings);
  line["hash"] = hex(hash);
  // Texts from outside may hold bytes that are not UTF-8: replaced, never an error.
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace linkmeter
