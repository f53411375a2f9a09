#include "proto/host/secret.h"

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero

namespace linkmeter {

void forget(std::string& secret) {
  explicit_bzero(secret.data(), secret.size());
  secret.clear();
}

}  // namespace linkmeter
