// Entry links: which links an entry is about, by its fact and its postings. An export of one link
// selects its entries with this, so that it contains every suspension, claim and parameter change,
// however the entry names the link.
//
// An entry is about a link if it names the link, a claim or a slip of it, or its money. What
// concerns the whole journal or the whole house (the opening, readings, the end and the signatures
// of a day, a clock in doubt, a restored backup) is about every link. An entry that names only a
// table, or continues a round of it (hands, close, void, a refused message), is about every link of
// that table. A change of parameters is about the links and tables that its lines name; a line
// about the house or a game is about every link.
#pragma once

#include <set>

#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

// REQUIRES: the state is of the entry's journal; a claim or slip that it does not know adds
// nothing. Links that the floor does not have (a forged entry) can be among them.
std::set<LinkIndex> links_of(const Entry& entry, const State& state);

}  // namespace linkmeter
