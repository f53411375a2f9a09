// JSON for programs outside: keys in the order of insertion, amounts as text, and null for absent
// values.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "meters/game/card.h"
#include "meters/values/amount.h"
#include "meters/values/time_text.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

using Json = nlohmann::ordered_json;

// The text of an id, or a text itself; null if it is empty.
inline Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
template <class Name>
Json text_or_null(const Name& name) {
  return text_or_null(name.text());
}

// "12.34"; null without an amount.
inline Json cents_or_null(const std::optional<Amount>& amount) {
  return amount ? Json(text_cents(*amount)) : Json();
}

// "2026-03-01T14:05:09.000123Z"; null for Timestamp().
inline Json moment_or_null(Timestamp moment) {
  return moment == Timestamp() ? Json() : Json(text(moment));
}

// ["As","Th"]
inline Json cards_json(const std::vector<Card>& cards) {
  Json list = Json::array();
  for (const Card card : cards) list.push_back(text(card));
  return list;
}

}  // namespace linkmeter
