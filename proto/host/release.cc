#include "proto/host/release.h"

namespace linkmeter {

const Release& this_release() {
  static constexpr Release release{LINKMETER_VERSION, LINKMETER_STATE_VERSION};
  return release;
}

}  // namespace linkmeter
