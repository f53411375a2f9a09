#include "meters/state/recovery.h"

#include <algorithm>
#include <functional>
#include <set>

#include "meters/values/limits.h"

namespace linkmeter {
bool are_new_codes(const std::vector<Digest>& codes) {
  return codes.size() == limits::recovery_codes_made &&
         std::set<Digest>(codes.begin(), codes.end()).size() == codes.size();
}

bool are_confirmed_codes(const std::vector<Digest>& codes) {
  return (codes.size() == limits::recovery_codes_made ||
          codes.size() == 2 * limits::recovery_codes_made) &&
         std::set<Digest>(codes.begin(), codes.end()).size() == codes.size();
}

std::size_t codes_needed(const Recovery& recovery) {
  const std::size_t makers = recovery.codes.size() / limits::recovery_codes_made;
  return std::max<std::size_t>(makers, 1) * limits::recovery_codes_needed;
}

bool are_enough(const Recovery& recovery, const std::vector<std::uint32_t>& places) {
  if (places.size() != codes_needed(recovery) ||
      std::adjacent_find(places.begin(), places.end(), std::greater_equal<>()) != places.end()) {
    return false;
  }
  // The places are in order, so the codes of each maker are adjacent.
  for (std::size_t at = 0; at < places.size(); ++at) {
    const std::size_t maker = at / limits::recovery_codes_needed;
    if (places[at] == 0 || (places[at] - 1) / limits::recovery_codes_made != maker) return false;
  }
  return true;
}

std::vector<std::uint32_t> valid_codes(const Recovery& recovery, const std::vector<Digest>& codes) {
  std::set<std::uint32_t> places;
  for (const Digest& digest : codes) {
    for (std::uint32_t at = 0; at < recovery.codes.size(); ++at) {
      const RecoveryCode& code = recovery.codes[at];
      if (!code.is_used && code.digest == digest) places.insert(at + 1);
    }
  }
  std::vector<std::uint32_t> valid(places.begin(), places.end());
  if (codes.size() != valid.size() || !are_enough(recovery, valid)) return {};
  return valid;
}

bool may_recover(const Recovery& recovery) {
  // Each recovery uses the same number of codes of each maker.
  const auto left = std::count_if(recovery.codes.begin(), recovery.codes.end(),
                                  [](const RecoveryCode& code) { return !code.is_used; });
  return static_cast<std::size_t>(left) >= codes_needed(recovery);
}

}  // namespace linkmeter
