// Leftovers: what an interrupted run left beside a folder (staging_directory.h); told before the
// folder is made, also if it is then not made.
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
