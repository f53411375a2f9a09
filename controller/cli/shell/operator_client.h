// Asking: a person's request to a running controller, from the PIN to the answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "controller/cli/shell/or_null.h"
#include "controller/cli/shell/source.h"
#include "controller/store/journal.h"
#include "meters/facts/operator_command.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/snapshot_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter::cli {

// What was asked went out, and nobody knows what became of it.
class NoReply : public Fault {
 public:
  using Fault::Fault;
};

// Who asks, where, and how the answer is told.
struct OperatorClient {
  Source from;
  Badge by;
  bool json = false;
};

inline constexpr std::chrono::seconds patience_with_acts{20};

// One question and its answer.
struct Exchange {
  std::string request;
  std::size_t answer_bytes_max = limits::control_bytes_max;
  std::chrono::milliseconds patience = patience_with_acts;
  std::string what_now;  // if there is no answer; "" or "; and so on"
};

// How the running controller stands. Throws Fault, in one sentence, if none is running, or if it
// does not answer in time.
ControllerStatus ask_status(const Source& from, std::chrono::milliseconds patience);
// The state as the controller gives it over its staff socket. Throws Fault. REQUIRES: a socket.
Snapshot ask_snapshot(const Source& from);
// The controller's public key, for those whom it is to know. Throws Fault.
std::string controller_key(const Source& from);
// Throws Fault, in one sentence, unless a controller is running there.
void require_controller(const Source& from);
// The answer to one request of a person, done or refused. Throws Fault.
ControlReply answer_to(const OperatorClient& asker, const ControlRequest& request);
// What programs are told of an answer.
Json reply_json(const ControlReply& reply);
void print_json(const Json& told);
// Throws Fault, in one sentence, if it is a refusal.
void require_done(const ControlReply& reply);
// Reads the PIN, and a new one where the act sets one; tells the answer; the exit code. A PIN of
// somebody else that was not given is made at random and told once. Throws Fault.
// `before`: done when everything was typed, before the request goes out; what it throws ends all.
int ask(const OperatorClient& asker, OperatorCommand act, const std::function<void()>& before = {});
// The time by which proposals expire: recorded time, as the running controller tells it; without
// an answer, what a controller would make of the clock that started on this folder now.
Timestamp controller_time(const Source& from, const Journal& journal, const State& state);

// Staff exchange: one question over the staff socket, and its answer.

// A connection to the controller. Throws Fault, in one sentence, where none can be made.
FileDescriptor connect_to_staff_socket(const std::filesystem::path& socket);
// The answer. Throws Fault where nothing was asked, and Unanswered where nobody knows what became
// of the question; `what_now` stands at its end.
std::string staff_exchange(const std::filesystem::path& socket, const Exchange& asked);

}  // namespace linkmeter::cli
