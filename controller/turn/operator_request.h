// OperatorRequest: a person's request to the turn, after the PIN was verified.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/operator_command.h"
#include "meters/values/identity.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// The socket over which the request came.
enum class RequestSource : std::uint8_t {
  control,  // DIR/control
  web,      // a page of the controller
  table,    // the panel of a table
  staff,    // the staff socket
};

constexpr std::string_view name(RequestSource source) {
  switch (source) {
    case RequestSource::control: return "control";
    case RequestSource::web: return "web";
    case RequestSource::table: return "table";
    case RequestSource::staff: return "staff";
  }
  return "";
}

struct OperatorRequest {
  std::string peer;  // the connection for the reply, in the source's own terms
  Badge badge;
  bool is_good = false;                // the PIN is this badge's
  std::optional<OperatorCommand> act;  // nullopt: a login, or the bytes were not a request
  bool signs_in = false;               // only verifies the person's identity
  // A wrong PIN is journaled and counts toward the lockout (login_throttle.h).
  bool counts = true;
  RequestSource source = RequestSource::control;
  std::uint64_t question = 0;  // the table's own count
  // Whether the PIN of the person named by second_pin_of() is right. nullopt: none was given, or
  // the first PIN was wrong.
  std::optional<bool> is_witness_good = {};
  bool witness_counts = true;       // as `counts`, for the witness's PIN
  Refusal new_pin = Refusal::none;  // what is wrong with the PIN that the command sets
  std::string unchecked = {};       // why the PIN, or the witness's, could not be verified
  std::string from = {};  // the requesting user, for the log: "uid/1001"; "": unknown to the source
};

}  // namespace linkmeter
