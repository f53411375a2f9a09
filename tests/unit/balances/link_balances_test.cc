#include "meters/balances/link_balances.h"

#include "meters/values/limits.h"

#include <doctest/doctest.h>

namespace linkmeter::link_balances_test {
namespace {

constexpr LinkIndex place(7);
constexpr LevelIndex first(0), second(1);

// Two levels, 10% and 5%, and a reserve of 2%; the second level reseeds with nothing.
LinkConfig terms() {
  LinkConfig link;
  link.id = LinkId("LINK");
  link.levels = {
      {LevelId("mega"), Amount::dollars(100), Amount::dollars(80), Rate::from_ppm(100'000)},
      {LevelId("minor"), Amount::dollars(10), Amount(), Rate::from_ppm(50'000)}};
  link.reserve_rate = Rate::from_ppm(20'000);
  link.tables = {TableIndex(3), TableIndex(5)};
  return link;
}

LinkTransaction opened(const LinkConfig& link) {
  LinkTransaction draft(place, link, LinkBalances::opened(link));
  draft.seed();
  return draft;
}

PoolBalances level(const LinkTransaction& draft, LevelIndex at) {
  return draft.book().pool(Pool::level(at));
}

}  // namespace

TEST_CASE("the balances of a new link are empty, with its levels and tables") {
  const LinkBalances book = LinkBalances::opened(terms());
  CHECK_EQ(book.levels.size(), 2);
  CHECK((book.levels[0] == LevelBalances{}));
  REQUIRE_EQ(book.tables.size(), 2);
  CHECK_EQ(book.tables[1].table, TableIndex(5));
  LinkBalances changed = book;
  changed.table(TableIndex(5)).rounds = 1;
  CHECK_EQ(changed.tables[1].rounds, 1);
}

TEST_CASE("each account changes one balance, by the sign of posting.h") {
  const Amount dollar = Amount::dollars(1);
  const auto after = [&](Account account, Pool pool) {
    LinkBalances book = LinkBalances::opened(terms());
    book.post(Posting{account, place, pool, dollar});
    return book.pool(pool);
  };
  const Pool pool = Pool::level(second);
  CHECK_EQ(after(Account::meter, pool).held, dollar);
  CHECK_EQ(after(Account::reserve, Pool::reserve()).held, dollar);
  CHECK_EQ(after(Account::withheld, pool).withheld, -dollar);
  CHECK_EQ(after(Account::pending, pool).pending, dollar);
  CHECK_EQ(after(Account::paid, pool).paid, dollar);
  CHECK_EQ(after(Account::wagers, pool).contributed, -dollar);
  CHECK_EQ(after(Account::seed_funding, pool).seeded, -dollar);
  CHECK_EQ(after(Account::corrections, pool).corrected, -dollar);
  CHECK_EQ(after(Account::transfers, pool).transferred, -dollar);
  CHECK_EQ(after(Account::overflow, pool).overflowed, dollar);
}

TEST_CASE("every step of a transaction balances and gives the balances of its postings") {
  const LinkConfig link = terms();
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::cents(333));
  draft.withhold(Amount::cents(111));
  draft.accrue(Amount::cents(50));
  draft.pay_percentage(first, Rate::from_ppm(100'000));
  const Amount whole = draft.pay_full_and_reseed(first);
  draft.pay(first, whole);
  CHECK(is_balanced(draft.postings()));
  LinkBalances book = LinkBalances::opened(link);
  for (const Posting& posting : draft.postings()) {
    CHECK_EQ(posting.link, place);
    CHECK_NE(posting.amount, Amount());
    book.post(posting);
  }
  CHECK((book == draft.book()));
}

TEST_CASE("a wager raises every level and the reserve at its own rate") {
  const LinkConfig link = terms();
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::cents(1));
  CHECK_EQ(level(draft, first).held, Amount::dollars(100) + Amount::from_units(100'000));
  CHECK_EQ(level(draft, second).held, Amount::dollars(10) + Amount::from_units(50'000));
  CHECK_EQ(draft.book().reserve.held, Amount::from_units(20'000));
  CHECK_EQ(draft.book().reserve.contributed, Amount::from_units(20'000));
}

TEST_CASE("withheld amounts are repaid first, pool by pool") {
  const LinkConfig link = terms();
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::dollars(10));
  draft.withhold(Amount::dollars(10));
  CHECK_EQ(level(draft, first).held, Amount::dollars(101));
  CHECK_EQ(level(draft, first).withheld, Amount::dollars(1));
  draft.accrue(Amount::dollars(4));
  CHECK_EQ(level(draft, first).held, Amount::dollars(101));
  CHECK_EQ(level(draft, first).withheld, Amount::cents(60));
  CHECK_EQ(draft.book().reserve.withheld, Amount::cents(12));
  draft.accrue(Amount::dollars(7));
  CHECK_EQ(level(draft, first).held, Amount::dollars(101) + Amount::cents(10));
  CHECK_EQ(level(draft, first).withheld, Amount());
  CHECK_EQ(draft.book().reserve.held, Amount::cents(22));
}

TEST_CASE("the first 100% award takes the reserve into its level; the next finds none") {
  const LinkConfig link = terms();
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::cents(101));  // 0.101, 0.0505 and 0.0202
  CHECK_EQ(draft.pay_full_and_reseed(second), Amount::cents(1'005));
  CHECK_EQ(level(draft, second).held, Amount::from_units(50'000 + 2'020'000));
  CHECK_EQ(draft.book().reserve.held, Amount());
  CHECK_EQ(draft.pay_full_and_reseed(first), Amount::cents(10'010));
  CHECK_EQ(level(draft, first).held, Amount::dollars(80) + Amount::from_units(100'000));
  CHECK_EQ(level(draft, first).pending, Amount::cents(10'010));
  CHECK_EQ(level(draft, first).seeded, Amount::dollars(180));
}

TEST_CASE("a percentage award is rounded down, and the meter drops by exactly that") {
  const LinkConfig link = terms();
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::cents(99));  // 100.099
  CHECK_EQ(draft.pay_percentage(first, Rate::from_ppm(100'000)), Amount::cents(1'000));
  CHECK_EQ(level(draft, first).held, Amount::dollars(90) + Amount::from_units(9'900'000));
}

TEST_CASE(
    "a meter fills up to its limit; the rest goes to the reserve, and repays its withheld amount "
    "first") {
  LinkConfig link = terms();
  link.levels[0].limit = Amount::dollars(101);
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::dollars(7));    // 0.70 and 0.14
  draft.withhold(Amount::dollars(1));  // 0.10, 0.05 and 0.02 are to be repaid
  draft.accrue(Amount::dollars(10));
  // 1.00: 0.10 is repaid, 0.30 fills the meter, 0.60 overflows and repays the reserve's 0.02.
  CHECK_EQ(level(draft, first).held, Amount::dollars(101));
  CHECK_EQ(level(draft, first).withheld, Amount());
  CHECK_EQ(level(draft, first).overflowed, Amount::cents(60));
  CHECK_EQ(level(draft, first).contributed, Amount::cents(160));
  CHECK_EQ(draft.book().reserve.withheld, Amount());
  CHECK_EQ(draft.book().reserve.overflowed, -Amount::cents(60));
  CHECK_EQ(draft.book().reserve.held, Amount::cents(14 + 58 + 20));
  CHECK_EQ(draft.book().reserve.contributed, Amount::cents(32));
  CHECK(is_balanced(draft.postings()));
}

TEST_CASE("a reseed adds the reserve only up to the limit; the rest stays in the reserve") {
  LinkConfig link = terms();
  link.levels[0].limit = Amount::dollars(100);
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::dollars(300));  // 30.00 overflow and 6.00 of the reserve's own
  CHECK_EQ(draft.pay_full_and_reseed(first), Amount::dollars(100));
  CHECK_EQ(level(draft, first).held, Amount::dollars(100));  // 80 and 20
  CHECK_EQ(draft.book().reserve.held, Amount::dollars(16));
  // A meter whose reseed alone reaches its limit takes nothing.
  link.levels[0].limit = Amount::dollars(80);
  LinkTransaction full(place, link, draft.book());
  full.pay_full_and_reseed(first);
  CHECK_EQ(level(full, first).held, Amount::dollars(80));
  CHECK_EQ(full.book().reserve.held, Amount::dollars(16));
  CHECK(is_balanced(full.postings()));
}

TEST_CASE("a cap leaves the rest on the meter, beside the reseed and the reserve") {
  const LinkConfig link = terms();
  LinkTransaction draft = opened(link);
  draft.accrue(Amount::dollars(10));  // 101.00 and 0.20
  CHECK_EQ(draft.pay_percentage(first, Rate::from_ppm(100'000), Amount::dollars(4)),
           Amount::dollars(4));
  CHECK_EQ(level(draft, first).held, Amount::dollars(97));
  CHECK_EQ(draft.pay_full_and_reseed(first, Amount::dollars(60)), Amount::dollars(60));
  CHECK_EQ(level(draft, first).held, Amount::dollars(37 + 80) + Amount::cents(20));
  CHECK_EQ(draft.pay_full_and_reseed(first, Amount::dollars(600)), Amount::cents(11'720));
}

TEST_CASE("no pool exceeds the limits of amounts") {
  LinkConfig link = terms();
  link.levels[0].rate = Rate::from_ppm(Rate::ppm_whole);
  LinkBalances book = LinkBalances::opened(link);
  book.levels[0].pool.held = limits::meter_max - Amount::cents(1);
  LinkTransaction draft(place, link, book);
  draft.accrue(Amount::cents(1));
  CHECK(draft.is_within_limits());
  draft.accrue(Amount::cents(1));
  CHECK_FALSE(draft.is_within_limits());
  book.reserve.contributed = limits::lifetime_max;
  LinkTransaction other(place, link, book);
  CHECK(other.is_within_limits());
  other.accrue(Amount::cents(1));
  CHECK_FALSE(other.is_within_limits());
}

TEST_CASE("a transaction reports every balance that is too large") {
  const LinkConfig link = terms();
  const auto fits = [&link](Amount PoolBalances::*balance, Amount amount) {
    LinkBalances book = LinkBalances::opened(link);
    book.levels[1].pool.*balance = amount;
    const bool on_level = LinkTransaction(place, link, book).is_within_limits();
    book = LinkBalances::opened(link);
    book.reserve.*balance = amount;
    CHECK_EQ(LinkTransaction(place, link, book).is_within_limits(), on_level);
    return on_level;
  };
  const Amount unit = Amount::from_units(1);
  for (const auto balance : {&PoolBalances::held, &PoolBalances::withheld}) {
    CHECK(fits(balance, limits::meter_max));
    CHECK_FALSE(fits(balance, limits::meter_max + unit));
  }
  for (const auto balance : {&PoolBalances::pending, &PoolBalances::paid,
                             &PoolBalances::contributed, &PoolBalances::seeded}) {
    CHECK(fits(balance, limits::lifetime_max));
    CHECK_FALSE(fits(balance, limits::lifetime_max + unit));
  }
  for (const auto balance :
       {&PoolBalances::overflowed, &PoolBalances::corrected, &PoolBalances::transferred}) {
    CHECK(fits(balance, limits::lifetime_max));
    CHECK_FALSE(fits(balance, limits::lifetime_max + unit));
    CHECK(fits(balance, -limits::lifetime_max));
    CHECK_FALSE(fits(balance, -limits::lifetime_max - unit));
  }
}

TEST_CASE("a link accepts its unit, or whole cents between its minimum and maximum") {
  LinkConfig link;
  CHECK_FALSE(link.takes(Amount::dollars(5)));
  link.minimum = Amount::dollars(1);
  CHECK_FALSE(link.takes(Amount::dollars(5)));
  link.maximum = Amount::dollars(25);
  CHECK(link.takes(Amount::dollars(1)));
  CHECK(link.takes(Amount::dollars(25)));
  CHECK(link.takes(Amount::cents(101)));
  CHECK_FALSE(link.takes(Amount::dollars(5) + Amount::from_units(1)));
  CHECK_FALSE(link.takes(Amount::cents(99)));
  CHECK_FALSE(link.takes(Amount::cents(2501)));
  link.unit = Amount::dollars(5);
  CHECK(link.takes(Amount::dollars(5)));
  CHECK_FALSE(link.takes(Amount::dollars(6)));
}

}  // namespace linkmeter::link_balances_test
