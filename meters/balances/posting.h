// Posting: one line of double entry. The postings of every entry sum to zero (M14). A balance is
// the sum of its postings and nothing else, so every figure of a meter can be traced.
//
// Signs: what a level holds or has paid is positive; the sources of the money are negative.
// Withheld money was returned to players but is still displayed by the meter, so it is negative
// too:
//     meter + reserve + pending + paid + withheld
//         + wagers + seed_funding + corrections + transfers = 0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/invariant.h"

namespace linkmeter {

// The numbers are stored in the journal and never change.
enum class Account : std::uint8_t {
  meter = 1,         // a level's running amount
  reserve = 2,       // a link's reserve
  withheld = 3,      // contributions of voided wagers; the next increments repay them (M8)
  pending = 4,       // awards of the meter that wait for a person
  paid = 5,          // awards of the meter that were paid
  wagers = 6,        // source: contributions
  seed_funding = 7,  // source: the house's seeds and reseeds (M3)
  corrections = 8,   // source: M12
  transfers = 9,     // source: M12
  overflow = 10,     // from a level at its limit to the reserve (M9); sums to zero over a link
};

// One pool of a link: a level, or the reserve.
class Pool {
 public:
  constexpr Pool() = default;
  static constexpr Pool level(LevelIndex index) { return Pool(index.value()); }
  static constexpr Pool reserve() { return Pool(reserve_value); }
  [[nodiscard]] constexpr bool is_reserve() const { return value_ == reserve_value; }
  // REQUIRES: a level.
  [[nodiscard]] constexpr LevelIndex level_index() const {
    INVARIANT(!is_reserve());
    return LevelIndex(value_);
  }
  friend constexpr auto operator<=>(Pool, Pool) = default;

 private:
  static constexpr std::uint8_t reserve_value = 255;
  constexpr explicit Pool(std::uint8_t value) : value_(value) {}
  std::uint8_t value_ = 0;
};

// One pool of a floor.
struct PoolRef {
  LinkIndex link;
  Pool pool;
  friend bool operator==(const PoolRef&, const PoolRef&) = default;
};

struct Posting {
  Account account = Account::meter;
  LinkIndex link;
  Pool pool;
  Amount amount;
  friend bool operator==(const Posting&, const Posting&) = default;
};

std::string_view name(Account account);
// M14: whether the postings sum to zero. Accepts any amounts: the sum cannot overflow.
bool is_balanced(std::span<const Posting> postings);

}  // namespace linkmeter
