#include "controller/cli/shell/source.h"

#include <cstdlib>

namespace linkmeter::cli {

std::string Source::option() const {
  return is_socket() ? "--socket " + socket.string() : "--data " + data.string();
}

void takes_source(CLI::App* command, Source& from) {
  CLI::Option* data = command->add_option("--data", from.data, "The data folder");
  command
      ->add_option("--socket", from.socket,
                   "The controller's staff socket, in place of --data ($LINKMETER_SOCKET)")
      ->excludes(data);
}

void takes_folder(CLI::App* command, Source& from, bool is_required) {
  command
      ->add_option("--data", from.data,
                   "The data folder; this is not available at the staff socket")
      ->required(is_required);
  // Hidden, but accepted, so that the error names the option to use instead.
  command->add_option("--socket", from.socket)
      ->group("")
      ->check(CLI::Validator(
          [](std::string&) {
            return std::string("this is not available at the staff socket; give --data DIR");
          },
          ""));
}

void require_source(Source& from) {
  if (!from.data.empty() || from.is_socket()) return;
  const char* socket = std::getenv("LINKMETER_SOCKET");
  if (socket != nullptr) from.socket = socket;
  if (!from.is_socket()) throw CLI::RequiredError("--data or --socket");
}

}  // namespace linkmeter::cli
