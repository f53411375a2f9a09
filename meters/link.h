// Link: the book of one progressive: what every level and the reserve hold, and where it came from.
// Balances change only by postings (post); counts only by facts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meters/amount.h"
#include "meters/floor.h"
#include "meters/identity.h"
#include "meters/posting.h"

namespace linkmeter {

// One pool: a level, or the reserve (which has no pending and paid of its own).
struct PoolBook {
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
  friend bool operator==(const PoolBook&, const PoolBook&) = default;
};

struct LevelBook {
  PoolBook pool;
  std::uint64_t hits = 0;          // 100% awards; a shared one counts once
  std::uint64_t partial_hits = 0;  // percentage awards
  std::uint64_t calls = 0;         // of both kinds that stand: the number of the last one (M11)
  friend bool operator==(const LevelBook&, const LevelBook&) = default;
};

// What one table brought to a link, net of voids.
struct TableCount {
  TablePlace table;
  std::uint64_t rounds = 0;
  std::uint64_t wagers = 0;
  Amount handle;
  friend bool operator==(const TableCount&, const TableCount&) = default;
};

struct LinkBook {
  std::vector<LevelBook> levels;
  PoolBook reserve;
  std::vector<TableCount> tables;   // as LinkTerms::tables
  std::string suspended;            // why the link takes no wagers; "" while it operates
  Amount handle_before = {};        // when the link's terms took effect, as contributed_before
  bool pending_adjustment = false;  // the display says so (§ 553.20(h))
  friend bool operator==(const LinkBook&, const LinkBook&) = default;

  static LinkBook opened(const LinkTerms& terms);
  [[nodiscard]] const PoolBook& pool(Pool pool) const;
  void post(const Posting& posting);
  // What the posting's account holds, with the posting's sign.
  [[nodiscard]] Amount balance(Account account, Pool pool) const;
  // Of all its tables.
  [[nodiscard]] Amount handle() const;
  // Other terms take effect: what came before them is not held against their rates (M1).
  void begin_period();
  // REQUIRES: the table is on this link.
  [[nodiscard]] TableCount& table(TablePlace table);
};

// The postings of one entry in the making, with the books as they would stand after them: the
// second winner of a round meets the meter that the first one left (M4, M6).
class Draft {
 public:
  // `terms` must outlive the draft; the book is copied.
  Draft(LinkPlace place, const LinkTerms& terms, const LinkBook& book)
      : place_(place), terms_(terms), book_(book) {}

  [[nodiscard]] const LinkBook& book() const { return book_; }
  [[nodiscard]] const std::vector<Posting>& postings() const { return postings_; }

  // M3: the first seed of every level.
  void seed();
  // M1, M8: a wager's contributions to every level and the reserve; withheld is repaid first.
  void accrue(Amount handle);
  // M8: a returned wager: its contributions become withheld.
  void withhold(Amount handle);
  // M4: takes the whole meter in whole cents, but no more than `cap`, where given; reseeds with
  // reseed + reserve + what was kept. M9: the reserve enters only up to the level's limit.
  Amount call_whole(LevelPlace level, std::optional<Amount> cap = {});
  // M5: takes a share of the meter in whole cents, but no more than `cap`; no reseed.
  Amount call_share(LevelPlace level, Rate share, std::optional<Amount> cap = {});
  // A validated claim's amount goes from pending to paid.
  void pay(LevelPlace level, Amount amount);
  // M11: a rejected claim's amount goes back to the meter; what the call had put there goes back to
  // the house and to the reserve.
  void reject(LevelPlace level, Amount amount, Amount reseeded, Amount from_reserve);
  // M12: from or to the accounts of corrections and transfers; negative takes away.
  void correct(Pool pool, Amount amount) { move(Account::corrections, pool, amount); }
  void transfer(Pool pool, Amount amount) { move(Account::transfers, pool, amount); }
  // No pool holds more than limits::meter_max, nor has seen more than limits::lifetime_max.
  [[nodiscard]] bool is_within_limits() const;

 private:
  void post(Account account, Pool pool, Amount amount);
  void move(Account source, Pool pool, Amount amount);
  // Repays what is withheld, then adds to the pool; answers what a limit did not let in.
  Amount take_in(Pool pool, Amount gain, std::optional<Amount> limit);

  LinkPlace place_;
  const LinkTerms& terms_;
  LinkBook book_;
  std::vector<Posting> postings_;
};

}  // namespace linkmeter
