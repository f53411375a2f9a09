#include "meters/rules/posting_misfit.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "meters/values/int128.h"
#include "meters/values/limits.h"

namespace linkmeter {

std::optional<std::string> posting_violation(const Floor& floor,
                                             const std::vector<Posting>& postings) {
  for (const Posting& posting : postings) {
    const bool known = posting.link.value() < floor.links.size() &&
                       (posting.pool.is_reserve() || posting.pool.level_place().value() <
                                                         floor.link(posting.link).levels.size());
    if (!known) return "a posting to an unknown pool";
    if (posting.account == Account::meter && posting.pool.is_reserve()) {
      return "a meter posting on the reserve";
    }
    if (posting.account == Account::reserve && !posting.pool.is_reserve()) {
      return "a reserve posting on a level";
    }
  }
  return std::nullopt;
}

namespace {

Int128 size_of(Int128 units) { return units < 0 ? -units : units; }

Int128 balance_before(const State& state, const Posting& posting) {
  if (!state.is_open()) return 0;
  return state.link(posting.link).balance(posting.account, posting.pool).units();
}

}  // namespace

bool overflows(const State& state, const std::vector<Posting>& postings) {
  constexpr Int128 most = Int128{limits::lifetime_max.units()} + limits::entry_max.units();
  // Nearly always not even all of them together on one balance would.
  Int128 together = 0;
  for (const Posting& posting : postings) together += size_of(posting.amount.units());
  const bool are_small = std::all_of(postings.begin(), postings.end(), [&](const Posting& posting) {
    return size_of(balance_before(state, posting)) + together <= most;
  });
  if (are_small) return false;
  std::map<std::tuple<LinkIndex, Pool, Account>, Int128> running;
  return std::any_of(postings.begin(), postings.end(), [&](const Posting& posting) {
    Int128& balance = running
                          .try_emplace({posting.link, posting.pool, posting.account},
                                       balance_before(state, posting))
                          .first->second;
    balance += posting.amount.units();
    return balance > most || balance < -most;
  });
}

}  // namespace linkmeter
