// Local register: where this user's own controllers on this machine keep their data folders, by the
// endpoint that they listen at. So an agent on the controller's own machine finds its credentials
// with nothing carried; it gives nobody anything that he could not read already.
//
//   $XDG_STATE_HOME/linkmeter/controllers/ENDPOINT   (else ~/.local/state): the folder's path
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace linkmeter {

// Throws Fault that names the file.
void register_controller(const std::string& endpoint, const std::filesystem::path& data);
// The data folder of the last controller of this user that listened there; nullopt: none is known.
// All names of this machine itself are one.
std::optional<std::filesystem::path> registered_controller(const std::string& endpoint);

}  // namespace linkmeter
