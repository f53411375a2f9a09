// Settlement: from hands and wagers to awards: which line, which order, which share, who gets envy.
// Pure arithmetic over drafts of the links; decide() turns the result into an entry.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "meters/award.h"
#include "meters/command.h"
#include "meters/floor.h"
#include "meters/link.h"
#include "meters/round.h"
#include "meters/state.h"

namespace linkmeter {

// What one entry does to the meters, while it is being settled.
class Settlement {
 public:
  Settlement(const State& state, const FloorRules& rules);

  // Contributions of accepted wagers (M1), or their return (M8).
  void accrue(const std::vector<PlacedWager>& wagers);
  void withhold(const std::vector<PlacedWager>& wagers);
  void accrue(LinkPlace link, Amount handle) { draft(link).accrue(handle); }

  // Settles one show: dealer-hand wagers first, then the named seats, highest first (M6), with envy
  // after each seat's own award. REQUIRES: the message was checked (seats, cards, folds,
  // duplicates).
  void settle(TablePlace table, const Round& round, const ShowHands& show);
  // Settles the Bad Beat of a pot, if there is one (§ 553.20). REQUIRES: the message was checked.
  void settle(LinkPlace link, const PlayPot& pot);

  // A validated claim is paid.
  void pay(LinkPlace link, LevelPlace level, Amount amount) { draft(link).pay(level, amount); }

  [[nodiscard]] bool is_within_limits() const;
  [[nodiscard]] const std::vector<MeterCall>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<Award>& awards() const { return awards_; }
  // All postings, link by link.
  [[nodiscard]] std::vector<Posting> postings() const;

 private:
  Draft& draft(LinkPlace link);
  void settle_dealer_hand(LinkPlace link, const Round& round, const ShowHands& show);
  void settle_player_hand(LinkPlace link, const Round& round, const ShownHand& hand);
  [[nodiscard]] bool has_bet(const Round& round, Seat seat, LinkPlace link) const;
  void give_envy(LinkPlace link, const Round& round, const ShownHand& hand, const Line& line);
  // The meter's share that a line calls, taken off the draft.
  Amount call(LinkPlace link, const Pays& pays);
  void award(LinkPlace link, Seat seat, const Line& line, Amount amount);
  [[nodiscard]] ClaimNumber next_claim();

  const State& state_;
  const FloorRules& rules_;
  std::map<LinkPlace, Draft> drafts_;
  std::vector<MeterCall> calls_;
  std::vector<Award> awards_;
  std::uint64_t claims_ = 0;
};

// M7: `total` whole cents in parts by weight; whole cents, summing exactly to the total; odd cents
// by largest remainder, ties to the earlier part (settlement order). REQUIRES: a positive sum of
// weights, none negative.
std::vector<Amount> shares(Amount total, const std::vector<std::int64_t>& weights);

}  // namespace linkmeter
