#include "meters/posting_misfit.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "meters/limits.h"
#include "meters/wide.h"

namespace linkmeter {

std::optional<std::string> misposted(const Floor& floor, const std::vector<Posting>& postings) {
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

bool overflows(const State& state, const std::vector<Posting>& postings) {
  constexpr Wide most = Wide{limits::lifetime_max.units()} + limits::entry_max.units();
  std::map<std::tuple<LinkPlace, Pool, Account>, Wide> running;
  return std::any_of(postings.begin(), postings.end(), [&](const Posting& posting) {
    const Amount before = state.is_open()
                              ? state.link(posting.link).balance(posting.account, posting.pool)
                              : Amount();
    Wide& balance =
        running.try_emplace({posting.link, posting.pool, posting.account}, before.units())
            .first->second;
    balance += posting.amount.units();
    return balance > most || balance < -most;
  });
}

}  // namespace linkmeter
