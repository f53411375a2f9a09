// Link: the book of one progressive: what every level and the reserve hold, and where it came from.
// Balances change only by postings (post); counts only by facts.
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

// One pool: a level, or the reserve (which has no pending and paid of its own).
struct PoolBalances {
  Amount held;         // the meter, or the reserve
  Amount withheld;     // shown as a positive amount: what increments must still repay (M8)
  Amount pending;      // awards waiting for a person
  Amount paid;         // awards paid
  Amount contributed;  // net of voids
  Amount seeded;       // seeds and reseeds
  Amount corrected;    // M12
  Amount transferred;  // M12
  Amount overflowed;   // M9: a level: given to the reserve; the reserve: received, negative
  // What had been contributed when the link's terms took effect (M1); 0 for the first ones.
  Amount contributed_before = {};
  friend bool operator==(const PoolBalances&, const PoolBalances&) = default;
};

struct LevelBalances {
  PoolBalances pool;
  std::uint64_t hits = 0;          // 100% awards; a shared one counts once
  std::uint64_t partial_hits = 0;  // percentage awards
  std::uint64_t calls = 0;         // of both kinds that stand: the number of the last one (M11)
  friend bool operator==(const LevelBalances&, const LevelBalances&) = default;
};

// § 605a.7(a)(2)-(4): what a progressive has paid at one table, its meters' awards and its fixed
// ones: by an attendant (from the rack or at the cage), by the device (to the game account), and,
// counted by itself, in all.
struct PaidCount {
  Amount by_attendant;
  Amount by_device;
  Amount in_all;
  friend bool operator==(const PaidCount&, const PaidCount&) = default;

  // `times`: 1, or -1 for what was paid for a hand that was taken back.
  void add(PaymentSource source, Amount amount, int times = 1);
};

// What one table brought to a link, net of voids.
struct TableCount {
  TableIndex table;
  std::uint64_t rounds = 0;
  std::uint64_t wagers = 0;
  Amount handle;
  PaidCount paid = {};
  friend bool operator==(const TableCount&, const TableCount&) = default;
};

// How far a link has ended (discontinuation.h); nothing of it is ever undone.
struct LinkLifecycle {
  EntryNumber stopped;             // with which it collects no more; 0: it collects
  EntryNumber ended;               // with which it was discontinued; 0: it was not
  std::optional<PoolRef> went_to;  // where its amount went; nothing: there was none
  friend bool operator==(const LinkLifecycle&, const LinkLifecycle&) = default;

  [[nodiscard]] bool collects() const { return stopped == EntryNumber(); }
  [[nodiscard]] bool has_ended() const { return ended != EntryNumber(); }
};

// What a link holds: all that postings change.
struct LinkPools {
  std::vector<LevelBalances> levels;
  PoolBalances reserve = {};
  friend bool operator==(const LinkPools&, const LinkPools&) = default;

  [[nodiscard]] const PoolBalances& pool(Pool pool) const;
  void post(const Posting& posting);
};

struct LinkBalances : LinkPools {
  std::vector<TableCount> tables;   // as LinkConfig::tables
  std::string suspended;            // why the link takes no wagers; "" while it operates
  Amount handle_before = {};        // when the link's terms took effect, as contributed_before
  bool pending_adjustment = false;  // the display says so (§ 553.20(h))
  LinkLifecycle ending = {};
  friend bool operator==(const LinkBalances&, const LinkBalances&) = default;

  static LinkBalances opened(const LinkConfig& terms);
  // What the posting's account holds, with the posting's sign.
  [[nodiscard]] Amount balance(Account account, Pool pool) const;
  // Of all its tables.
  [[nodiscard]] Amount handle() const;
  // Other terms take effect: what came before them is not held against their rates (M1).
  void begin_period();
  // REQUIRES: the table is on this link.
  [[nodiscard]] TableCount& table(TableIndex table);
};

// What the rejection of claims moves on one level (M11, level_calls.h).
struct LevelRejection {
  Amount amount;            // of rejected claims whose call is undone: back to the meter
  Amount deferred;          // of the others, whose call stays: likewise, below the limit (M9)
  Amount reseeded;          // of the calls that are undone: back to the house
  Amount from_reserve;      // of these: back to the reserve
  Amount overflowed_since;  // what the limit has kept out since the first call undone (M9)
  // The meter before the first call undone: it may stand there again, even above its limit. A
  // reseed on top of what a payout limit left on the meter brings it there.
  Amount stood;

