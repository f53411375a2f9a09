#include "controller/cli/source.h"

#include <cstdlib>

#include "meters/edge/fault.h"

namespace linkmeter::cli {

const std::filesystem::path& Source::folder() const {
  if (is_socket()) throw Fault("this reads the data folder itself: say --data DIR");
  return data;
}

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

void require_source(Source& from) {
  if (!from.data.empty() || from.is_socket()) return;
  const char* socket = std::getenv("LINKMETER_SOCKET");
  if (socket != nullptr) from.socket = socket;
  if (!from.is_socket()) throw CLI::RequiredError("--data or --socket");
}

}  // namespace linkmeter::cli
