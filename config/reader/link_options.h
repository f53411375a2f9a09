// Link options: what a [[link]] chooses where its chapter gives a choice, each a key that is true
// or false.
#pragma once

#include <array>
#include <map>

#include "config/reader/toml_table.h"
#include "meters/floor/floor.h"

namespace linkmeter {

inline constexpr std::array all_options{Option::any_20,
                                        Option::magic_card,
                                        Option::lucky_bonus,
                                        Option::payout_limit_caps_meter,
                                        Option::fold_forfeits,
                                        Option::folded_hand_gives_envy,
                                        Option::envy_of_non_bettors};

// Every option of the wager with what the house chose, or what holds if it did not say. A key of an
// option that the wager does not have is refused.
std::map<Option, bool> read_options(TomlTable& table, const WagerRules& wager);

// Makes the terms and rules of a link what its options say: what it does not offer is left out.
// REQUIRES: rules are the chapter's.
void apply_options(const std::map<Option, bool>& options, LinkConfig& terms, LinkRules& rules);

}  // namespace linkmeter
