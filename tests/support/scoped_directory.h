// ScopedDirectory: an empty directory for one test. It is removed with its contents at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "meters/values/invariant.h"

namespace linkmeter {

class ScopedDirectory {
 public:
  ScopedDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "linkmeter-XXXXXX").string();
    INVARIANT(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ScopedDirectory(const ScopedDirectory&) = delete;
  ScopedDirectory& operator=(const ScopedDirectory&) = delete;
  ~ScopedDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace linkmeter
