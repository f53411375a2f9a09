// Pool days: what came to one pool in gaming days that have ended, from the readings at their
// beginning and end alone.
//
// Law: a day is told by its readings only if they show that nothing but accruals and voids touched
// the pool, under one set of terms; else its entries must be read (is_quiet).
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "controller/accounting/explain/explanation.h"
#include "controller/store/journal.h"
#include "meters/balances/reading.h"
#include "meters/floor/floor.h"

namespace linkmeter {

class PoolDays {
 public:
  // Day N is the Nth that ended. `journal` and `basis` must outlive this; of days that end after
  // `asked.at` nothing is quiet. Throws Fault.
  PoolDays(const Journal& journal, const ExplainBasis& basis, const ExplainAsked& asked);

  // At the end of the day. REQUIRES: it has ended. Throws Fault.
  const LinkReading& reading(std::size_t day);
  // Do two readings tell everything of the day? Never of the first one, nor of one that is open.
  bool is_quiet(std::size_t day);
  // REQUIRES: the day has ended, and is not the first.
  PoolFlow flow(std::size_t day);
  // What each table contributed. REQUIRES: also that terms did not change in it.
  std::vector<TableShare> tables(std::size_t day);

 private:
  [[nodiscard]] bool is_ours(LevelIndex level) const {
    return asked_.pool.is_reserve() || level == asked_.pool.level_place();
  }
  void read_configurations();
  [[nodiscard]] bool has_other_terms(EntryNumber before, EntryNumber ended) const;
  [[nodiscard]] bool has_claims(std::size_t day) const;

  const Journal& journal_;
  const ExplainBasis& basis_;
  ExplainAsked asked_;
  std::map<EntryNumber, Floor> configurations_;  // by the entry they took effect with
  std::map<std::size_t, LinkReading> readings_;
};

}  // namespace linkmeter
