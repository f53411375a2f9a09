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

// `rules`: of the claim's link; nullptr where they cannot be resolved by this release. `claim` is
// one of the state's.
Json claim_json(const State& state, const Claim& claim, const LinkRules* rules);

// A reason to look twice before somebody signs.
struct ClaimFlag {
  std::string_view name;  // "late_report"
  std::string why;        // "sent 12.1 s before it arrived"
};
std::vector<ClaimFlag> flags_of(const State& state, const Claim& claim, const LinkRules& rules);

// In a line: what a list of claims shows. `now`: for its age.
Json claim_summary(const State& state, const Claim& claim, const LinkRules& rules, Timestamp now);
// All of it: the cards as they counted when it was raised (claim_cards.h), how the meter came to
// be, what is still to be done and by whom. Throws Fault if the journal cannot be read.
Json claim_whole(const State& state, const Claim& claim, const LinkRules& rules,
                 const Journal& journal, Timestamp now);

// What the level showed after the call that the claim is of; nullopt where an old entry does not
// say.
std::optional<Amount> opened_after(const State& state, const Claim& claim);

// Open rounds as JSON: the hands that were shown, as a person sees them before he puts one right.

// The newest `most` of the table's open rounds, the newest first. A hand's entry is the one that
// says it as it is now; its claims are those of that hand which nobody has rejected.
Json rounds_json(const State& state, TableIndex table, std::size_t most);
// The newest `most` of the table's pots that can still be put right.
Json pots_json(const State& state, TableIndex table, std::size_t most);

}  // namespace linkmeter
