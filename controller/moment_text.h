// A moment as people and files read it: "2026-03-01T14:05:09.000123Z".
#pragma once

#include <string>

#include "meters/timestamp.h"

namespace linkmeter {

std::string text(Timestamp moment);

}  // namespace linkmeter
