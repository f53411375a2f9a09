#include "meters/check.h"

#include <cstdio>
#include <cstdlib>

namespace linkmeter {

void check_failed(const char* law, const char* file, int line) noexcept {
  std::fprintf(stderr, "linkmeter: broken law: %s (%s:%d)\n", law, file, line);
  std::abort();
}

}  // namespace linkmeter
