#include "meters/balances/link_balances.h"

#include <algorithm>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/rate.h"

namespace linkmeter {

namespace {

LevelIndex level_at(std::size_t index) { return LevelIndex(static_cast<std::uint8_t>(index)); }

// How much more a meter may hold; 0 if it is already above the limit.
Amount room_below(Amount limit, Amount held) { return std::max(limit - held, Amount()); }

bool fits_lifetime(Amount total) {
  return total <= limits::lifetime_max && total >= -limits::lifetime_max;
}

bool fits_limits(const PoolBalances& pool) {
  return pool.held <= limits::meter_max && pool.withheld <= limits::meter_max &&
         pool.pending <= limits::lifetime_max && pool.paid <= limits::lifetime_max &&
         pool.contributed <= limits::lifetime_max && pool.seeded <= limits::lifetime_max &&
         fits_lifetime(pool.overflowed) && fits_lifetime(pool.corrected) &&
         fits_lifetime(pool.transferred);
}

}  // namespace

void PaidCount::add(PaymentSource source, Amount amount, int times) {
  const Amount change = times < 0 ? -amount : amount;
  (source == PaymentSource::game_account ? by_device : by_attendant) += change;
  in_all += change;
}

LinkBalances LinkBalances::opened(const LinkConfig& terms) {
  LinkBalances book;
  book.levels.resize(terms.levels.size());
  for (const TableIndex table : terms.tables) book.tables.push_back(TableCount{table, 0, 0, {}});
  return book;
}

const PoolBalances& LinkPools::pool(Pool pool) const {
  if (pool.is_reserve()) return reserve;
  INVARIANT(pool.level_index().value() < levels.size());
  return levels[pool.level_index().value()].pool;
}

void LinkPools::post(const Posting& posting) {
  INVARIANT(posting.pool.is_reserve() || posting.pool.level_index().value() < levels.size());
  INVARIANT(posting.account != Account::meter || !posting.pool.is_reserve());
  INVARIANT(posting.account != Account::reserve || posting.pool.is_reserve());
  PoolBalances& book =
      posting.pool.is_reserve() ? reserve : levels[posting.pool.level_index().value()].pool;
  switch (posting.account) {
    case Account::meter:
    case Account::reserve: book.held += posting.amount; return;
    case Account::withheld: book.withheld -= posting.amount; return;
    case Account::pending: book.pending += posting.amount; return;
    case Account::paid: book.paid += posting.amount; return;
    case Account::wagers: book.contributed -= posting.amount; return;
    case Account::seed_funding: book.seeded -= posting.amount; return;
    case Account::corrections: book.corrected -= posting.amount; return;
    case Account::transfers: book.transferred -= posting.amount; return;
    case Account::overflow: book.overflowed += posting.amount; return;
  }
}

Amount LinkBalances::balance(Account account, Pool of) const {
  const PoolBalances& book = pool(of);
  switch (account) {
    case Account::meter:
    case Account::reserve: return book.held;
    case Account::withheld: return -book.withheld;
    case Account::pending: return book.pending;
    case Account::paid: return book.paid;
    case Account::wagers: return -book.contributed;
    case Account::seed_funding: return -book.seeded;
    case Account::corrections: return -book.corrected;
    case Account::transfers: return -book.transferred;
    case Account::overflow: return book.overflowed;
  }
  return {};
}

Amount LinkBalances::handle() const {
  Amount total;
  for (const TableCount& count : tables) total += count.handle;
  return total;
}

void LinkBalances::begin_period() {
  handle_before = handle();
  for (LevelBalances& level : levels) level.pool.contributed_before = level.pool.contributed;
  reserve.contributed_before = reserve.contributed;
}

TableCount& LinkBalances::table(TableIndex table) {
  const auto found = std::find_if(tables.begin(), tables.end(), [table](const TableCount& count) {
    return count.table == table;
  });
  INVARIANT(found != tables.end());
  return *found;
}

void LinkTransaction::post(Account account, Pool pool, Amount amount) {
  if (amount == Amount()) return;
  postings_.push_back(Posting{account, link_, pool, amount});
  book_.post(postings_.back());
}

void LinkTransaction::seed() {
  for (std::size_t index = 0; index < terms_.levels.size(); ++index) {
    const Pool pool = Pool::level(level_at(index));
    post(Account::meter, pool, terms_.levels[index].seed);
    post(Account::seed_funding, pool, -terms_.levels[index].seed);
  }
}

Amount LinkTransaction::repay_and_deposit(Pool pool, Amount gain, std::optional<Amount> limit) {
  const PoolBalances& book = book_.pool(pool);
  const Amount repaid = std::min(gain, book.withheld);
  const Amount rest = gain - repaid;
  const Amount taken = limit ? std::min(rest, room_below(*limit, book.held)) : rest;
  post(Account::withheld, pool, repaid);
  post(pool.is_reserve() ? Account::reserve : Account::meter, pool, taken);
  return rest - taken;
}

void LinkTransaction::overflow(Pool level, Amount amount) {
  post(Account::overflow, level, amount);
  post(Account::overflow, Pool::reserve(), -amount);
  repay_and_deposit(Pool::reserve(), amount, std::nullopt);
}

void LinkTransaction::accrue(Amount handle) {
  for (std::size_t index = 0; index < terms_.levels.size(); ++index) {
    const LevelConfig& terms = terms_.levels[index];
    const Pool level = Pool::level(level_at(index));
    const Amount gain = contribution(handle, terms.rate);
    post(Account::wagers, level, -gain);
    overflow(level, repay_and_deposit(level, gain, terms.limit));
  }
  const Amount gain = contribution(handle, terms_.reserve_rate);
  post(Account::wagers, Pool::reserve(), -gain);
  repay_and_deposit(Pool::reserve(), gain, std::nullopt);
}

void LinkTransaction::withhold(Amount handle) {
  const auto withhold_from = [this, handle](Pool pool, Rate rate) {
    const Amount amount = contribution(handle, rate);
    post(Account::wagers, pool, amount);
    post(Account::withheld, pool, -amount);
  };
  for (std::size_t index = 0; index < terms_.levels.size(); ++index) {
    withhold_from(Pool::level(level_at(index)), terms_.levels[index].rate);
  }
  withhold_from(Pool::reserve(), terms_.reserve_rate);
}

Amount LinkTransaction::pay_full_and_reseed(LevelIndex level, std::optional<Amount> cap) {
  const Pool pool = Pool::level(level);
  const LevelConfig& terms = terms_.levels[level.value()];
  const Amount whole = book_.pool(pool).held.whole_cents();
  const Amount award = cap ? std::min(whole, *cap) : whole;
  post(Account::meter, pool, -award);
  post(Account::pending, pool, award);
  post(Account::seed_funding, pool, -terms.reseed);
  const Amount held = book_.pool(pool).held + terms.reseed;
  const Amount reserve = terms.limit ? std::min(book_.reserve.held, room_below(*terms.limit, held))
                                     : book_.reserve.held;
  post(Account::reserve, Pool::reserve(), -reserve);
  post(Account::meter, pool, terms.reseed + reserve);
  return award;
}

Amount LinkTransaction::pay_percentage(LevelIndex level, Rate share, std::optional<Amount> cap) {
  const Pool pool = Pool::level(level);
  const Amount part = share_in_whole_cents(book_.pool(pool).held, share);
  const Amount award = cap ? std::min(part, *cap) : part;
  post(Account::meter, pool, -award);
  post(Account::pending, pool, award);
  return award;
}

void LinkTransaction::pay(LevelIndex level, Amount amount) {
  post(Account::pending, Pool::level(level), -amount);
  post(Account::paid, Pool::level(level), amount);
}

Amount LevelRejection::recalled(Amount held, std::optional<Amount> limit) const {
  Amount most = std::min(-change(), overflowed_since);
  if (limit) most = std::min(most, room_below(std::max(*limit, meter_before), held + change()));
  return std::max(most, Amount());
}

void LinkTransaction::recall(Pool level, Amount amount) {
  const Amount held = std::min(amount, book_.reserve.held);
  post(Account::overflow, level, -amount);
  post(Account::overflow, Pool::reserve(), amount);
  post(Account::reserve, Pool::reserve(), -held);
  post(Account::withheld, Pool::reserve(), held - amount);
}

void LinkTransaction::reject(LevelIndex level, const LevelRejection& moves) {
  const Pool pool = Pool::level(level);
  const std::optional<Amount>& limit = terms_.levels[level.value()].limit;
  const Amount held = book_.pool(pool).held;
  // The undone hits first, then the deferred amounts: as if the latest claim were rejected first.
  const Amount recalled = moves.recalled(held, limit);
  const Amount change = moves.change() + recalled;
  Amount undone = change;
  if (limit) {
    const Amount most = std::max(*limit, moves.meter_before);
    undone = std::min(change, change < Amount() ? most - held : room_below(most, held));
  }
  const Amount after = held + undone;
  const Amount returned =
      limit ? std::min(moves.deferred, room_below(*limit, after)) : moves.deferred;
  INVARIANT(after + returned >= Amount());
  post(Account::pending, pool, -moves.amount - moves.deferred);
  post(Account::meter, pool, undone + returned);
  post(Account::seed_funding, pool, moves.reseeded);
  post(Account::reserve, Pool::reserve(), moves.from_reserve);
  recall(pool, recalled);
  overflow(pool, change - undone + moves.deferred - returned);
  if (!limit) return;
  const Amount repaid = std::min(book_.reserve.held, book_.reserve.withheld);
  post(Account::reserve, Pool::reserve(), -repaid);
  post(Account::withheld, Pool::reserve(), repaid);
}

void LinkTransaction::correct(Pool pool, Amount amount) {
  if (amount < Amount()) {
    move(Account::corrections, pool, amount);
    return;
  }
  post(Account::corrections, pool, -amount);
  deposit_within_limit(pool, amount);
}

void LinkTransaction::move(Account source, Pool pool, Amount amount) {
  post(source, pool, -amount);
  post(pool.is_reserve() ? Account::reserve : Account::meter, pool, amount);
}

void LinkTransaction::receive(Pool pool, Amount amount, Amount unfunded) {
  post(Account::transfers, pool, unfunded - amount);
  post(Account::withheld, pool, -unfunded);
  deposit_within_limit(pool, amount);
}

void LinkTransaction::deposit_within_limit(Pool pool, Amount amount) {
  Amount taken = amount;
  if (!pool.is_reserve()) {
    const std::optional<Amount>& limit = terms_.levels[pool.level_index().value()].limit;
    if (limit) taken = std::min(amount, room_below(*limit, book_.pool(pool).held));
  }
  post(pool.is_reserve() ? Account::reserve : Account::meter, pool, taken);
  if (taken < amount) overflow(pool, amount - taken);
}

// Withheld money is repaid first from what would leave the link, then from the house's part. If
// both are too small, the house bears the rest, because the awards were paid.
LinkTransaction::Remainder LinkTransaction::empty(Pool pool, Amount houses) {
  const Amount held = book_.pool(pool).held;
  const Amount withheld = book_.pool(pool).withheld;
  const Amount house = std::min(houses, held);
  const Remainder left{held - house, std::min(withheld, held - house)};
  post(pool.is_reserve() ? Account::reserve : Account::meter, pool, -held);
  post(Account::withheld, pool, withheld);
  post(Account::seed_funding, pool, house - (withheld - left.unfunded));
  post(Account::transfers, pool, left.amount - left.unfunded);
  return left;
}

LinkTransaction::Remainder LinkTransaction::end(std::span<const Amount> houses) {
  INVARIANT(houses.size() == book_.levels.size());
  Remainder all;
  for (std::size_t index = 0; index < houses.size(); ++index) {
    const Remainder left = empty(Pool::level(level_at(index)), houses[index]);
    all.amount += left.amount;
    all.unfunded += left.unfunded;
  }
  // No part of a reserve is the house's. The house bears what the reserve lacks, through the first
  // level.
  const Amount lack = book_.reserve.withheld - book_.reserve.held;
  if (lack > Amount() && !houses.empty()) {
    post(Account::seed_funding, Pool::level(level_at(0)), -lack);
    post(Account::transfers, Pool::level(level_at(0)), lack);
    send(Pool::reserve(), -lack);
  }
  // A reserve is not displayed, so only what it holds leaves the link.
  const Remainder reserve = empty(Pool::reserve(), Amount());
  all.amount += reserve.amount - reserve.unfunded;
  return all;
}

bool LinkTransaction::is_within_limits() const {
  return fits_limits(book_.reserve) &&
         std::all_of(book_.levels.begin(), book_.levels.end(),
                     [](const LevelBalances& level) { return fits_limits(level.pool); });
}

}  // namespace linkmeter
