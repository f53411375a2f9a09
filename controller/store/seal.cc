#include "controller/store/seal.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace linkmeter {

Digest seal(const Digest& previous, EntryNumber number, std::string_view bytes) {
  std::array<std::uint8_t, 8> big_endian{};
  for (std::size_t at = 0; at < big_endian.size(); ++at) {
    big_endian[at] = static_cast<std::uint8_t>(number.value() >> (56 - 8 * at));
  }
  Sha256& hash = Sha256::begun();
  hash.add(previous.data(), previous.size());
  hash.add(big_endian.data(), big_endian.size());
  hash.add(bytes.data(), bytes.size());
  return hash.finish();
}

}  // namespace linkmeter
