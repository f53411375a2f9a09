// The running program: its path on disk, from which other programs of the installation are found,
// and its resource limits.
#pragma once

#include <filesystem>

namespace linkmeter {

struct Executable {
  std::filesystem::path path;  // "": not known
  // The file to read for the contents of the running program, even if the file at `path` was
  // replaced. Without /proc this is `path`.
  std::filesystem::path image;
  bool is_certain = false;  // from /proc; otherwise `path` is the path that started the program
};

Executable own_executable();

// Raises the limit of open files to the hard limit: every connection uses a file.
void take_all_files();

}  // namespace linkmeter
