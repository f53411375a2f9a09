// Local registry: the data folders of this user's controllers on this machine, by the endpoint that
// they listen on. With it, an agent on the same machine finds its credentials without a copied
// file. It gives nobody access to a file that he could not read before.
//
//   $XDG_STATE_HOME/linkmeter/controllers/ENDPOINT   (else ~/.local/state): the folder's path
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace linkmeter {

// Throws Fault with the file name.
void register_controller(const std::string& endpoint, const std::filesystem::path& data);
// Returns the data folder of the last controller of this user that listened on the endpoint, or
// nullopt if none is registered. All names of this machine count as the same host.
std::optional<std::filesystem::path> registered_controller(const std::string& endpoint);

}  // namespace linkmeter
