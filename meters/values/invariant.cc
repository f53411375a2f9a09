#include "meters/values/invariant.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace linkmeter {
namespace {

thread_local int reading_scopes = 0;

}  // namespace

ReadingScope::ReadingScope() noexcept { ++reading_scopes; }
ReadingScope::~ReadingScope() { --reading_scopes; }

void invariant_failed(const char* law, const char* file, int line) {
  if (reading_scopes > 0) {
    throw BrokenLaw("broken law: " + std::string(law) + " (" + file + ":" + std::to_string(line) +
                    ")");
  }
  std::fprintf(stderr, "linkmeter: broken law: %s (%s:%d)\n", law, file, line);
  std::abort();
}

}  // namespace linkmeter
