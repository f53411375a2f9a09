// Shared by the libraries that tests preload into programs: the original function behind a wrapped
// one, and a number in a file with which the test controls the library while the program runs.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace linkmeter {

template <class Function>
Function* original(const char* name) {
  void* const found = ::dlsym(RTLD_NEXT, name);
  if (found == nullptr) ::abort();
  Function* function = nullptr;
  std::memcpy(&function, &found, sizeof function);
  return function;
}

// The first eight bytes, in this machine's byte order, of the file that the environment variable
// names. A value that the test writes there is visible at once.
inline const volatile std::int64_t* ruling_number(const char* variable) {
  const char* const path = std::getenv(variable);
  const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) ::abort();
  void* const bytes = ::mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
  if (bytes == MAP_FAILED) ::abort();
  ::close(file);
  return static_cast<const volatile std::int64_t*>(bytes);
}

}  // namespace linkmeter
