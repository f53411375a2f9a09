#include "proto/host/secret.h"

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero

namespace linkmeter {

void forget(std::string& secret) {
  // What was moved away from a short text is still in its buffer.
  secret.resize(secret.capacity());
  explicit_bzero(secret.data(), secret.size());
  secret.clear();
}

}  // namespace linkmeter
