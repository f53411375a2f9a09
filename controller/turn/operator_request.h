// PersonRequest: what a person asks of the turn, after his PIN was looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meters/facts/operator_command.h"
#include "meters/values/identity.h"
#include "meters/values/refusal.h"

namespace linkmeter {

// Over which edge he asked.
enum class RequestSource : std::uint8_t {
  control,  // DIR/control
  web,      // a page of the controller's
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

struct PersonRequest {
  std::string peer;  // the connection to answer, as the source calls it
  Badge badge;
  bool is_good = false;  // the PIN is this badge's
  std::optional<OperatorCommand>
      act;                // nothing, where he does not sign in: the bytes were no request
  bool signs_in = false;  // asks nothing more than whether he is that person
  bool counts = true;     // a wrong PIN is an entry, and counts to his lock (login_throttle.h)
  RequestSource source = RequestSource::control;
  std::uint64_t question = 0;  // the table's own count
  // Of whom second_pin_of(act) names; nothing: none was given, or the first one was wrong.
  std::optional<bool> is_witness_good = {};
  bool witness_counts = true;       // as `counts`, of the witness's PIN
  Refusal new_pin = Refusal::none;  // what is wrong with the PIN that the act sets
  std::string unchecked = {};       // why his PIN, or the witness's, could not be checked
  std::string from = {};  // for the log, which user asked: "uid/1001"; "": the source does not say
};

}  // namespace linkmeter
