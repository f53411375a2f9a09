#include "controller/cli/near_claims.h"

#include <algorithm>

namespace linkmeter::cli {

namespace {

constexpr std::int64_t near_us = 2'000'000;
constexpr std::size_t near_max = 5;  // on each side

bool is_near(const Claim& left, const Claim& right) {
  const std::int64_t apart = left.raised_at.microseconds() - right.raised_at.microseconds();
  return apart <= near_us && apart >= -near_us;
}

std::string entry_text(const Claim& claim) {
  return "entry " + std::to_string(claim.entry.value());
}

}  // namespace

NearClaims::NearClaims(const std::vector<Claim>& claims) {
  for (const Claim& claim : claims) {
    if (claim.level) by_level_[{claim.link, *claim.level}].push_back(&claim);
  }
}

std::vector<const Claim*> NearClaims::of(const Claim& claim) const {
  std::vector<const Claim*> near;
  if (!claim.level) return near;
  const auto found = by_level_.find({claim.link, *claim.level});
  if (found == by_level_.end()) return near;
  const std::vector<const Claim*>& all = found->second;
  const auto at = std::lower_bound(
      all.begin(), all.end(), &claim,
      [](const Claim* left, const Claim* right) { return left->number < right->number; });
  for (auto before = at; before != all.begin() && near.size() < near_max;) {
    if (!is_near(**--before, claim)) break;
    near.push_back(*before);
  }
  std::reverse(near.begin(), near.end());
  std::size_t after_count = 0;
  for (auto after = at; after != all.end() && after_count < near_max; ++after) {
    if (*after == &claim) continue;
    if (!is_near(**after, claim)) break;
    near.push_back(*after);
    ++after_count;
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

}  // namespace linkmeter::cli
