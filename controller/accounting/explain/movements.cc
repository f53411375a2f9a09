// The parts of explanation.h that look at one entry.
#include <algorithm>

#include "controller/accounting/explain/explanation.h"
#include "meters/facts/settled.h"

namespace linkmeter {
namespace {

PoolMovements flow_of_call(const JackpotHit& call, Pool pool) {
  PoolMovements flow;
  flow.from_reserve = pool.is_reserve() ? -call.from_reserve : call.from_reserve;
  if (pool.is_reserve()) return flow;
  flow.awarded = -call.amount;
  flow.seeded = call.reseeded;
  return flow;
}

// Within one pool everything balances but what a call or a rejection moved between the reserve and
// a meter: that is what is left.
PoolMovements flow_of_postings(const Entry& entry, LinkIndex link, Pool pool) {
  PoolMovements flow;
  Amount held;
  const bool rejects = !settled(entry).rejected.empty();
  for (const Posting& posting : entry.postings) {
    if (posting.link != link || posting.pool != pool) continue;
    switch (posting.account) {
      case Account::meter:
      case Account::reserve: held += posting.amount; break;
      case Account::withheld: flow.withheld -= posting.amount; break;
      // A call adds to what is pending, and a rejection takes it away; so does a payment, which
      // adds as much to what is paid.
      case Account::pending:
      case Account::paid:
        (rejects && posting.amount < Amount() ? flow.returned : flow.awarded) -= posting.amount;
        break;
      case Account::wagers: flow.contributed -= posting.amount; break;
      case Account::seed_funding: flow.seeded -= posting.amount; break;
      case Account::corrections: flow.corrected -= posting.amount; break;
      case Account::transfers: flow.transferred -= posting.amount; break;
      case Account::overflow: flow.overflowed -= posting.amount; break;
    }
  }
  flow.from_reserve = held - flow.sum();
  return flow;
}

PoolMovements turned_round(const PoolMovements& flow) {
  return {-flow.contributed, -flow.withheld, -flow.overflowed, -flow.seeded,     -flow.from_reserve,
          -flow.awarded,     -flow.returned, -flow.corrected,  -flow.transferred};
}

}  // namespace

Amount PoolMovements::sum() const {
  return contributed + withheld + overflowed + seeded + from_reserve + awarded + returned +
         corrected + transferred;
}

PoolMovements& PoolMovements::operator+=(const PoolMovements& other) {
  contributed += other.contributed;
  withheld += other.withheld;
  overflowed += other.overflowed;
  seeded += other.seeded;
  from_reserve += other.from_reserve;
  awarded += other.awarded;
  returned += other.returned;
  corrected += other.corrected;
  transferred += other.transferred;
  return *this;
}

const std::vector<JackpotHit>& calls_of(const Entry& entry) { return *settled(entry).calls; }

const std::vector<Award>& awards_of(const Entry& entry) { return *settled(entry).awards; }

std::vector<PoolMovement> steps_of(const Entry& entry, LinkIndex link, Pool pool) {
  std::vector<PoolMovement> steps{{flow_of_postings(entry, link, pool), nullptr, 0}};
  std::uint32_t number = 0;
  for (const JackpotHit& call : calls_of(entry)) {
    ++number;
    if (call.link != link || (!pool.is_reserve() && call.level != pool.level_index())) continue;
    steps.push_back({flow_of_call(call, pool), &call, number});
    steps.front().flow += turned_round(steps.back().flow);
  }
  return steps;
}

}  // namespace linkmeter
