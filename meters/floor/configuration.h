// Configuration: what the house chose, and how one differs from another: the links that a change
// concerns, and a line for every term that changes, before and after (L8). Texts, sections and
// titles are no terms: they may be corrected while a link operates.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "meters/floor/floor.h"

namespace linkmeter {

// Tables and links stand at their places, by their names: the two can be compared place by place.
bool has_same_tables(const Floor& before, const Floor& after);
bool has_same_links(const Floor& before, const Floor& after);

// The rules without what is only ever read by people: a corrected comma in a title is no other
// game. Everything that decides or pays stays.
LinkRules rules_alone(LinkRules link);
GameRules rules_alone(GameRules game);

// The links with another term, or at a table with another one. REQUIRES: the same tables and links.
std::set<LinkIndex> links_changed(const Floor& before, const Floor& after);
// And those with other rules of their chapter.
std::set<LinkIndex> links_changed(const Floor& before, const FloorRules& rules_before,
                                  const Floor& after, const FloorRules& rules_after);

// Do gaming days begin and end alike? No link hangs on that: it may change while all operate.
bool has_same_clock(const FloorRules& before, const FloorRules& after);

// "C4-MEGA mega rate 9% -> 10%", in the floor's order. REQUIRES: the same tables and links, and the
// same levels.
std::vector<std::string> change_lines(const Floor& before, const FloorRules& rules_before,
                                      const Floor& after, const FloorRules& rules_after);

}  // namespace linkmeter
