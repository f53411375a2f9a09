// AttestationCheck: collects from a run of entries what attests something else: ended days,
// self-checks that name the hash before them, signed reports, and stored slips with their digests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "controller/view/json.h"
#include "meters/facts/entry.h"

namespace linkmeter {

class AttestationCheck {
 public:
  struct StoredSlip {
    SlipNumber slip;
    Digest digest{};
  };
  struct SignedReport {
    GamingDay day;
    Digest report{};
  };

  // The next entry, with its own hash.
  void add(const Entry& entry, const Digest& hash);

  // {"days_ended":[...],"self_checks":[...],"reports":[...]}
  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] const std::vector<StoredSlip>& slips() const { return slips_; }
  [[nodiscard]] const std::vector<SignedReport>& reports() const { return reports_; }
  [[nodiscard]] const std::vector<GamingDay>& days() const { return days_; }

 private:
  void add_report(const Entry& entry, GamingDay day, const Digest& report, const Badge& by,
                  const char* what);

  Json json_{
      {"days_ended", Json::array()}, {"self_checks", Json::array()}, {"reports", Json::array()}};
  std::vector<StoredSlip> slips_;
  std::vector<SignedReport> reports_;
  std::vector<GamingDay> days_;
};

}  // namespace linkmeter
