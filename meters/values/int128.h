// Int128: for sums and products of amounts on the way to a result. What a damaged journal claims,
// or a total times a weight, must be named or divided, not overflow.
#pragma once

namespace linkmeter {

__extension__ using Int128 = __int128;

}  // namespace linkmeter
