#include "controller/accounting/evidence/check_attestation.h"

#include <variant>

#include "meters/values/hex.h"

namespace linkmeter {

void AttestationCheck::add_report(const Entry& entry, GamingDay day, const Digest& report,
                                  const Badge& by, const char* what) {
  reports_.push_back({day, report});
  json_["reports"].push_back({{"entry", entry.number.value()},
                              {"day", text(day)},
                              {"what", what},
                              {"by", by.text()},
                              {"sha256", hex(report)}});
}

void AttestationCheck::add(const Entry& entry, const Digest& hash) {
  if (const auto* ended = std::get_if<DayEnded>(&entry.fact)) {
    days_.push_back(ended->day);
    json_["days_ended"].push_back(
        {{"entry", entry.number.value()}, {"hash", hex(hash)}, {"day", text(ended->day)}});
  } else if (const auto* checked = std::get_if<SelfChecked>(&entry.fact)) {
    json_["self_checks"].push_back({{"entry", entry.number.value()},
                                    {"hash", hex(hash)},
                                    {"passed", checked->failures.empty()},
                                    {"verified", checked->verified.value()},
                                    {"head", hex(checked->head)}});
  } else if (const auto* stored = std::get_if<SlipStored>(&entry.fact)) {
    slips_.push_back({stored->slip, stored->digest});
  } else if (const auto* one = std::get_if<DaySigned>(&entry.fact)) {
    add_report(entry, one->day, one->report, one->by, "signed");
  } else if (const auto* both = std::get_if<DayClosed>(&entry.fact)) {
    add_report(entry, both->day, both->report, both->by, "closed");
  }
}

}  // namespace linkmeter
