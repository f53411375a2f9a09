#include "controller/accounting/explain/explanation_json.h"

#include "controller/accounting/export/export_text.h"
#include "controller/view/place_names.h"

namespace linkmeter {
namespace {

std::string told_amount(Amount amount) { return dollars_text(amount.units()); }

Json claim_numbers(const std::vector<ClaimNumber>& claims) {
  Json list = Json::array();
  for (const ClaimNumber claim : claims) list.push_back(claim.value());
  return list;
}

Json parts_json(const PoolFlow& flow) {
  return Json{
      {"contributed", told_amount(flow.contributed)},   {"withheld", told_amount(flow.withheld)},
      {"overflowed", told_amount(flow.overflowed)},     {"seeded", told_amount(flow.seeded)},
      {"from_reserve", told_amount(flow.from_reserve)}, {"awarded", told_amount(flow.awarded)},
      {"returned", told_amount(flow.returned)},         {"corrected", told_amount(flow.corrected)},
      {"transferred", told_amount(flow.transferred)}};
}

Json day_share_json(const DayShare& day, const Floor& floor, bool with_rounds) {
  Json told{{"day", text_or_null(day.day)},
            {"entries", Json::array({day.first.value(), day.last.value()})},
            {"contributed", told_amount(day.flow.contributed)},
            {"change", told_amount(day.flow.sum())},
            {"by", day.is_by_readings ? "readings" : "entries"},
            {"tables", Json::array()}};
  for (const TableShare& table : day.tables) {
    Json one{{"table", table_name(floor, table.table)},
             {"contributed", told_amount(table.contributed)}};
    if (with_rounds) {
      one["rounds"] = Json::array();
      for (const RoundShare& round : table.rounds) {
        one["rounds"].push_back(Json{{"round", round.round.text()},
                                     {"entry", round.entry.value()},
                                     {"contributed", told_amount(round.contributed)}});
      }
    }
    told["tables"].push_back(std::move(one));
  }
  return told;
}

}  // namespace

namespace {

// Of a fixed award, which comes off no meter.
Json fixed_json(const Explanation& said, const Floor& floor) {
  return Json{{"link", link_name(floor, said.link)},
              {"level", nullptr},
              {"entry", said.at.value()},
              {"claim", said.claim ? Json(said.claim->value()) : Json()},
              {"payout", payout_json(*said.payout, floor)},
              {"balance", nullptr},
              {"sum", nullptr},
              {"since", nullptr},
              {"parts", nullptr},
              {"days", Json::array()},
              {"events", Json::array()},
              {"earlier_awards", Json::array()},
              {"cost", Json{{"entries_read", said.entries_read}, {"days_by_readings", 0}}}};
}

}  // namespace

Json explanation_json(const Explanation& said, const Floor& floor, bool with_rounds) {
  if (said.is_fixed()) return fixed_json(said, floor);
  Json json{{"link", link_name(floor, said.link)},
            {"level", pool_name(floor, said.link, said.pool)},
            {"entry", said.at.value()},
            {"claim", said.claim ? Json(said.claim->value()) : Json()},
            {"payout", said.payout ? payout_json(*said.payout, floor) : Json()},
            {"balance", told_amount(said.balance)},
            {"sum", told_amount(said.sum())}};
  json["since"] = Json{{"entry", said.since.value()},
                       {"at", text(said.since_at)},
                       {"kind", said.is_since_award ? "award" : "opening"},
                       {"award", said.is_since_award ? Json(told_amount(said.award)) : Json()},
                       {"kept", told_amount(said.kept)},
                       {"seeded", told_amount(said.seeded)},
                       {"from_reserve", told_amount(said.from_reserve)}};
  json["parts"] = parts_json(said.flow);
  json["days"] = Json::array();
  for (const DayShare& day : said.days)
    json["days"].push_back(day_share_json(day, floor, with_rounds));
  json["events"] = Json::array();
  for (const PoolEvent& event : said.events) {
    json["events"].push_back(Json{{"entry", event.entry.value()},
                                  {"at", text(event.at)},
                                  {"kind", event.kind},
                                  {"amount", told_amount(event.amount)},
                                  {"claims", claim_numbers(event.claims)},
                                  {"other", text_or_null(event.other)}});
  }
  json["earlier_awards"] = Json::array();
  for (const EarlierAward& award : said.earlier) {
    const bool is_told = award.stood != Amount();
    json["earlier_awards"].push_back(
        Json{{"entry", award.entry.value()},
             {"at", text(award.at)},
             {"whole", award.whole},
             {"amount", text_cents(award.amount)},
             {"stood", is_told ? Json(told_amount(award.stood)) : Json()},
             {"left", is_told ? Json(told_amount(award.left)) : Json()},
             {"rejected", award.is_rejected},
             {"claims", claim_numbers(award.claims)}});
  }
  json["cost"] =
      Json{{"entries_read", said.entries_read}, {"days_by_readings", said.days_by_readings}};
  return json;
}

}  // namespace linkmeter
