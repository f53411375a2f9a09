// CHECK: a law of the program that may never be broken, in any build. A broken law is a bug, not a
// refusal and not a fault: the process prints it and aborts, and the restart recovers from the
// journal.
#pragma once

namespace linkmeter {

[[noreturn]] void check_failed(const char* law, const char* file, int line) noexcept;

}  // namespace linkmeter

#define CHECK(law) \
  ((law) ? static_cast<void>(0) : ::linkmeter::check_failed(#law, __FILE__, __LINE__))
