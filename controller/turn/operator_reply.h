// Operator reply: the reply to a person, built from the entry that their request became.
#pragma once

#include "meters/facts/entry.h"
#include "meters/values/refusal.h"
#include "proto/codec/operator_codec.h"

namespace linkmeter {

ControlReply refusal_reply(Refusal refusal, EntryNumber entry = {});
// REQUIRES: an entry of decide(SignIn) or decide(PersonMessage).
ControlReply reply_to(const Entry& entry, const Floor& floor);
// Adds the name that caused the refusal: "there is no such claim: 7". The journal does not keep
// these names, because their length is not bounded.
void add_unknown_name(const OperatorCommand& act, const Floor& floor, ControlReply& reply);

}  // namespace linkmeter
