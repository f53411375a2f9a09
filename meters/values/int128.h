// Int128: for intermediate sums and products of amounts. Amounts from a damaged journal, or a total
// times a weight, must not overflow before they are reported or divided.
#pragma once

namespace linkmeter {

__extension__ using Int128 = __int128;

}  // namespace linkmeter
