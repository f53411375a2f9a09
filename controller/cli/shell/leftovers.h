// Leftovers: reports the staging directories that an interrupted run left beside a folder
// (staging_directory.h), before the folder is made.
#pragma once

#include <filesystem>
#include <iostream>
#include <string>

#include "controller/store/staging_directory.h"

namespace linkmeter::cli {

inline void report_leftovers(const std::filesystem::path& directory) {
  for (const std::string& one : clear_leftovers(directory)) std::cerr << one << '\n';
}

}  // namespace linkmeter::cli
