// A claim as JSON: what `linkmeter claims --json` prints and what the floor console shows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "controller/store/journal.h"
#include "controller/view/json.h"
#include "meters/floor/floor.h"
#include "meters/state/claim.h"
#include "meters/state/state.h"

namespace linkmeter {

// `rules`: of the claim's link; nullptr if this release cannot resolve them. `claim` must be an
// element of `state`.
Json claim_json(const State& state, const Claim& claim, const LinkRules* rules);

// A reason to review a claim before signing it.
struct ClaimFlag {
  std::string_view name;  // "late_report"
  std::string why;        // "sent 12.1 s before it arrived"
};
std::vector<ClaimFlag> flags_of(const State& state, const Claim& claim, const LinkRules& rules);

// A claim as an item of a list. `now`: for its age.
Json claim_summary(const State& state, const Claim& claim, const LinkRules& rules, Timestamp now);
// All details: the cards that counted when the claim was raised (claim_cards.h), how the meter
// reached its amount, the remaining steps and who may take them. Throws Fault if the journal cannot
// be read.
Json claim_detail_json(const State& state, const Claim& claim, const LinkRules& rules,
                       const Journal& journal, Timestamp now);

// The claims that share this claim's jackpot hit, in settlement order.
std::vector<const Claim*> claims_of_hit(const std::vector<Claim>& claims, const Claim& claim);

// The payment sources that the rules allow for the claim, or those that they exclude, by name.
Json sources_json(const LinkRules& rules, const Claim& claim, bool allowed);

// The amount that the level showed after the jackpot hit of this claim. nullopt: an old entry does
// not record it.
std::optional<Amount> opened_after(const State& state, const Claim& claim);

// Open rounds as JSON: the reported hands, for a person who corrects one.

// The newest `most` of the table's open rounds, newest first. A hand's entry is the one that set
// its present value; its claims are those of the hand that are not rejected.
Json rounds_json(const State& state, TableIndex table, std::size_t most);
// The newest `most` of the table's pots that can still be corrected.
Json pots_json(const State& state, TableIndex table, std::size_t most);

}  // namespace linkmeter
