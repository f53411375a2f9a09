// Operator codec: bytes <-> a person's request to a running controller, and its reply. Total: any
// bytes give a value or nullopt.
//
// Law: PINs are fields of the ControlRequest and never inside its act. An act has a field for the
// hash of a PIN (new_pin_hash_in), which the controller fills in after decoding.
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
  std::string witness_pin = {};         // of the person of second_pin_of(act)
  std::vector<std::string> codes = {};  // for Recover, as typed
  friend bool operator==(const ControlRequest&, const ControlRequest&) = default;
};

struct ControlReply {
  Refusal refusal = Refusal::none;
  EntryNumber entry;        // 0: not in the journal
  ProposalNumber proposal;  // the proposal that was made or confirmed; 0: none
  std::string summary;      // of that proposal
  std::string text;         // a sentence for people
  SlipNumber slip = {};     // issued, voided or paid; 0: none
  friend bool operator==(const ControlReply&, const ControlReply&) = default;
};

std::string encode(const ControlRequest& request);
std::string encode(const ControlReply& reply);
std::optional<ControlRequest> decode_control_request(std::string_view bytes);
std::optional<ControlReply> decode_control_reply(std::string_view bytes);

// The person whose PIN the act sets, if `by` requests it.
const Badge& new_pin_badge(const OperatorCommand& act, const Badge& by);
// The act's field for the hash of a PIN; nullptr: it sets none.
std::string* new_pin_hash_in(OperatorCommand& act);

}  // namespace linkmeter
