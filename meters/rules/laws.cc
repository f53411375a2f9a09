#include "meters/rules/laws.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "meters/facts/settled.h"
#include "meters/values/int128.h"
#include "meters/values/limits.h"
#include "meters/values/rate.h"

namespace linkmeter {

namespace {

using Broken = std::optional<std::string>;
using LevelKey = std::pair<LinkIndex, LevelIndex>;

// Only these facts move awards off a meter; a payment moves pending money.
bool is_settling(const Fact& fact) {
  return std::holds_alternative<HandsShown>(fact) || std::holds_alternative<PotPlayed>(fact) ||
         std::holds_alternative<HandCorrected>(fact) ||
         std::holds_alternative<DealerCorrected>(fact) ||
         std::holds_alternative<PotCorrected>(fact);
}

// M2, M7, M13: what left the meters = the hits = what the seats were awarded.
Broken broken_awards(const Entry& entry) {
  std::map<LevelKey, Int128> called, awarded, pending;
  const Settled outcome = settled(entry);
  for (const JackpotHit& hit : *outcome.hits) {
    called[{hit.link, hit.level}] += hit.amount.units();
  }
  for (const Award& award : *outcome.awards) {
    if (award.amount < Amount() || !award.amount.is_whole_cents()) {
      return "M2: an award is not whole cents";
    }
    if (award.level) awarded[{award.link, *award.level}] += award.amount.units();
    if (award.level && !award.claim) return "an award off a meter has no claim";
    if (award.uncut && *award.uncut <= award.amount) return "a limit that cut nothing off";
  }
  for (const std::vector<Award>* list : {outcome.reversed, outcome.envy_paid}) {
    for (const Award& award : *list) {
      if (award.level || award.claim) return "an award that has a claim is paid or taken back";
      if (award.amount < Amount() || !award.amount.is_whole_cents()) {
        return "M2: an award is not whole cents";
      }
    }
  }
  for (const Posting& posting : entry.postings) {
    if (posting.account != Account::pending) continue;
    if (posting.pool.is_reserve()) return "M14: an award off the reserve";
    pending[{posting.link, posting.pool.level_index()}] += posting.amount.units();
  }
  if (called != awarded) return "M7: the awards do not sum to what the line called";
  // The amounts that rejected claims return are checked against the state (claims_violation).
  if (!outcome.rejected.empty()) return std::nullopt;
  if (!is_settling(entry.fact)) return std::nullopt;
  std::erase_if(called, [](const auto& item) { return item.second == 0; });
  if (called != pending) return "M13: the postings are not what the lines called";
  return std::nullopt;
}

// `where`: returns the pool's name; called only on a violation.
template <class Where>
Broken negative(const PoolBalances& pool, Where where) {
  const std::array<std::pair<Amount, std::string_view>, 5> balances{
      {{pool.held, "amount"},
       {pool.withheld, "withheld"},
       {pool.pending, "pending"},
       {pool.paid, "paid"},
       {pool.contributed, "contributed"}}};
  for (const auto& [amount, what] : balances) {
    if (amount < Amount()) return where() + ": negative " + std::string(what);
  }
  return std::nullopt;
}

bool holds_anything(const LinkBalances& book) {
  const auto holds = [](const PoolBalances& pool) {
    return pool.held != Amount() || pool.withheld != Amount() || pool.pending != Amount();
  };
  return holds(book.reserve) ||
         std::any_of(book.levels.begin(), book.levels.end(),
                     [&holds](const LevelBalances& level) { return holds(level.pool); });
}

Int128 imbalance(const PoolBalances& pool) {
  return Int128{pool.held.units()} + pool.pending.units() + pool.paid.units() -
         pool.withheld.units() - pool.contributed.units() - pool.seeded.units() -
         pool.corrected.units() - pool.transferred.units() + pool.overflowed.units();
}

// The sum, for each level, of claims that are neither paid nor rejected.
using OpenClaims = std::map<LevelKey, Int128>;

OpenClaims open_claims(const State& state) {
  OpenClaims open;
  for (const Claim& claim : state.claims()) {
    if (claim.level && claim.state != ClaimState::paid && claim.state != ClaimState::rejected) {
      open[{claim.link, *claim.level}] += claim.amount.units();
    }
  }
  return open;
}

Broken claims_violation(const State& state, LinkIndex link, const OpenClaims& open) {
  const LinkBalances& book = state.link(link);
  for (std::size_t level = 0; level < book.levels.size(); ++level) {
    const auto found = open.find({link, LevelIndex(static_cast<std::uint8_t>(level))});
    if (book.levels[level].pool.pending.units() != (found == open.end() ? 0 : found->second)) {
      return state.floor().link(link).id.text() + ": pending is not what open claims say";
    }
  }
  return std::nullopt;
}

}  // namespace

Broken law_violation(const Entry& entry) {
  if (!is_balanced(entry.postings)) return "M14: the postings do not sum to zero";
  return broken_awards(entry);
}

Broken law_violation(const State& state, LinkIndex link) {
  const LinkConfig& terms = state.floor().link(link);
  const LinkBalances& book = state.link(link);
  // The handle since the parameters in force took effect. Stored rows may be corrupt, so check it
  // first.
  const Amount handle = book.handle() - book.handle_before;
  if (handle < Amount() || !handle.is_whole_cents()) {
    return terms.id.text() + ": M1: handle that no wagers made";
  }
  const auto broken_pool = [&](const PoolBalances& pool, Rate rate,
                               std::string_view name) -> Broken {
    const auto where = [&] { return terms.id.text() + " " + std::string(name); };
    if (pool.contributed - pool.contributed_before != contribution(handle, rate)) {
      return where() + ": M1: contributed is not handle x rate";
    }
    return negative(pool, where);
  };
  Int128 total = imbalance(book.reserve);
  Int128 overflowed = book.reserve.overflowed.units();
  for (std::size_t index = 0; index < book.levels.size(); ++index) {
    const LevelConfig& level = terms.levels[index];
    const PoolBalances& pool = book.levels[index].pool;
    total += imbalance(pool);
    overflowed += pool.overflowed.units();
    if (pool.overflowed < Amount()) return terms.id.text() + ": M9: a level has taken overflow in";
    if (Broken broken = broken_pool(pool, level.rate, level.id.text())) {
      return broken;
    }
  }
  if (Broken broken = broken_pool(book.reserve, terms.reserve_rate, "reserve")) return broken;
  if (book.ending.has_ended() && holds_anything(book)) {
    return terms.id.text() + ": it has ended, and holds money";
  }
  if (overflowed != 0) return terms.id.text() + ": M9: overflow is lost between the pools";
  if (total != 0) return terms.id.text() + ": M14: the link does not balance";
  return std::nullopt;
}

Broken claims_violation(const State& state, LinkIndex link) {
  return claims_violation(state, link, open_claims(state));
}

Broken slips_violation(const State& state) {
  std::size_t listed = 0;
  for (const Claim& claim : state.claims()) {
    listed += claim.slips.size();
    for (const SlipNumber number : claim.slips) {
      const Slip* slip = state.find_slip(number);
      const std::string where = "slip " + std::to_string(number.value());
      if (slip == nullptr || slip->claim != claim.number) return where + " is not its claim's";
      if (slip->amount != claim.amount) return where + " is not its claim's amount";
      if (slip->state == SlipState::voided) continue;
      if (number != claim.slips.back()) return where + " is not the claim's only one";
      const bool is_paid = slip->state == SlipState::paid;
      if (claim.state != (is_paid ? ClaimState::paid : ClaimState::validated)) {
        return where + " does not stand as its claim does";
      }
    }
  }
  if (listed != state.slips().size()) return "there are slips of no claim";
  return std::nullopt;
}

Broken law_violation(const State& state) {
  const OpenClaims open = open_claims(state);
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    const LinkIndex link(index);
    if (Broken broken = law_violation(state, link)) return broken;
    if (Broken broken = claims_violation(state, link, open)) return broken;
  }
  return slips_violation(state);
}

}  // namespace linkmeter
