// PersonRequest: what a person asks of the turn, after his PIN was looked at.
#pragma once

#include <optional>
#include <string>

#include "meters/act.h"
#include "meters/identity.h"

namespace linkmeter {

struct PersonRequest {
  std::string peer;  // the connection to answer
  Badge badge;
  bool is_good = false;    // the PIN is this badge's
  std::optional<Act> act;  // nothing: the bytes were no request
};

}  // namespace linkmeter
