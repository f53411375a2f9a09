// LinkBalances: the books of one progressive: what every level and the reserve hold, and where it
// came from. Only postings change balances (post); only facts change counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/floor/floor.h"
#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"

namespace linkmeter {

// One pool: a level, or the reserve (which has no pending and no paid amounts).
struct PoolBalances {
  Amount held;         // the balance of the meter or the reserve
  Amount withheld;     // as a positive amount: what increments must still repay (M8)
  Amount pending;      // awards that wait for a person
  Amount paid;         // awards paid
  Amount contributed;  // net of voids
  Amount seeded;       // seeds and reseeds
  Amount corrected;    // M12
  Amount transferred;  // M12
  Amount overflowed;   // M9: level: given to the reserve (positive); reserve: received (negative)
  // The contributions before the link's parameters took effect (M1); 0 for the first ones.
  Amount contributed_before = {};
  friend bool operator==(const PoolBalances&, const PoolBalances&) = default;
};

struct LevelBalances {
  PoolBalances pool;
  std::uint64_t hits = 0;          // 100% awards; a shared award counts once
  std::uint64_t partial_hits = 0;  // percentage awards
  std::uint64_t last_hit = 0;      // standing hits of both kinds: the number of the last one (M11)
  friend bool operator==(const LevelBalances&, const LevelBalances&) = default;
};

// § 605a.7(a)(2)-(4): what a progressive has paid at one table, awards of meters and fixed awards:
// by an attendant (from the rack or at the cage), by the device (to the game account), and in all.
// The total is counted independently.
struct PaidCount {
  Amount by_attendant;
  Amount by_device;
  Amount in_all;
  friend bool operator==(const PaidCount&, const PaidCount&) = default;

  // `times`: 1, or -1 to reverse a payment for a hand that was taken back.
  void add(PaymentSource source, Amount amount, int times = 1);
};

// The rounds, wagers and handle of one table on a link, net of voids.
struct TableCount {
  TableIndex table;
  std::uint64_t rounds = 0;
  std::uint64_t wagers = 0;
  Amount handle;
  PaidCount paid = {};
  friend bool operator==(const TableCount&, const TableCount&) = default;
};

// The state of a link's discontinuation (discontinuation.h). It is never undone.
struct LinkLifecycle {
  EntryNumber stopped;             // the entry that stopped collecting; 0: the link collects
  EntryNumber ended;               // the entry that discontinued it; 0: not discontinued
  std::optional<PoolRef> went_to;  // the pool that received its amount; nullopt: no amount
  friend bool operator==(const LinkLifecycle&, const LinkLifecycle&) = default;

  [[nodiscard]] bool collects() const { return stopped == EntryNumber(); }
  [[nodiscard]] bool has_ended() const { return ended != EntryNumber(); }
};

// The pools of a link: everything that postings change.
struct LinkPools {
  std::vector<LevelBalances> levels;
  PoolBalances reserve = {};
  friend bool operator==(const LinkPools&, const LinkPools&) = default;

  [[nodiscard]] const PoolBalances& pool(Pool pool) const;
  void post(const Posting& posting);
};

struct LinkBalances : LinkPools {
  std::vector<TableCount> tables;   // in the order of LinkConfig::tables
  std::string suspended;            // why the link takes no wagers; "": it operates
  Amount handle_before = {};        // handle before the link's parameters took effect (M1)
  bool pending_adjustment = false;  // the display shows the notice (§ 553.20(h))
  LinkLifecycle ending = {};
  friend bool operator==(const LinkBalances&, const LinkBalances&) = default;

  static LinkBalances opened(const LinkConfig& terms);
  // The balance of the account, with the sign that postings have.
  [[nodiscard]] Amount balance(Account account, Pool pool) const;
  // The sum over all its tables.
  [[nodiscard]] Amount handle() const;
  // Other parameters take effect: M1 does not check earlier contributions against their rates.
  void begin_period();
  // REQUIRES: the table is on this link.
  [[nodiscard]] TableCount& table(TableIndex table);
};

// The amounts that the rejection of claims moves on one level (M11, level_hits.h).
struct LevelRejection {
  Amount amount;            // of rejected claims whose hit is undone: back to the meter
  Amount deferred;          // of the others, whose hit stays: the same, up to the limit (M9)
  Amount reseeded;          // reseeds of the undone hits: back to the house
  Amount from_reserve;      // reserve amounts of the undone hits: back to the reserve
  Amount overflowed_since;  // diverted by the limit since the first undone hit (M9)
  // The meter before the first undone hit. The meter may return to this amount even if it is above
  // the limit: what a payout limit left on the meter, plus a reseed, can exceed the limit.
  Amount meter_before;

