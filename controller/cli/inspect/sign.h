// The commands `sign`, which drives one sign on a serial line, and `signs`.
#pragma once

#include <filesystem>
#include <string>

#include "controller/cli/shell/source.h"

namespace linkmeter::cli {

struct SignOptions {
  std::filesystem::path data;         // the controller's, on its own machine; or these three:
  std::string feed;                   // endpoint
  std::filesystem::path credentials;  // a viewer's
  std::filesystem::path record;       // the file that records what the sign was sent
  std::string link, level, port, driver = "pro-lite", name;
  int number = 1;
};

// Drives the sign until a shutdown signal. Throws Fault.
int drive_sign(const SignOptions& asked);
// What every sign on a serial line was last sent, and how long ago.
int signs(const Source& from, bool json);

}  // namespace linkmeter::cli
