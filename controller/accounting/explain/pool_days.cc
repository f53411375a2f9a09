#include "controller/accounting/explain/pool_days.h"

#include <algorithm>
#include <iterator>

#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "meters/values/rate.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

Amount contributed_by(Amount handle, Rate rate) {
  return handle < Amount() ? -contribution(-handle, rate) : contribution(handle, rate);
}

bool has_same_counts(const LevelBalances& left, const LevelBalances& right) {
  return left.hits == right.hits && left.partial_hits == right.partial_hits &&
         left.calls == right.calls && left.pool.seeded == right.pool.seeded &&
         left.pool.pending == right.pool.pending && left.pool.paid == right.pool.paid;
}

}  // namespace

PoolDays::PoolDays(const Journal& journal, const ExplainBasis& basis, const ExplainAsked& asked)
    : journal_(journal), basis_(basis), asked_(asked) {
  read_configurations();
}

// Every configuration names the one before it.
void PoolDays::read_configurations() {
  for (EntryNumber next = basis_.configuration; next != EntryNumber();) {
    EntryNumber before;
    read_between(journal_, next, next, [&](const Entry& entry, const Digest&) {
      if (auto found = configuration_of(entry)) configurations_[next] = std::move(found->floor);
      const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
      if (confirmed == nullptr) return;
      const auto* change = std::get_if<ChangeParameters>(&confirmed->act);
      if (change != nullptr) before = change->since;
    });
    next = before < next ? before : EntryNumber();
  }
}

const LinkReading& PoolDays::reading(std::size_t day) {
  const auto found = readings_.find(day);
  if (found != readings_.end()) return found->second;
  const EntryNumber ended = basis_.days[day].ended;
  LinkReading made;
  read_between(journal_, ended, ended, [&](const Entry& entry, const Digest&) {
    const auto* fact = std::get_if<DayEnded>(&entry.fact);
    if (fact == nullptr || asked_.link.value() >= fact->reading.size()) {
      throw Fault("entry " + std::to_string(ended.value()) + " is not the reading of a day");
    }
    made = fact->reading[asked_.link.value()];
  });
  return readings_.emplace(day, std::move(made)).first->second;
}

bool PoolDays::is_quiet(std::size_t day) {
  if (day == 0 || day >= basis_.days.size()) return false;
  const EntryNumber ended = basis_.days[day].ended;
  if (ended > asked_.at || has_other_terms(basis_.days[day - 1].ended, ended)) return false;
  const LinkBalances& begin = reading(day - 1).book;
  const LinkBalances& end = reading(day).book;
  for (std::size_t at = 0; at < begin.levels.size(); ++at) {
    const LevelIndex level(static_cast<std::uint8_t>(at));
    if (is_ours(level) && !has_same_counts(begin.levels[at], end.levels[at])) return false;
  }
  if (has_claims(day)) return false;
  const PoolFlow came = flow(day);
  PoolFlow quiet;
  quiet.contributed = came.contributed;
  quiet.withheld = came.withheld;
  quiet.overflowed = came.overflowed;
  Amount by_tables;
  for (const TableShare& table : tables(day)) by_tables += table.contributed;
  return came == quiet && by_tables == came.contributed;
}

bool PoolDays::has_other_terms(EntryNumber before, EntryNumber ended) const {
  const auto after = configurations_.upper_bound(before);
  return after != configurations_.end() && after->first <= ended;
}

// Counts can hide a call and a rejection that cancel; claims cannot.
bool PoolDays::has_claims(std::size_t day) const {
  const DayRecord& ended = basis_.days[day];
  const DayRecord& before = basis_.days[day - 1];
  return std::any_of(basis_.claims.begin(), basis_.claims.end(), [&](const Claim& claim) {
    if (claim.link != asked_.link || !claim.level || !is_ours(*claim.level)) return false;
    return (before.ended < claim.entry && claim.entry <= ended.ended) ||
           (claim.state == ClaimState::rejected && before.ends_at <= claim.rejected_at &&
            claim.rejected_at <= ended.ends_at);
  });
}

PoolFlow PoolDays::flow(std::size_t day) {
  const PoolBalances& begin = reading(day - 1).book.pool(asked_.pool);
  const PoolBalances& end = reading(day).book.pool(asked_.pool);
  PoolFlow flow;
  flow.contributed = end.contributed - begin.contributed;
  flow.withheld = end.withheld - begin.withheld;
  flow.overflowed = begin.overflowed - end.overflowed;
  flow.seeded = end.seeded - begin.seeded;
  flow.awarded = begin.pending + begin.paid - end.pending - end.paid;
  flow.corrected = end.corrected - begin.corrected;
  flow.transferred = end.transferred - begin.transferred;
  flow.from_reserve = end.held - begin.held - flow.sum();
  return flow;
}

std::vector<TableShare> PoolDays::tables(std::size_t day) {
  const LinkBalances& begin = reading(day - 1).book;
  const LinkBalances& end = reading(day).book;
  const auto terms = std::prev(configurations_.upper_bound(basis_.days[day].ended));
  const LinkConfig& link = terms->second.link(asked_.link);
  const Rate rate = asked_.pool.is_reserve() ? link.reserve_rate
                                             : link.levels[asked_.pool.level_place().value()].rate;
  std::vector<TableShare> tables;
  for (std::size_t at = 0; at < end.tables.size() && at < begin.tables.size(); ++at) {
    const Amount handle = end.tables[at].handle - begin.tables[at].handle;
    if (handle == Amount()) continue;
    tables.push_back({end.tables[at].table, contributed_by(handle, rate)});
  }
  return tables;
}

}  // namespace linkmeter
