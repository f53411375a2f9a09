// What `linkmeter sign` is asked: to drive one sign on a line.
#pragma once

#include <filesystem>
#include <string>

#include "controller/cli/shell/source.h"

namespace linkmeter::cli {

struct SignOptions {
  std::filesystem::path data;         // the controller's, on its own machine; or these three:
  std::string feed;                   // endpoint
  std::filesystem::path credentials;  // a viewer's
  std::filesystem::path record;       // where it is written what the sign was told
  std::string link, level, port, driver = "pro-lite", name;
  int number = 1;
};

// Drives the sign until it is told to stop. Throws Fault.
int drive_sign(const SignOptions& asked);
// What every sign on a line was last told, and how long ago.
int signs(const Source& from, bool json);

}  // namespace linkmeter::cli
