// What the commands' JSON says of something that may not be there.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "meters/amount.h"

namespace linkmeter::cli {

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

}  // namespace linkmeter::cli