  // What comes back from the reserve, because the calls that are undone had kept it out of the
  // meter that holds `held`: at most what the meter would lose, and no more than it may hold.
  [[nodiscard]] Amount recalled(Amount held, std::optional<Amount> limit) const;
  // By how much the meter rises with the calls undone, before its limit; negative: falls.
  [[nodiscard]] Amount change() const { return amount - reseeded - from_reserve; }
};

// The postings of one entry in the making, with the books as they would stand after them: the
// second winner of a round meets the meter that the first one left (M4, M6).
class LinkTransaction {
 public:
  // `terms` must outlive the draft; the pools are copied.
  LinkTransaction(LinkIndex place, const LinkConfig& terms, const LinkPools& pools)
      : place_(place), terms_(terms), book_(pools) {}

  [[nodiscard]] const LinkPools& book() const { return book_; }
  [[nodiscard]] const std::vector<Posting>& postings() const { return postings_; }

  // M3: the first seed of every level.
  void seed();
  // M1, M8: a wager's contributions to every level and the reserve; withheld is repaid first.
  void accrue(Amount handle);
  // M8: a returned wager: its contributions become withheld.
  void withhold(Amount handle);
  // M4: takes the whole meter in whole cents, but no more than `cap`, where given; reseeds with
  // reseed + reserve + what was kept. M9: the reserve enters only up to the level's limit.
  Amount hit_full(LevelIndex level, std::optional<Amount> cap = {});
  // M5: takes a share of the meter in whole cents, but no more than `cap`; no reseed.
  Amount hit_partial(LevelIndex level, Rate share, std::optional<Amount> cap = {});
  // A validated claim's amount goes from pending to paid.
  void pay(LevelIndex level, Amount amount);
  // M11: what comes back to the meter goes up to its limit, and the rest to the reserve (M9). On a
  // level with a limit the reserve repays at once what is withheld there, and owes as withheld what
  // it does not hold of the amount that comes back from it: so neither depends on the order of
  // several rejections. REQUIRES: the meter does not fall below zero.
  void reject(LevelIndex level, const LevelRejection& moves);
  // M12, from or to the account of corrections: negative takes away; a positive amount shows at
  // once, and what a limit does not let in goes to the reserve (M9).
  void correct(Pool pool, Amount amount);
  // M12, to the account of transfers.
  void send(Pool pool, Amount amount) { move(Account::transfers, pool, -amount); }
  // M12, at the end of a transfer: the amount shows at once, but M9: what a limit does not let in
  // goes to the reserve. Of a link that ends, `unfunded` of it is voided wagers' money that players
  // have back: it stays to be repaid (M8).
  void receive(Pool pool, Amount amount, Amount unfunded = {});
  // What a link that ends leaves: an amount, and what of it is unfunded.
  struct Left {
    Amount amount;
    Amount unfunded;
  };
  // Every pool is emptied; up to `houses` of each level goes back to the house (discontinuation.h).
  // REQUIRES: one for each level, none negative.
  Left end(std::span<const Amount> houses);
  // No pool holds more than limits::meter_max, nor has seen more than limits::lifetime_max.
  [[nodiscard]] bool is_within_limits() const;

 private:
  void post(Account account, Pool pool, Amount amount);
  void move(Account source, Pool pool, Amount amount);
  // Posts the amount to the pool, of a level up to its limit; the rest goes to the reserve.
  void bring_in(Pool pool, Amount amount);
  // M9: what a level's limit did not let in.
  void overflow(Pool level, Amount amount);
  // M11: takes back from the reserve what the level's limit did not let in. The meter's posting is
  // the caller's.
  void recall(Pool level, Amount amount);
  // Empties one pool; answers what leaves the link.
  Left empty(Pool pool, Amount houses);
  // Repays what is withheld, then adds to the pool; answers what a limit did not let in.
  Amount take_in(Pool pool, Amount gain, std::optional<Amount> limit);

  LinkIndex place_;
  const LinkConfig& terms_;
  LinkPools book_;
  std::vector<Posting> postings_;
};

}  // namespace linkmeter
