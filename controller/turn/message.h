// Message: input and output of the turn: messages of tables, requests of people, and replies. The
// turn knows no socket.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/operator_command.h"
#include "meters/values/identity.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// One received message. `peer` is the connection, for the reply; it does not identify the sender.
// `key` does: the public key (Z85) that the connection proved.
struct InboundMessage {
  std::string peer;
  std::string key;
  std::string bytes;
};

// One reply. Sent only after the commit of what it acknowledges.
struct Reply {
  std::string peer;
  std::string bytes;
  friend bool operator==(const Reply&, const Reply&) = default;
};

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

// A person's request, after the PIN was verified.
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

// Whether it proposes that a node leaves its cluster.
inline bool leaves_cluster(const OperatorRequest& request) {
  const auto* propose = request.act ? std::get_if<Propose>(&*request.act) : nullptr;
  return propose != nullptr && std::holds_alternative<LeaveCluster>(propose->act);
}

}  // namespace linkmeter
