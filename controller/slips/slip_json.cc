#include "controller/slips/slip_json.h"

namespace linkmeter {
namespace {

Json rows_json(const std::vector<SlipDocument::Row>& rows) {
  Json list = Json::array();
  for (const SlipDocument::Row& row : rows) {
    list.push_back(Json{{"label", row.label}, {"value", row.value}});
  }
  return list;
}

std::vector<SlipDocument::Row> rows_of(const Json& json) {
  std::vector<SlipDocument::Row> rows;
  for (const Json& row : json) rows.push_back({row.at("label"), row.at("value")});
  return rows;
}

}  // namespace

Json document_json(const SlipDocument& slip) {
  return Json{{"house", slip.house},
              {"number", slip.number},
              {"issued_at", slip.issued_at},
              {"amount", slip.amount},
              {"facts", rows_json(slip.facts)},
              {"cards", slip.cards},
              {"arithmetic", slip.arithmetic},
              {"tax", slip.tax},
              {"is_taxable", slip.is_taxable},
              {"signed_by", rows_json(slip.signed_by)},
              {"to_be_signed", slip.to_be_signed},
              {"evidence", slip.evidence}};
}

std::optional<SlipDocument> document_of(const Json& json) {
  try {
    return SlipDocument{json.at("house"),          json.at("number"),
                        json.at("issued_at"),      json.at("amount"),
                        rows_of(json.at("facts")), json.at("cards"),
                        json.at("arithmetic"),     json.at("tax"),
                        json.at("is_taxable"),     rows_of(json.at("signed_by")),
                        json.at("to_be_signed"),   json.at("evidence")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace linkmeter
