// Person reply: what a person is told of the entry that his request became.
#pragma once

#include "meters/codec/control_codec.h"
#include "meters/entry.h"
#include "meters/refusal.h"

namespace linkmeter {

ControlReply refusal_reply(Refusal refusal, EntryNumber entry = {});
// REQUIRES: an entry of decide(SignIn) or decide(PersonMessage).
ControlReply reply_to(const Entry& entry, const Floor& floor);

}  // namespace linkmeter
