#include "table-agent/round/wager_text.h"

#include <cstdint>

#include "meters/values/limits.h"

namespace linkmeter {

std::string wager_text(const AskedWager& wager) {
  return std::to_string(wager.seat.value()) + " " + wager.wager.text() + " " +
         std::to_string(wager.amount.in_cents()) + (wager.on_dealer ? " dealer" : " own");
}

AskedWager read_wager(WordReader& in) {
  constexpr std::uint64_t cents_max = limits::amount_max.units() / Amount::units_per_cent;
  AskedWager wager;
  wager.seat = in.seat();
  wager.wager = WagerId(in.name());
  wager.amount = Amount::cents(static_cast<std::int64_t>(in.number(cents_max)));
  wager.on_dealer = in.either("dealer", "own");
  return wager;
}

std::optional<AskedWager> parse_wager_text(std::string_view text) {
  WordReader in(text);
  AskedWager wager = read_wager(in);
  if (in.end()) return std::nullopt;
  return wager;
}

}  // namespace linkmeter