  // The amount that returns from the reserve because the undone hits had kept it out of the meter,
  // which now holds `held`: at most what the meter would lose, and no more than the meter may hold.
  [[nodiscard]] Amount recalled(Amount held, std::optional<Amount> limit) const;
  // The change of the meter by the undone hits, before its limit applies; negative: it falls.
  [[nodiscard]] Amount change() const { return amount - reseeded - from_reserve; }
};

// The postings of an entry that is being made, and the books after them. So the second winner of a
// round wins from the meter that the first winner left (M4, M6).
class LinkTransaction {
 public:
  // `terms` must outlive this object; `pools` is copied.
  LinkTransaction(LinkIndex link, const LinkConfig& terms, const LinkPools& pools)
      : link_(link), terms_(terms), book_(pools) {}

  [[nodiscard]] const LinkPools& book() const { return book_; }
  [[nodiscard]] const std::vector<Posting>& postings() const { return postings_; }

  // M3: seeds every level.
  void seed();
  // M1, M8: adds a wager's contributions to every level and the reserve; withheld amounts are
  // repaid first.
  void accrue(Amount handle);
  // M8: a wager is returned; its contributions become withheld.
  void withhold(Amount handle);
  // M4: takes the whole meter in whole cents, at most `cap` if given. The meter is reseeded with
  // reseed + reserve + what `cap` left. M9: the reserve enters only up to the level's limit.
  Amount pay_full_and_reseed(LevelIndex level, std::optional<Amount> cap = {});
  // M5: takes a share of the meter in whole cents, at most `cap` if given; no reseed.
  Amount pay_percentage(LevelIndex level, Rate share, std::optional<Amount> cap = {});
  // Moves a validated claim's amount from pending to paid.
  void pay(LevelIndex level, Amount amount);
  // M11: returns amounts to the meter up to its limit, and the rest to the reserve (M9). On a level
  // with a limit, the reserve immediately repays what is withheld there. If an amount must return
  // from the reserve and the reserve does not hold all of it, the missing part becomes withheld. So
  // the result does not depend on the order of several rejections. REQUIRES: the meter does not
  // fall below zero.
  void reject(LevelIndex level, const LevelRejection& moves);
  // M12, against the account of corrections. A negative amount takes away. A positive amount is
  // displayed at once, and what exceeds a limit goes to the reserve (M9).
  void correct(Pool pool, Amount amount);
  // M12, to the account of transfers.
  void send(Pool pool, Amount amount) { move(Account::transfers, pool, -amount); }
  // M12, the receiving side of a transfer. The amount is displayed at once, and what exceeds a
  // limit goes to the reserve (M9). When a link ends, `unfunded` is the part of the amount that
  // voids returned to players: it becomes withheld, to be repaid (M8).
  void receive(Pool pool, Amount amount, Amount unfunded = {});
  // The amount that leaves a discontinued link, and the unfunded part of it.
  struct Remainder {
    Amount amount;
    Amount unfunded;
  };
  // Empties every pool. Up to `houses` of each level returns to the house (discontinuation.h).
  // REQUIRES: one amount for each level, none negative.
  Remainder end(std::span<const Amount> houses);
  // Whether no pool holds more than limits::meter_max, and no lifetime total exceeds
  // limits::lifetime_max.
  [[nodiscard]] bool is_within_limits() const;

 private:
  void post(Account account, Pool pool, Amount amount);
  void move(Account source, Pool pool, Amount amount);
  // Posts the amount to the pool; for a level up to its limit, and the rest to the reserve.
  void deposit_within_limit(Pool pool, Amount amount);
  // M9: moves what exceeds a level's limit to the reserve.
  void overflow(Pool level, Amount amount);
  // M11: takes back from the reserve what the level's limit had diverted. The caller posts the
  // meter's side.
  void recall(Pool level, Amount amount);
  // Empties one pool; returns what leaves the link.
  Remainder empty(Pool pool, Amount houses);
  // Repays what is withheld, then adds to the pool; returns what exceeds the limit.
  Amount repay_and_deposit(Pool pool, Amount gain, std::optional<Amount> limit);

  LinkIndex link_;
  const LinkConfig& terms_;
  LinkPools book_;
  std::vector<Posting> postings_;
};

}  // namespace linkmeter
