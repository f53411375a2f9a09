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

// What `make` returns for each element, in a list.
template <class List, class Make>
Json json_list(const List& all, const Make& make) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(make(one));
  return list;
}
// [7,8]: of claims, slips, seats.
template <class Number>
Json numbers_json(const std::vector<Number>& numbers) {
  return json_list(numbers, [](Number one) { return one.value(); });
}
// ["As","Th"]
inline Json cards_json(const std::vector<Card>& cards) {
  return json_list(cards, [](Card card) { return text(card); });
}

}  // namespace linkmeter
