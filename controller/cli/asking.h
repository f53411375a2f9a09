// Asking: a person's request to the running controller of a data folder, from the PIN to the
// answer.
#pragma once

#include <chrono>
#include <filesystem>

#include "controller/cli/or_null.h"
#include "meters/act.h"
#include "meters/codec/control_codec.h"
#include "meters/codec/status_codec.h"
#include "meters/edge/fault.h"
#include "meters/identity.h"

namespace linkmeter::cli {

// What was asked went out, and nobody knows what became of it.
class Unanswered : public Fault {
 public:
  using Fault::Fault;
};

// Who asks, where, and how the answer is told.
struct Asker {
  std::filesystem::path data;
  Badge by;
  bool json = false;
};

// How the running controller stands. Throws Fault, in one sentence, if none is running, or if it
// does not answer in time.
ControllerStatus ask_status(const std::filesystem::path& data, std::chrono::milliseconds patience);
// Throws Fault, in one sentence, unless a controller is running on the data folder.
void require_controller(const std::filesystem::path& data);
// The answer to one request of a person, done or refused. Throws Fault.
ControlReply answer_to(const Asker& asker, const ControlRequest& request);
// What programs are told of an answer.
Json reply_json(const ControlReply& reply);
void print_json(const Json& told);
// Throws Fault, in one sentence, if it is a refusal.
void require_done(const ControlReply& reply);
// Reads the PIN, and a new one where the act sets one; tells the answer; the exit code. A PIN of
// somebody else that was not given is made at random and told once. Throws Fault.
int ask(const Asker& asker, Act act);

}  // namespace linkmeter::cli
