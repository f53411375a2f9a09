// Texts that people type into fields: amounts, cards, digests, times, dates, texts. Each is
// compared with a second, slow and simple reader where one is easy to write; what is read is
// written unchanged.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "meters/game/card.h"
#include "meters/values/amount.h"
#include "meters/values/gaming_day.h"
#include "meters/values/hex.h"
#include "meters/values/identity.h"
#include "meters/values/int128.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"
#include "meters/values/time_text.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

constexpr std::string_view decimal = "0123456789";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of(decimal) == std::string_view::npos;
}

std::optional<Amount> naive_cents(std::string_view text) {
  if (text.size() > 32) return std::nullopt;
  const std::size_t point = text.find('.');
  const std::string_view dollars = text.substr(0, point);
  std::string fraction = "00";
  if (point != std::string_view::npos) {
    fraction = text.substr(point + 1);
    if (!is_digits(fraction) || fraction.size() > 2) return std::nullopt;
    if (fraction.size() == 1) fraction += '0';
  }
  if (!is_digits(dollars)) return std::nullopt;
  Int128 cents = 0;
  for (const char digit : std::string(dollars) + fraction) cents = cents * 10 + (digit - '0');
  if (cents > limits::amount_max.in_cents()) return std::nullopt;
  return Amount::cents(static_cast<std::int64_t>(cents));
}

std::optional<std::vector<Card>> naive_cards(std::string_view text) {
  std::vector<Card> cards;
  std::string word;
  for (const char letter : std::string(text) + " ") {
    if (letter != ' ' && letter != ',' && letter != '\t') {
      word += letter;
      continue;
    }
    if (word.empty()) continue;
    bool found = false;
    for (std::uint8_t index = 0; index < Card::index_count && !found; ++index) {
      found = linkmeter::text(Card::from_index(index)) == word;
      if (found) cards.push_back(Card::from_index(index));
    }
    if (!found) return std::nullopt;
    word.clear();
  }
  return cards;
}

void hold_text(std::string_view bytes) {
  for (const std::size_t most : {std::size_t{0}, std::size_t{5}, std::size_t{200}}) {
    const std::string made = sanitize_text(bytes, most);
    INVARIANT(made.size() <= most);
    INVARIANT(made.empty() || is_well_formed_text(made, most));
    INVARIANT(sanitize_text(made, most) == made);
    if (is_well_formed_text(bytes, most)) INVARIANT(made == bytes);
  }
  if (is_well_formed_name(bytes)) INVARIANT(bytes.size() <= limits::name_length_max);
}

}  // namespace

void judge_texts(std::string_view bytes) {
  const auto amount = parse_cents(bytes);
  INVARIANT(amount == naive_cents(bytes));
  if (amount) INVARIANT(parse_cents(text_cents(*amount)) == amount);
  const auto cards = parse_cards(bytes);
  INVARIANT(cards == naive_cards(bytes));
  if (const auto card = parse_card(bytes)) INVARIANT(text(*card) == bytes);
  if (const auto day = parse_gaming_day(bytes)) INVARIANT(text(*day) == bytes);
  if (const auto moment = parse_moment(bytes)) INVARIANT(text(*moment) == bytes);
  if (const auto digest = parse_digest(bytes)) INVARIANT(hex(*digest) == bytes);
  if (const auto plain = parse_hex(bytes)) INVARIANT(hexadecimal(*plain) == bytes);
  INVARIANT(parse_hex(hexadecimal(bytes)) == std::string(bytes));
  hold_text(bytes);
}

}  // namespace linkmeter::fuzz
