// Link reader: reads a [[link]] of a floor file into LinkConfig and validates it against its
// chapter. What the chapter fixes may be omitted or repeated, but not changed. What it bounds must
// be stated within the bounds. What it leaves open must be stated.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

struct LinkRead {
  LinkConfig terms;
  LinkRules rules;
};

// Reports violations through `table`; if there are any, the result is incomplete.
LinkRead read_link(TomlTable& table, const Catalogue& catalogue, const Floor& floor);

// Link levels: reads the seeds, rates and limits of a [[link]], level by level, and validates them
// against what the chapter fixes, bounds or leaves open. A wager with fixed awards only has no
// levels, and none of these keys.

// Reads seed, reseed, rates and limit into terms.levels, one for each level of the paytable, in its
// order. REQUIRES: terms.unit is read.
void read_levels_of_link(TomlTable& table, const Paytable& paytable, LinkConfig& terms);

// Link options: reads the choices of a [[link]] where its chapter allows one. Each is a boolean
// key.

inline constexpr std::array all_options{Option::any_20,
                                        Option::magic_card,
                                        Option::lucky_bonus,
                                        Option::payout_limit_caps_meter,
                                        Option::fold_forfeits,
                                        Option::folded_hand_gives_envy,
                                        Option::envy_of_non_bettors};

// All options of the wager, each with the house's choice or the chapter's default. A key of an
// option that the wager does not have is refused.
std::map<Option, bool> read_options(TomlTable& table, const WagerRules& wager);

// Applies the options to the configuration and rules of a link, removing what the link does not
// offer. REQUIRES: `rules` are the chapter's.
void apply_options(const std::map<Option, bool>& options, LinkConfig& terms, LinkRules& rules);

// Link stakes: reads the amounts that one wager of a [[link]] may have: a unit, or a minimum and a
// maximum.
//
// A unit is required where seeds, or Envy schedules with exact wagers, depend on the wager; it must
// then be one that every Envy schedule of the chapter lists. Schedules with wagers "or more"
// require none.

// Reads unit, minimum and maximum into `terms`.
void read_stakes(TomlTable& table, const WagerRules& wager, const Paytable& paytable,
                 LinkConfig& terms);

// Pot table: reads the pot contributions of a [[link]]: how much each pot contributes, which losing
// hand qualifies, and how an award is split. The chapter fixes none of these (§ 553.20(a), (b)).

// Reports violations through `table`; if there are any, the result is incomplete.
PotConfig read_pot(TomlTable& table, const WagerRules& wager);

}  // namespace linkmeter
