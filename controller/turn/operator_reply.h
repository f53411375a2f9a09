// Person reply: what a person is told of the entry that his request became.
#pragma once

#include "meters/facts/entry.h"
#include "meters/values/refusal.h"
#include "proto/codec/operator_codec.h"

namespace linkmeter {

ControlReply refusal_reply(Refusal refusal, EntryNumber entry = {});
// REQUIRES: an entry of decide(SignIn) or decide(PersonMessage).
ControlReply reply_to(const Entry& entry, const Floor& floor);
// Which of the names in the act its refusal means: "there is no such claim: 7". The journal keeps
// none of them, for nobody has bounded what was asked for.
void name_unknown(const OperatorCommand& act, const Floor& floor, ControlReply& reply);

}  // namespace linkmeter
