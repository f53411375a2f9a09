#include "meters/recovery.h"

#include <algorithm>
#include <set>

#include "meters/decide.h"
#include "meters/limits.h"

namespace linkmeter {
namespace {

Timestamp wait_after(const Recovery& recovery, Timestamp now) {
  constexpr std::uint32_t doublings_max = 16;
  const std::uint32_t doublings = std::min(recovery.failures, doublings_max);
  return now.after(
      std::min(limits::recovery_wait_us_max, limits::recovery_wait_us_first << doublings));
}

}  // namespace

bool are_new_codes(const std::vector<Digest>& codes) {
  return codes.size() == limits::recovery_codes_made &&
         std::set<Digest>(codes.begin(), codes.end()).size() == codes.size();
}

std::vector<std::uint32_t> valid_codes(const Recovery& recovery, const std::vector<Digest>& codes) {
  std::set<std::uint32_t> places;
  for (const Digest& digest : codes) {
    for (std::uint32_t at = 0; at < recovery.codes.size(); ++at) {
      const RecoveryCode& code = recovery.codes[at];
      if (!code.is_used && code.digest == digest) places.insert(at + 1);
    }
  }
  if (places.size() != limits::recovery_codes_needed || codes.size() != places.size()) return {};
  return {places.begin(), places.end()};
}

bool may_recover(const Recovery& recovery) {
  const auto left = std::count_if(recovery.codes.begin(), recovery.codes.end(),
                                  [](const RecoveryCode& code) { return !code.is_used; });
  return static_cast<std::size_t>(left) >= limits::recovery_codes_needed;
}

Decision decide(const State& state, const RecoveryTry& asked, Timestamp now) {
  const Recovery& recovery = state.recovery();
  if (!may_recover(recovery)) return Refusal::recovery_not_possible;
  if (now < recovery.wait_until) return Refusal::recovery_waits;
  const EntryNumber number = state.last_entry().next();
  std::vector<std::uint32_t> codes = valid_codes(recovery, asked.codes);
  if (codes.empty()) {
    // What is no badge stays out of the journal.
    const Badge badge = state.find_person(asked.badge) != nullptr ? asked.badge : Badge();
    return Entry{number, now, std::nullopt, RecoveryFailed{badge, wait_after(recovery, now)}, {}};
  }
  const Person* person = state.find_person(asked.badge);
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  if (!person->has(Right::alter)) return Refusal::right_missing;
  if (asked.new_pin != Refusal::none) return asked.new_pin;
  if (asked.pin.empty() || asked.pin.size() > limits::pin_bytes_max) return Refusal::name_malformed;
  return Entry{number, now, std::nullopt, Recovered{asked.badge, asked.pin, std::move(codes)}, {}};
}

}  // namespace linkmeter
