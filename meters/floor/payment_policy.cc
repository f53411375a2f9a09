#include "meters/floor/payment_policy.h"

namespace linkmeter {

bool TaxThreshold::taxes(Amount payout, Amount wager) const {
  return payout >= amount && payout >= wager.times(ratio);
}

bool may_countersign(Role role) { return has(role, Right::countersign_claims); }

const SignatureStep* step_for(std::span<const SignatureStep> ladder, Amount amount) {
  const SignatureStep* found = nullptr;
  for (const SignatureStep& step : ladder) {
    if (step.from <= amount) found = &step;
  }
  return found;
}

const TaxThreshold* threshold_at(std::span<const TaxThreshold> thresholds, Timestamp at) {
  const TaxThreshold* found = nullptr;
  for (const TaxThreshold& threshold : thresholds) {
    if (threshold.since <= at) found = &threshold;
  }
  return found;
}

std::string text(std::span<const SignatureStep> ladder) {
  std::string all;
  for (const SignatureStep& step : ladder) {
    all += (all.empty() ? "$" : ", $") + text_cents(step.from);
    for (const Role role : step.roles) all += " " + std::string(name(role));
  }
  return all.empty() ? "none" : all;
}

std::string text(const TaxThreshold& threshold) {
  return threshold.date + " $" + text_cents(threshold.amount) + " and " +
         std::to_string(threshold.ratio) + " times the wager";
}

std::string text(std::span<const TaxThreshold> thresholds) {
  std::string all;
  for (const TaxThreshold& threshold : thresholds) {
    all += (all.empty() ? "" : ", ") + text(threshold);
  }
  return all.empty() ? "none" : all;
}

}  // namespace linkmeter
