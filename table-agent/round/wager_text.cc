#include "table-agent/round/wager_text.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "meters/values/limits.h"
#include "meters/values/number.h"
#include "meters/values/text.h"

namespace linkmeter {
namespace {

std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(word.size() + 1, text.size()));
  return word;
}

}  // namespace

std::string wager_text(const AskedWager& wager) {
  return std::to_string(wager.seat.value()) + " " + wager.wager.text() + " " +
         std::to_string(wager.amount.in_cents()) + (wager.on_dealer ? " dealer" : " own");
}

std::optional<AskedWager> parse_wager_text(std::string_view text) {
  constexpr std::uint64_t seat_max = std::numeric_limits<std::uint8_t>::max();
  constexpr std::int64_t cents_max = limits::amount_max.units() / Amount::units_per_cent;
  const auto seat = parse_number(take_word(text), seat_max);
  const std::string_view wager = take_word(text);
  const auto cents = parse_number(take_word(text), cents_max);
  if (!seat || !is_well_formed_name(wager) || !cents) return std::nullopt;
  if (text != "dealer" && text != "own") return std::nullopt;
  return AskedWager{Seat(static_cast<std::uint8_t>(*seat)), WagerId(std::string(wager)),
                    Amount::cents(static_cast<std::int64_t>(*cents)), text == "dealer"};
}

}  // namespace linkmeter
