// WebCommand: what a page asks for, as an act: POST /api/claims/7/validate {...}.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "controller/view/json.h"
#include "meters/facts/operator_command.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "proto/http/message.h"

namespace linkmeter {

struct WebCommand {
  OperatorCommand act;
  ClaimNumber claim;  // that it is about; 0: none
};

// The act, what is wrong with the body, or nullopt: nothing is asked there.
std::optional<std::variant<WebCommand, WebResponse>> web_act(const std::string& path,
                                                             const Json& body, const State& state);

// There is too much to do.
WebResponse web_busy();

// What a refused act is answered with.
int web_status_of(Refusal refusal);

// The digits of a number as it stands in a path: "7"; nullopt: none, or too large.
// A text of the body; "" where there is none.
std::string body_text(const Json& body, const char* key);

}  // namespace linkmeter
