// Executable: the program that runs: where it stands on disk, for its neighbours are found from
// there, and what the system lets it have.
#pragma once

#include <filesystem>

namespace linkmeter {

struct Executable {
  std::filesystem::path path;  // "": nobody knows
  // What runs, whatever stands at `path` by now: what to read to know it. Without /proc: `path`.
  std::filesystem::path image;
  bool is_certain = false;  // said by /proc; else it is the path that the program was started by
};

Executable own_executable();

// Connections are files: as many as the system lets this process have.
void take_all_files();

}  // namespace linkmeter
