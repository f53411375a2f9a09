// INVARIANT: a law of the program that no build may break. A broken law is a bug, not a refusal and
// not a fault: the process prints it and aborts, and the restart recovers from the journal.
//
// Code that only reads must not end the process: a report or a page of one damaged entry would end
// the controller at every restart. Such code runs inside a ReadingScope, where a broken law is an
// exception that the caller reports as the error of this one request.
#pragma once

#include <stdexcept>

namespace linkmeter {

// A broken law that was found inside a ReadingScope.
class BrokenLaw : public std::logic_error {
  using std::logic_error::logic_error;
};

// While it lives, a broken law on this thread throws BrokenLaw. Scopes may be nested.
// REQUIRES: what the scope changes is discarded when an exception leaves it.
class ReadingScope {
 public:
  ReadingScope() noexcept;
  ~ReadingScope();
  ReadingScope(const ReadingScope&) = delete;
  ReadingScope& operator=(const ReadingScope&) = delete;
};

// Throws BrokenLaw inside a ReadingScope, else ends the process.
[[noreturn]] void invariant_failed(const char* law, const char* file, int line);

}  // namespace linkmeter

#define INVARIANT(law) \
  ((law) ? static_cast<void>(0) : ::linkmeter::invariant_failed(#law, __FILE__, __LINE__))
