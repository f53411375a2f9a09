// Control codec: bytes <-> what a person asks of a running controller, and what he is told. Total:
// any bytes give a value or nullopt.
//
// Law: a PIN stands in a ControlRequest's own fields and never inside its act. What an act has
// room for is what the edge makes of a PIN (new_pin_hash_in), after it was decoded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/facts/operator_command.h"
#include "meters/values/identity.h"
#include "meters/values/refusal.h"

namespace linkmeter {

struct ControlRequest {
  Badge badge;
  std::string pin;
  std::string new_pin;  // for an act that sets one
  OperatorCommand act;
  std::string witness_pin = {};         // of whom second_pin_of(act) names
  std::vector<std::string> codes = {};  // for Recover, as people type them
  friend bool operator==(const ControlRequest&, const ControlRequest&) = default;
};

struct ControlReply {
  Refusal refusal = Refusal::none;
  EntryNumber entry;        // 0: not in the journal
  ProposalNumber proposal;  // the one that was made or confirmed; 0: none
  std::string summary;      // of that proposal
  std::string text;         // a sentence for people
  SlipNumber slip = {};     // issued, voided or paid; 0: none
  friend bool operator==(const ControlReply&, const ControlReply&) = default;
};

std::string encode(const ControlRequest& request);
std::string encode(const ControlReply& reply);
std::optional<ControlRequest> decode_control_request(std::string_view bytes);
std::optional<ControlReply> decode_control_reply(std::string_view bytes);

// Whose PIN the act sets, if `by` asks for it.
const Badge& new_pin_badge(const OperatorCommand& act, const Badge& by);
// Where the act keeps a sealed PIN; nullptr if it sets none.
std::string* new_pin_hash_in(OperatorCommand& act);

}  // namespace linkmeter
