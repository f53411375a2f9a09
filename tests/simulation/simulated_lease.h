// How long a lease of a simulated node lives.
#pragma once

#include <chrono>

namespace linkmeter {

inline constexpr std::chrono::seconds simulated_lease{1};

}  // namespace linkmeter
