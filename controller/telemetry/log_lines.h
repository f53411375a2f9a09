// Log lines: how the controller's log looks. To a terminal or a file a line begins with its moment;
// under systemd, whose journal keeps the moment itself, with the level as journald reads it: "<4>".
#pragma once

namespace linkmeter {

// Makes the log of this process, on standard error.
void begin_log();

}  // namespace linkmeter
