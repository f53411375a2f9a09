// Naive link: one progressive with plain numbers: the house's choices, its balances, and the few
// operations on it (M1, M3, M4, M5, M8, M9). Money is a whole number of 10^-8 dollars, wide enough
// never to overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "meters/floor/floor.h"
#include "tests/property/naive_rules.h"

namespace linkmeter {

__extension__ using Exact = __int128;

inline constexpr std::int64_t exact_cent = 1'000'000;

std::string exact_text(Exact amount);

struct NaivePool {
  Exact held = 0;
  Exact withheld = 0;
  Exact pending = 0;
  Exact paid = 0;
  Exact contributed = 0;
  Exact seeded = 0;
  Exact corrected = 0;    // M12
  Exact transferred = 0;  // M12
  Exact overflowed = 0;   // given to the reserve; in the reserve: received, negative
  // The house's amount at each opening that still counts; the last one matters.
  std::vector<Exact> opened;
  std::uint64_t hits = 0;
  std::uint64_t partial_hits = 0;
};

struct NaiveCount {
  std::uint32_t table = 0;
  std::uint64_t rounds = 0;
  std::uint64_t wagers = 0;
  Exact handle = 0;
  Exact by_attendant = 0, by_device = 0;  // § 605a.7(a)(2), (3)
};

struct NaiveSplit {
  std::int64_t losing_ppm = 0;
  std::int64_t winning_ppm = 0;
  std::int64_t table_ppm = 0;
};

// Terms that only two persons change (L8).
struct NaiveTerms {
  LinkConfig given;  // as the house wrote it
  std::string id;
  std::string wager;
  NaiveRules rules;
  std::int64_t least_cents = 0;  // of a wager
  std::int64_t most_cents = 0;
  std::vector<std::uint32_t> tables;
  std::vector<Exact> seeds;
  std::vector<Exact> reseeds;
  std::vector<std::int64_t> rates_ppm;
  std::vector<std::optional<Exact>> limits;
  std::int64_t reserve_ppm = 0;
  std::optional<Exact> payout_limit;
  bool of_pots = false;
  std::int64_t pot_least_cents = 0;
  std::int64_t pot_share_cents = 0;  // what a pot contributes
  std::string qualifying, qualifying_ranks;
  NaiveSplit split;

  static NaiveTerms of(const LinkConfig& link, const std::string& floor_text,
                       const std::vector<std::string>& chapters = {});
  [[nodiscard]] bool is_at(std::uint32_t table) const;
  [[nodiscard]] bool takes(std::int64_t cents) const {
    return !of_pots && cents >= least_cents && cents <= most_cents;
  }
  [[nodiscard]] int level(const std::string& name) const;
};

struct NaiveWin {
  Exact amount = 0;
  Exact reseeded = 0;
  Exact from_reserve = 0;
};

// The balances, which do change.
struct NaiveBook {
  std::vector<NaivePool> levels;
  NaivePool reserve;
  std::string suspended;                              // why; "": it operates
  bool notice = false;                                // "pending adjustment"
  bool stopped = false;                               // no wager counts any more
  bool gone = false;                                  // discontinued
  std::optional<std::pair<std::uint32_t, int>> heir;  // the link and level that it was moved to
  std::vector<NaiveCount> counts;

  static NaiveBook opened(const NaiveTerms& terms);
  [[nodiscard]] NaiveCount& count(std::uint32_t table);
  void contribute(const NaiveTerms& terms, std::int64_t cents);
  void give_back(const NaiveTerms& terms, std::int64_t cents);
  // The award, which is then pending; never more than `most`.
  NaiveWin win(const NaiveTerms& terms, int level, std::int64_t percent, std::optional<Exact> most);
  // M11: a rejected award goes back. `put`: what the undone hits had added to the meter;
  // `kept_out`: what the limit sent to the reserve since the first of them; `meter_before`: the
  // meter before that hit, to which it may return above the limit. Returns false and does nothing
  // if the meter cannot give that much.
  bool take_back_award(const NaiveTerms& terms, int level, Exact amount, const NaiveWin& put,
                       Exact kept_out, Exact meter_before);
  // M12: the amount above a limit goes to the reserve. Level -1: the reserve.
  void correct(const NaiveTerms& terms, int level, Exact amount);
  // M9: a transferred amount stops at a limit, too. Level -1: the reserve. `empty` is the part of
  // the shown amount that comes from voided wagers.
  void take_over(const NaiveTerms& terms, int level, Exact amount, Exact empty);
  // The house's part of a level (-1: nothing of the reserve).
  [[nodiscard]] Exact of_house(const NaiveTerms& terms, int level) const;
  [[nodiscard]] bool is_too_full() const;
};

}  // namespace linkmeter
