// Claim cache: the table's claims as the controller reported them last, and when to ask for them.
//
// Laws:
// 1. The controller reports a settled claim for a short time only. The cache keeps the last report
//    of each claim, at most claims_max of them; the lowest numbers go first.
// 2. After a restoration of the journal the cache is empty: claim numbers mean other claims now. It
//    stays empty until everything that was sent again is acknowledged, because until then the
//    controller knows only a part of the claims.
// 3. An award that raises a claim makes a report wanted: the next heartbeat is due at once.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class ClaimCache {
 public:
  static constexpr std::size_t claims_max = 512;
  static_assert(claims_max > reported_awards_max, "it holds all claims of one round");

  // The claims of the last report; empty if the controller reported none.
  [[nodiscard]] const std::vector<ClaimNotice>& latest() const { return latest_; }
  // Every claim reported in this run, as it was reported last.
  [[nodiscard]] const std::map<ClaimNumber, ClaimNotice>& known() const { return known_; }

  // Whether the report is taken (law 2). `acknowledged` is the table's last acknowledged message.
  [[nodiscard]] bool accepts_report(MessageNumber acknowledged) const {
    return acknowledged >= resent_up_to_;
  }
  // REQUIRES: accepts_report().
  void on_report(const std::vector<ClaimNotice>& claims);
  void on_awards(const std::vector<AwardNotice>& awards);
  // The journal was restored, and the messages up to this number are sent again.
  void on_resend(MessageNumber up_to);

  [[nodiscard]] bool report_is_wanted() const { return report_is_wanted_; }
  void on_report_requested() { report_is_wanted_ = false; }

 private:
  std::vector<ClaimNotice> latest_;
  std::map<ClaimNumber, ClaimNotice> known_;
  MessageNumber resent_up_to_;
  bool report_is_wanted_ = false;
};

}  // namespace linkmeter
