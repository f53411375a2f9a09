// Panel claims: what a dealer is told of the claims of his table: how each stands, and what is to
// be done with it at the table. He decides nothing of it.
#pragma once

#include <string>
#include <vector>

#include "meters/codec/wire_codec.h"

namespace linkmeter {

// "validated: to be paid at the cage, on slip 12". Names that this release does not know stand as
// they are.
std::string claim_words(const ToldClaim& claim);

// The claim, as the controller told it last; null: it does not tell of it (any more).
const ToldClaim* find_claim(const std::vector<ToldClaim>& claims, ClaimNumber number);

}  // namespace linkmeter
