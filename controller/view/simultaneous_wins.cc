#include "controller/view/simultaneous_wins.h"

#include <algorithm>

namespace linkmeter {

namespace {

constexpr std::int64_t simultaneous_us = 2'000'000;
constexpr std::size_t simultaneous_max = 5;  // on each side

bool is_simultaneous(const Claim& left, const Claim& right) {
  const std::int64_t apart = left.raised_at.microseconds() - right.raised_at.microseconds();
  return apart <= simultaneous_us && apart >= -simultaneous_us;
}

std::string entry_text(const Claim& claim) {
  return "entry " + std::to_string(claim.entry.value());
}

}  // namespace

std::vector<const Claim*> simultaneous_wins(const std::vector<Claim>& claims, const Claim& claim) {
  std::vector<const Claim*> near;
  if (!claim.level) return near;
  const auto is_of_level = [&claim](const Claim& other) {
    return other.link == claim.link && other.level == claim.level;
  };
  const auto place = static_cast<std::size_t>(claim.number.value() - 1);
  for (std::size_t at = place; at > 0 && near.size() < simultaneous_max; --at) {
    if (!is_simultaneous(claims[at - 1], claim)) break;
    if (is_of_level(claims[at - 1])) near.push_back(&claims[at - 1]);
  }
  std::reverse(near.begin(), near.end());
  const std::size_t most = near.size() + simultaneous_max;
  for (std::size_t at = place + 1; at < claims.size() && near.size() < most; ++at) {
    if (!is_simultaneous(claims[at], claim)) break;
    if (is_of_level(claims[at])) near.push_back(&claims[at]);
  }
  return near;
}

std::string_view order_of(const Claim& other, const Claim& claim) {
  if (other.entry == claim.entry && other.call == claim.call) return "together";
  return other.number < claim.number ? "earlier" : "later";
}

std::string why_in_order(const Claim& other, const Claim& claim) {
  const Claim& first = other.number < claim.number ? other : claim;
  const Claim& second = other.number < claim.number ? claim : other;
  if (first.entry != second.entry) {
    return "the journal's order decides: " + entry_text(first) + " before " + entry_text(second);
  }
  if (first.call == second.call) return "shares of one award, " + entry_text(first);
  return "one round, " + entry_text(first) + ": seat " + std::to_string(first.seat.value()) +
         " was in turn before seat " + std::to_string(second.seat.value());
}

}  // namespace linkmeter
