// Paytable JSON: what the wager of a link pays, as a sign posts it: every line with its odds or its
// share of a meter, bonuses and Envy Bonuses, and the payout limit (§ 645a.2(b)(9), (10),
// § 657a.2(b)(6), § 679a.2). Keys: controller/sockets/README.md.
#pragma once

#include "controller/view/json.h"
#include "meters/floor/floor.h"

namespace linkmeter {

// Adds "paytable", "bonuses", "envy", "payout_limit" and "payout_limit_covers_meter". A fund of
// pots has no lines; "fund" has its rules.
void add_paytable(Json& link, const LinkConfig& terms, const LinkRules& rules);

}  // namespace linkmeter
