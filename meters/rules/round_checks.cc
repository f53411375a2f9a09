#include "meters/rules/round_checks.h"

#include <algorithm>

#include "meters/rules/outcome.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {
namespace {

bool is_well_formed_round(const RoundId& id) {
  return is_well_formed_text(id.text(), limits::name_length_max);
}

}  // namespace

Refusal RoundChecks::check_new_round(const RoundId& id, const Badge& by) const {
  if (!is_well_formed_round(id) || !is_well_formed_badge(by)) return Refusal::name_malformed;
  if (!session_.frozen().empty()) return Refusal::table_frozen;
  if (session_.find_round(id) != nullptr || session_.has_ended(id)) return Refusal::round_id_used;
  if (session_.rounds().size() >= limits::rounds_open_per_table_max) {
    return Refusal::too_many_open_rounds;
  }
  return Refusal::none;
}

Refusal RoundChecks::check_known_round(const RoundId& id, const Badge& by) const {
  if (!is_well_formed_round(id) || !is_well_formed_badge(by)) return Refusal::name_malformed;
  if (session_.find_round(id) != nullptr) return Refusal::none;
  return session_.has_ended(id) ? Refusal::round_closed : Refusal::round_unknown;
}

// M10: what makes a contribution unreasonable.
Refusal RoundChecks::check_wager(const AskedWager& wager, const Round* locked) const {
  if (const Refusal no = check_offered(wager); no != Refusal::none) return no;
  const std::optional<LinkIndex> link = find_link(wager);
  if (!state_.link(*link).suspended.empty()) return Refusal::link_suspended;
  // A round that was locked before the link stopped continues, even if its count is wrong.
  const bool is_late =
      !state_.link(*link).ending.collects() && (locked == nullptr || !locked->has_wager_on(*link));
  return is_late ? Refusal::collecting_ended : Refusal::none;
}

Refusal RoundChecks::check_wagers(const std::vector<AskedWager>& asked, const Round* locked) const {
  if (asked.size() > limits::wagers_per_round_max) return Refusal::too_many_wagers;
  Refusal first = Refusal::none;
  std::vector<const AskedWager*> seen;
  for (const AskedWager& wager : asked) {
    Refusal refusal = check_wager(wager, locked);
    const bool could_be = refusal == Refusal::none || refusal == Refusal::link_suspended ||
                          refusal == Refusal::collecting_ended;
    if (could_be) {
      const bool is_second = std::any_of(seen.begin(), seen.end(), [&](const AskedWager* other) {
        return other->seat == wager.seat && other->on_dealer == wager.on_dealer &&
               other->wager == wager.wager;  // a Hand Bonus may be bet on both hands
      });
      if (is_second) refusal = Refusal::seat_wagered_twice;
      seen.push_back(&wager);
    }
    first = first_of(first, refusal);
  }
  return first;
}

bool RoundChecks::handle_fits(const std::vector<PlacedWager>& wagers) const {
  const LinkBalances* summed = nullptr;  // most rounds have one link, and it may have many tables
  return std::all_of(wagers.begin(), wagers.end(), [&](const PlacedWager& wager) {
    const LinkBalances* book = &state_.link(wager.link);
    if (book == summed) return true;
    summed = book;
    return book->handle() <= limits::lifetime_max;
  });
}

// Checks the badge only. The table agent proves that its owner is present
// (controller/auth/README.md).
Refusal RoundChecks::check_overseer(const Badge& by,
                                    const std::function<bool(const Person&)>& may) const {
  if (by.empty()) return Refusal::badge_missing;
  const Person* person = state_.find_person(by);
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  if (person->is_locked(now_)) return Refusal::person_locked;
  if (!may(*person)) return Refusal::right_missing;
  return person->pin_set_by_other ? Refusal::pin_to_be_changed : Refusal::none;
}

}  // namespace linkmeter
