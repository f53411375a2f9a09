// OwnProgram: where the program that runs stands on disk: its neighbours are found from there.
#pragma once

#include <filesystem>

namespace linkmeter {

struct OwnProgram {
  std::filesystem::path path;  // "": nobody knows
  // What runs, whatever stands at `path` by now: what to read to know it. Without /proc: `path`.
  std::filesystem::path image;
  bool is_certain = false;  // said by /proc; else it is the path that the program was started by
};

OwnProgram own_program();

}  // namespace linkmeter
