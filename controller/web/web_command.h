// WebCommand: the command that a page asks for, read from the path and the JSON body of a POST. A
// new command is one row of command_routes() and one function.
//
// Law: this only reads the form of the body. Whether the person may do it, and whether it can be
// done, is decided in the turn.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "controller/view/json.h"
#include "controller/web/router.h"
#include "meters/facts/operator_command.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "proto/http/message.h"

namespace linkmeter {

struct WebCommand {
  OperatorCommand act;
  ClaimNumber claim = {};  // whose details the response shows; 0: none
};

using CommandOrRefusal = std::variant<WebCommand, WebResponse>;

struct CommandRoute {
  std::string_view pattern;
  // REQUIRES: `path` has the pattern's variables, `body` is an object. The response: why it is no
  // command.
  CommandOrRefusal (*read)(const PathVariables& path, const Json& body, const State& state);
};
std::span<const CommandRoute> command_routes();

// A text of the body; "" if it has no text under `key`.
std::string body_text(const Json& body, const char* key);

}  // namespace linkmeter
