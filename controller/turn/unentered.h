// Unentered: requests of strangers that are no entry. Over HTTP there are strangers: what they try
// at a locked person, or where he is not at home, must not fill the journal.
#pragma once

#include <optional>

#include "controller/turn/operator_request.h"
#include "meters/state/state.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// What they are told, and what is logged.
struct Unentered {
  Refusal told = Refusal::none;
  Refusal logged = Refusal::none;
};

// nullopt: the request is for the journal, whatever becomes of it.
std::optional<Unentered> refuse_unentered(const State& state, const PersonRequest& request,
                                          Timestamp now);

}  // namespace linkmeter
