// OperatorClient: sends the command of a person to a running controller, and prints the reply.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "controller/cli/shell/source.h"
#include "controller/store/journal.h"
#include "controller/view/json.h"
#include "meters/facts/operator_command.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "proto/codec/cluster_status.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/snapshot_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter::cli {

// The request was sent, but there is no reply: whether it was done is unknown.
class NoReply : public Fault {
 public:
  using Fault::Fault;
};

struct OperatorClient {
  Source from;
  Badge by;
  bool json = false;
};

inline constexpr std::chrono::seconds patience_with_acts{20};

// One request and how to wait for its reply.
struct Exchange {
  std::string request;
  std::size_t answer_bytes_max = limits::control_bytes_max;
  std::chrono::milliseconds patience = patience_with_acts;
  std::string what_now;  // what to do if there is no reply, as "; look whether ..."; or ""
};

// The status of the running controller. Throws Fault if none is running or it does not reply in
// time.
ControllerStatus ask_status(const Source& from, std::chrono::milliseconds patience);
// What the running controller of a data folder knows of its cluster, and its answer to a request to
// hand over. Throw Fault as ask_status(). REQUIRES: a data folder.
ClusterStatus ask_cluster(const Source& from);
HandoverReply ask_handover(const Source& from, const std::string& to);
// The state, over the staff socket. Throws Fault. REQUIRES: a socket.
Snapshot ask_snapshot(const Source& from);
// The controller's public key. Throws Fault.
std::string controller_key(const Source& from);
// Throws Fault unless a controller is running there.
void require_controller(const Source& from);
// Sends one request. The reply may be a refusal. Throws Fault.
ControlReply answer_to(const OperatorClient& asker, const ControlRequest& request);
// The reply as JSON.
Json reply_json(const ControlReply& reply);
// Throws Fault if the reply is a refusal.
void require_done(const ControlReply& reply);
// Sends one request and prints its reply. With --json the reply has the members of `made` too, if
// the request was done. Throws Fault if it was refused.
ControlReply send(const OperatorClient& asker, const ControlRequest& request,
                  const Json& made = Json::object());
// Reads the PIN, and a new PIN if the command sets one; sends the command; prints the reply;
// returns the exit code. If no new PIN was given for another person, makes a random one and prints
// it once. `before` runs after all input, before the request is sent; an exception cancels the
// request. Throws Fault.
int ask(const OperatorClient& asker, OperatorCommand act, const std::function<void()>& before = {});
// Recorded time, by which proposals expire: from the running controller, or, without a reply, as a
// controller would compute it that started on this folder now.
Timestamp controller_time(const Source& from, const Journal& journal, const State& state);

// A connection to the controller. Throws Fault.
FileDescriptor connect_to_staff_socket(const std::filesystem::path& socket);
// Sends one request over the staff socket and returns the reply. Throws Fault if the request was
// not sent, and NoReply, with `what_now`, if it was.
std::string staff_exchange(const std::filesystem::path& socket, const Exchange& exchange);

}  // namespace linkmeter::cli
