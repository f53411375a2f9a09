// INVARIANT: checks a law of the program, in every build. A broken law is a bug, neither a refusal
// nor a fault: the process prints it and aborts, and the restart recovers from the journal.
//
// Code that only reads must not end the process: otherwise a report or page that reads one damaged
// entry would end the controller after every restart. Such code runs inside a ReadingScope. There a
// broken law throws an exception, and the caller reports it as the error of this one request.
#pragma once

#include <stdexcept>

namespace linkmeter {

// Thrown for a broken law inside a ReadingScope.
class BrokenLaw : public std::logic_error {
  using std::logic_error::logic_error;
};

// During its lifetime, a broken law on this thread throws BrokenLaw. Scopes may be nested.
// REQUIRES: everything that is changed inside the scope is discarded if an exception leaves it.
class ReadingScope {
 public:
  ReadingScope() noexcept;
  ~ReadingScope();
  ReadingScope(const ReadingScope&) = delete;
  ReadingScope& operator=(const ReadingScope&) = delete;
};

// Throws BrokenLaw inside a ReadingScope; otherwise ends the process.
[[noreturn]] void invariant_failed(const char* law, const char* file, int line);

}  // namespace linkmeter

#define INVARIANT(law) \
  ((law) ? static_cast<void>(0) : ::linkmeter::invariant_failed(#law, __FILE__, __LINE__))
