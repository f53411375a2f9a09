// Still of: what a sign's update (controller/sockets/README.md) says, as a picture says it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "controller/signs/sign_image.h"
#include "controller/view/json.h"

namespace linkmeter {

// The sizes of pictures that are drawn: few, so that what is drawn can be kept.
std::optional<std::pair<int, int>> still_size(const std::string& text);
// Times are of `zone` (local_time.h). REQUIRES: an update as the sign board makes it.
SignStill still_of(const Json& update, const std::string& zone);

}  // namespace linkmeter
