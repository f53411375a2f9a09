// Discontinuation: how a progressive is ended (§ 553.20(d), (i); A-44), and which part of a meter
// belongs to the house and which to players.
//
// First the link stops collecting: it accepts no more wagers, permanently. Locked rounds continue
// and win from the balance, and so do pots, which contribute nothing. Then the link is
// discontinued: when it has no open round and no open claim, all of its pools are emptied by one
// entry.
//
// Laws. The house's part of a meter is the amount that the house put there when the meter was last
// opened, at most the reseed in force and at most the balance. Earlier house money was paid out
// with the award before. The house's part returns to the house. The rest belongs to players: no
// discontinuation and no transfer makes it the house's. It goes to a meter or reserve that still
// collects, from a fund of pots to a fund of pots, by the procedure that the Board approved. The
// house has no part in a fund of pots: all that the fund displays is paid to patrons, including its
// reseed (§ 553.20(i)).
//
// Withheld money (M8) is displayed, but it was returned to players. A link that no longer collects
// cannot repay it, so it moves with the displayed amount: the receiving meter rises by all that
// this meter displayed less the house's part, and its next increments repay the unfunded part, as
// this meter's would have. The house bears any withheld amount beyond that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/facts/operator_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The level or the reserve with this name; nullopt: none.
std::optional<PoolRef> find_meter(const Floor& floor, const LinkId& link, const LevelId& level);
// Whether a line can ever pay this balance. A reserve that opens no meter cannot be won.
bool can_be_won(const Floor& floor, PoolRef place);

// Whether a wager on the link waits for its hand, or its round waits for a corrected count.
bool has_open_round(const State& state, LinkIndex link);
// Whether the link has an award, of a meter or fixed, that is neither paid nor rejected.
bool has_open_claim(const State& state, LinkIndex link);

// Who owns the reseed of a fund of pots when the fund ends. Old entries gave it to the house.
enum class FundReseed : std::uint8_t { patrons, house };

// The house's part of the meter, at most its balance.
Amount house_part(const State& state, LinkIndex link, LevelIndex level,
                  FundReseed reseed = FundReseed::patrons);

// Why the state alone refuses it. REQUIRES: both meters exist, and the first holds at least the
// amount.
Refusal check_transfer(const State& state, PoolRef from, PoolRef to, Amount amount);
Refusal check_command(const State& state, const StopCollecting& stop);
Refusal check_command(const State& state, const Discontinue& end,
                      FundReseed reseed = FundReseed::patrons);

struct EndingMoves {
  std::vector<Posting> postings;  // link by link
  Amount players;                 // the amount that goes to the other meter
  bool is_within_limits = true;   // the pools can hold the result
};
// REQUIRES: check_command() returned none.
EndingMoves ending_of(const State& state, const Discontinue& end,
                      FundReseed reseed = FundReseed::patrons);

}  // namespace linkmeter
