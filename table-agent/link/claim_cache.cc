#include "table-agent/link/claim_cache.h"

#include <algorithm>

namespace linkmeter {

void ClaimCache::on_report(const std::vector<ClaimNotice>& claims) {
  latest_ = claims;
  for (const ClaimNotice& claim : latest_) known_.insert_or_assign(claim.number, claim);
  while (known_.size() > claims_max) known_.erase(known_.begin());
}

void ClaimCache::on_awards(const std::vector<AwardNotice>& awards) {
  report_is_wanted_ |= std::any_of(awards.begin(), awards.end(), [](const AwardNotice& award) {
    return award.claim.has_value();
  });
}

void ClaimCache::on_resend(MessageNumber up_to) {
  resent_up_to_ = up_to;
  latest_.clear();
  known_.clear();
}

}  // namespace linkmeter
