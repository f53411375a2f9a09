// Source: where a command asks: in a data folder, or at the staff socket of a running controller.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace linkmeter::cli {

struct Source {
  std::filesystem::path data;    // "": at the socket
  std::filesystem::path socket;  // "": in the data folder

  [[nodiscard]] bool is_socket() const { return !socket.empty(); }
  // As one gives it on the command line: "--data DIR", "--socket PATH".
  [[nodiscard]] std::string option() const;
};

// Adds --data and --socket, of which one is to be given.
void takes_source(CLI::App* command, Source& from);
// Adds --data alone, for a command that reads what the staff socket does not give: entries, keys or
// files. Of a group, whose commands have their own, it may be missing (`is_required` false).
void takes_folder(CLI::App* command, Source& from, bool is_required = true);
// Takes $LINKMETER_SOCKET where none was given. Throws CLI::RequiredError.
void require_source(Source& from);

}  // namespace linkmeter::cli
