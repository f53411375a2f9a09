// Configuration: the house's choices, and the differences between two configurations: the links
// that a change concerns, and one line for every changed value, before and after (L8). Texts,
// sections and titles are not compared here: they may be corrected while a link operates.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "meters/floor/floor.h"

namespace linkmeter {

// Whether tables and links have the same names at the same indexes, so that the floors can be
// compared index by index.
bool has_same_tables(const Floor& before, const Floor& after);
bool has_same_links(const Floor& before, const Floor& after);

// The rules without what only people read (titles, sections): a corrected comma is not another
// game. Everything that decides or pays remains.
LinkRules rules_alone(LinkRules link);
GameRules rules_alone(GameRules game);

// The links whose configuration, or that of one of their tables, differs. REQUIRES: the same tables
// and links.
std::set<LinkIndex> links_changed(const Floor& before, const Floor& after);
// The same, and the links whose chapter rules differ.
std::set<LinkIndex> links_changed(const Floor& before, const FloorRules& rules_before,
                                  const Floor& after, const FloorRules& rules_after);

// Whether gaming days begin and end alike. No link depends on it, so it may change while all links
// operate.
bool has_same_clock(const FloorRules& before, const FloorRules& after);

// Lines such as "C4-MEGA mega rate 9% -> 10%", in the floor's order. REQUIRES: the same tables,
// links and levels.
std::vector<std::string> change_lines(const Floor& before, const FloorRules& rules_before,
                                      const Floor& after, const FloorRules& rules_after);

}  // namespace linkmeter
