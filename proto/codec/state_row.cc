#include "proto/codec/state_row.h"

#include "proto/codec/big_endian.h"
#include "proto/codec/fnv1a.h"

namespace linkmeter {

std::string row_checksum(std::string_view key, std::string_view content) {
  return big_endian(Fingerprint().add(key).add("=").add(content).value(),
                    static_cast<int>(row_checksum_size));
}

}  // namespace linkmeter
