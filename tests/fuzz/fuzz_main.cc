// The entry points for libFuzzer: linkmeter-fuzz --target=NAME [libFuzzer's options] [corpus
// folders]. Built only in the preset fuzz (tests/fuzz/run).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/target.h"

namespace {

const linkmeter::fuzz::Target* chosen = nullptr;

}  // namespace

// libFuzzer ignores options that begin with two dashes.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments);
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  constexpr std::string_view option = "--target=";
  for (int at = 1; at < *count; ++at) {
    const std::string_view said = (*arguments)[at];
    if (said.starts_with(option)) {
      chosen = linkmeter::fuzz::find_target(said.substr(option.size()));
    }
  }
  if (chosen == nullptr) {
    std::fputs("linkmeter-fuzz: --target=NAME; known are", stderr);
    for (const auto& target : linkmeter::fuzz::targets()) {
      std::fprintf(stderr, " %s", target.name.c_str());
    }
    std::fputc('\n', stderr);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // A copy of exactly this size, so that the sanitizer detects reads beyond its end.
  chosen->judge(std::string_view(reinterpret_cast<const char*>(bytes), size));
  return 0;
}
