// Ending: how a progressive is taken away (§ 553.20(d), (i); A-44), and what of a meter is whose.
//
// First it stops collecting: no wager counts any more, and that is for ever. Rounds that are locked
// go on and win what is there; so do pots, which contribute nothing. Then it is discontinued: with
// no round and no claim of it open, every pool is emptied at once.
//
// Laws. The house's part of a meter is what it put there when the meter was last opened, at most
// the reseed in force and at most what is there: the award before has paid for all that was put
// there earlier. It goes back to the house; all else is players', and no step of an ending or of a
// transfer makes it the house's: it goes to a meter or reserve that still collects, a fund of pots
// to a fund of pots, by the procedure that the Board approved. Of a fund of pots nothing is the
// house's: all that it displays is paid to patrons, its reseed included (§ 553.20(i)).
//
// Money that is withheld (M8) is shown, but players have it back. It is repaid by nobody once the
// link collects nothing, so it moves with what is shown: the other meter rises by all that this one
// showed but the house's part, and its next increments repay what was unfunded of it, as this
// one's would have. What is withheld beyond that is the house's to bear.
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

// A level, or the reserve, by name; nullopt: there is none.
std::optional<PoolRef> find_meter(const Floor& floor, const LinkId& link, const LevelId& level);
// Could a line ever pay what is there? A reserve that opens no meter pays nobody.
bool leads_to_a_line(const Floor& floor, PoolRef place);

// Does a wager on the link wait for its hand, or its round for a right count?
bool has_open_round(const State& state, LinkIndex link);
// Has the link an award, off a meter or fixed, that is neither paid nor rejected?
bool has_open_claim(const State& state, LinkIndex link);

// Whose the reseed of a fund of pots is when the fund ends. Old entries gave it to the house.
enum class FundReseed : std::uint8_t { patrons, house };

// At most what the meter holds.
Amount house_part(const State& state, LinkIndex link, LevelIndex level,
                  FundReseed reseed = FundReseed::patrons);

// Why not, of what the state alone says. REQUIRES: two meters that there are, the first with at
// least the amount.
Refusal refuse_transfer(const State& state, PoolRef from, PoolRef to, Amount amount);
Refusal refuse_act(const State& state, const StopCollecting& stop);
Refusal refuse_act(const State& state, const Discontinue& end,
                   FundReseed reseed = FundReseed::patrons);

struct EndingMoves {
  std::vector<Posting> postings;  // link by link
  Amount players;                 // what goes to the other meter
  bool is_within_limits = true;   // of what pools may hold
};
// REQUIRES: refuse_act() has nothing against it.
EndingMoves ending_of(const State& state, const Discontinue& end,
                      FundReseed reseed = FundReseed::patrons);

}  // namespace linkmeter
