#include "proto/host/executable.h"

#include <sys/auxv.h>
#include <sys/resource.h>

#include <string>
#include <string_view>
#include <system_error>

namespace linkmeter {

Executable own_executable() {
  constexpr const char* image = "/proc/self/exe";
  // The kernel appends this to the path of a file that was replaced.
  constexpr std::string_view replaced = " (deleted)";
  std::error_code error;
  std::string program = std::filesystem::read_symlink(image, error);
  if (!error) {
    if (program.ends_with(replaced)) program.resize(program.size() - replaced.size());
    return {program, image, true};
  }
  // The path this program was started by, as the kernel recorded it. It is available without /proc.
  const auto* started =  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives it so
      reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (started == nullptr) return {};
  const std::filesystem::path path = std::filesystem::canonical(started, error);
  if (error) return {};
  return {path, path, false};
}

void take_all_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace linkmeter
