// Source: what a command reads: a data folder, or the staff socket of a running controller.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace linkmeter::cli {

struct Source {
  std::filesystem::path data;    // "": the socket
  std::filesystem::path socket;  // "": the data folder

  [[nodiscard]] bool is_socket() const { return !socket.empty(); }
  // As on the command line: "--data DIR" or "--socket PATH".
  [[nodiscard]] std::string option() const;
};

// Adds --data and --socket. Exactly one is required (require_source).
void takes_source(CLI::App* command, Source& from);
// Adds --data alone, for a command that reads entries, keys or files, which the staff socket does
// not provide. `is_required`: false for a group whose subcommands have their own.
void takes_folder(CLI::App* command, Source& from, bool is_required = true);
// Uses $LINKMETER_SOCKET if neither option was given. Throws CLI::RequiredError.
void require_source(Source& from);

}  // namespace linkmeter::cli
