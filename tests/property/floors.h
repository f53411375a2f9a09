// Test houses as floor files, read with the real catalogue: all wagers and paytables, alone and
// side by side, $1 and $5 units, odd rates, reserves, limits close to the seed, payout limits,
// every option on and off, one to eight decks, linked tables, every way to split a pot.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "meters/facts/entry.h"

namespace linkmeter {

inline constexpr std::size_t test_floor_count = 10;

// Throws Fault with every violation if the floor is not accepted, because a test could not
// continue.
FloorFile test_floor(std::size_t which);
FloorFile floor_from(const std::string& name, const std::string& text);
// All people: the standard staff, accountants, FM-2 who is an accountant and a finance
// manager, and S-1 of security.
std::vector<Person> trial_staff();
// Entry 1 of such a floor.
FloorOpened opened(const FloorFile& file);

}  // namespace linkmeter
