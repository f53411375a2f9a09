// How a planted mistake changes an entry on its way to the disk.
#pragma once

#include "meters/facts/entry.h"
#include "tests/simulation/plant.h"

namespace linkmeter {

// true: the entry was changed.
using Spoil = bool (*)(Entry&);

// nullptr: the plant spoils no entries.
Spoil spoil_of(Plant plant);

}  // namespace linkmeter
