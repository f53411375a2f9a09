#include "controller/cli/shell/operator_client.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <zmq.hpp>

#include "controller/auth/pin.h"
#include "controller/cli/shell/pin_entry.h"
#include "controller/cli/shell/text_table.h"
#include "controller/sockets/control_endpoint.h"
#include "controller/store/data_folder.h"
#include "meters/values/limits.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/protobuf_log.h"
#include "proto/host/fault.h"
#include "proto/host/local_socket.h"

namespace linkmeter::cli {

namespace {

constexpr std::chrono::milliseconds look_interval{200};

Badge whose_pin(const OperatorClient& asker, const OperatorCommand& act) {
  const auto* propose = std::get_if<Propose>(&act);
  if (propose == nullptr) return asker.by;
  if (const auto* add = std::get_if<AddPerson>(&propose->act)) return add->person.badge;
  return std::get<ResetPin>(propose->act).badge;
}

std::string exchange(const Source& from, const Exchange& asked) {
  if (from.is_socket()) return staff_exchange(from.socket, asked);
  const std::filesystem::path& data = from.data;
  const ControlEndpoint endpoint(data);
  zmq::context_t context;
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  const Credentials own = operator_credentials(data);
  socket.set(zmq::sockopt::curve_serverkey, own.controller_key);
  socket.set(zmq::sockopt::curve_publickey, own.keys.public_key);
  socket.set(zmq::sockopt::curve_secretkey, own.keys.secret_key);
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::maxmsgsize,
             static_cast<std::int64_t>(asked.answer_bytes_max) + curve_bytes);
  socket.connect(endpoint.text());
  socket.send(zmq::buffer(asked.request), zmq::send_flags::none);
  const auto until = std::chrono::steady_clock::now() + asked.patience;
  while (true) {
    zmq::pollitem_t item{socket.handle(), 0, ZMQ_POLLIN, 0};
    zmq::poll(&item, 1, look_interval);
    zmq::message_t answer;
    if (item.revents != 0 && socket.recv(answer, zmq::recv_flags::dontwait)) {
      return answer.to_string();
    }
    if (!controller_is_running(data)) {
      throw NoReply("the controller ended without an answer" + asked.what_now);
    }
    if (std::chrono::steady_clock::now() > until) {
      throw NoReply("the controller does not answer" + asked.what_now);
    }
  }
}

// The reply may be a refusal.
[[noreturn]] void throw_unread(const std::string& answer) {
  if (const auto reply = decode_control_reply(answer)) require_done(*reply);
  throw Fault("the controller's answer cannot be read; are both programs of one release?");
}

}  // namespace

void require_controller(const Source& from) {
  if (from.is_socket()) {
    static_cast<void>(connect_to_staff_socket(from.socket));
    return;
  }
  const std::filesystem::path& data = from.data;
  require_own_folder(data);
  if (!controller_is_running(data)) {
    throw Fault("no controller is running on " + data.string() +
                " (start it with: linkmeter-controller --floor FILE --data " + data.string() + ")");
  }
}

ControllerStatus ask_status(const Source& from, std::chrono::milliseconds patience) {
  if (!from.is_socket()) require_controller(from);
  const std::string answer = exchange(
      from, {encode_status_request(), limits::status_bytes_max, patience, /*what_now=*/""});
  auto status = decode_status_reply(answer);
  if (!status) throw_unread(answer);
  return std::move(*status);
}

ClusterStatus ask_cluster(const Source& from) {
  require_controller(from);
  const std::string answer =
      exchange(from, {encode_cluster_request(), limits::cluster_status_bytes_max,
                      patience_with_acts, /*what_now=*/""});
  auto status = decode_cluster_status(answer);
  if (!status) throw_unread(answer);
  return std::move(*status);
}

HandoverReply ask_handover(const Source& from, const std::string& to) {
  require_controller(from);
  const std::string answer =
      exchange(from, {.request = encode_handover_request(to),
                      .what_now = "; look who is the writer: linkmeter nodes " + from.option()});
  auto reply = decode_handover_reply(answer);
  if (!reply) throw_unread(answer);
  return std::move(*reply);
}

Snapshot ask_snapshot(const Source& from) {
  const std::string answer = exchange(from, {encode_snapshot_request(), limits::snapshot_bytes_max,
                                             patience_with_acts, /*what_now=*/""});
  auto snapshot = decode_snapshot_reply(answer);
  if (!snapshot) throw_unread(answer);
  return std::move(*snapshot);
}

std::string controller_key(const Source& from) {
  return from.is_socket() ? ask_snapshot(from).controller_key
                          : operator_credentials(from.data).controller_key;
}

Json reply_json(const ControlReply& reply) {
  const bool is_done = reply.refusal == Refusal::none;
  const bool is_proposal = reply.proposal != ProposalNumber();
  Json json{{"entry", reply.entry == EntryNumber() ? Json() : Json(reply.entry.value())},
            {"refusal", is_done ? Json() : Json(name(reply.refusal))},
            {"proposal", is_proposal ? Json(reply.proposal.value()) : Json()},
            {"summary", is_proposal ? Json(reply.summary) : Json()},
            {"text", reply.text}};
  if (reply.slip != SlipNumber()) json["slip"] = reply.slip.value();
  return json;
}

ControlReply answer_to(const OperatorClient& asker, const ControlRequest& request) {
  const std::string bytes = encode(request);
  const auto* propose = std::get_if<Propose>(&request.act);
  const bool is_change =
      propose != nullptr && std::holds_alternative<ChangeParameters>(propose->act);
  if (bytes.size() > (is_change ? limits::control_request_bytes_max : limits::control_bytes_max)) {
    throw Fault("a name or note is too long");
  }
  const std::string what_now = asker.from.is_socket()
                                   ? "; look whether it was done before you ask again"
                                   : "; what became of it: linkmeter export " + asker.from.option();
  auto answered =
      decode_control_reply(exchange(asker.from, {.request = bytes, .what_now = what_now}));
  if (!answered) throw NoReply("the controller's answer cannot be read" + what_now);
  return std::move(*answered);
}

void require_done(const ControlReply& reply) {
  if (reply.refusal == Refusal::none) return;
  throw Fault("refused: " + std::string(name(reply.refusal)) + ": " + reply.text);
}

ControlReply send(const OperatorClient& asker, const ControlRequest& request, const Json& made) {
  ControlReply reply = answer_to(asker, request);
  if (asker.json) {
    Json json = reply_json(reply);
    if (reply.refusal == Refusal::none) json.update(made);
    print_json(json);
  }
  require_done(reply);
  if (!asker.json) std::cout << "entry " << reply.entry.value() << ": " << reply.text << '\n';
  return reply;
}

int ask(const OperatorClient& asker, OperatorCommand act, const std::function<void()>& before) {
  // The controller refuses invalid UTF-8. Protobuf's own message about it would only confuse.
  silence_protobuf_log();
  require_controller(asker.from);
  const bool is_proposed = std::holds_alternative<Propose>(act);
  ControlRequest request{asker.by, read_pin(asker.by), {}, std::move(act)};
  if (const Badge* witness = second_pin_of(request.act)) {
    request.witness_pin = read_witness_pin(*witness);
  }
  std::optional<std::string> made_pin;
  const Badge whose = new_pin_hash_in(request.act) ? whose_pin(asker, request.act) : Badge();
  if (new_pin_hash_in(request.act) != nullptr) {
    std::optional<std::string> given = read_new_pin(whose);
    if (!given && !is_proposed) throw Fault("no new PIN: type it, or set $LINKMETER_NEW_PIN");
    if (!given) made_pin = random_pin(whose);
    request.new_pin = given ? std::move(*given) : *made_pin;
  }
  if (before) before();
  const ControlReply reply =
      send(asker, request, made_pin ? Json{{"pin", *made_pin}} : Json::object());
  if (asker.json) return 0;
  if (made_pin) std::cout << "PIN of " << whose.text() << ": " << *made_pin << '\n';
  if (is_proposed && whose != Badge()) {
    std::cout << "the PIN of " << whose.text()
              << " must be changed before anything else: linkmeter person pin "
              << asker.from.option() << " --by " << whose.text() << '\n';
  }
  if (is_proposed) {
    const bool is_key = is_enrolment(std::get<Propose>(request.act).act);
    std::cout << (is_key ? "an engineer and a manager make it: the other one has two minutes: "
                         : "the manager of the other department has two minutes: ")
              << "linkmeter confirm " << reply.proposal.value() << " " << asker.from.option()
              << " --by BADGE\n";
  }
  return 0;
}

namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int length_bytes = 4;
constexpr milliseconds patience_to_connect{10'000};

std::string why_not(int code) {
  switch (code) {
    case ENOENT:
    case ECONNREFUSED: return "no controller serves this socket";
    case EACCES: return "you may not connect: only members of the socket's group may";
    case EAGAIN: return "the controller takes no connection in time";
    default: return std::strerror(code);
  }
}

// Appends received bytes. False: the connection is closed.
bool receive(const FileDescriptor& stream, std::string& bytes, SteadyClock::time_point until,
             const std::string& what_now) {
  const auto wait = std::chrono::ceil<milliseconds>(until - SteadyClock::now());
  pollfd item{stream.get(), POLLIN, 0};
  const int ready = ::poll(&item, 1, static_cast<int>(std::max(milliseconds(0), wait).count()));
  if (ready < 0 && errno == EINTR) return true;
  if (ready == 0) throw NoReply("the controller does not answer" + what_now);
  std::array<char, std::size_t{64} << 10U> chunk{};
  const ssize_t count = ::recv(stream.get(), chunk.data(), chunk.size(), 0);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  bytes.append(chunk.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace

FileDescriptor connect_to_staff_socket(const std::filesystem::path& socket) {
  std::string path = socket.string();
  // Through the open folder, where the path is too long for a socket.
  FileDescriptor folder;
  if (path.size() > local_path_max()) {
    folder = FileDescriptor(::open(socket.parent_path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (folder.is_open()) {
      path = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + socket.filename().string();
    }
  }
  FileDescriptor stream = connect_local(path, patience_to_connect);
  if (!stream.is_open()) throw Fault(socket.string() + ": " + why_not(errno));
  return stream;
}

std::string staff_exchange(const std::filesystem::path& socket, const Exchange& exchange) {
  const FileDescriptor stream = connect_to_staff_socket(socket);
  const auto until = SteadyClock::now() + exchange.patience;
  const std::string frame = big_endian(exchange.request.size(), length_bytes) + exchange.request;
  std::size_t sent = 0;
  while (sent < frame.size()) {
    const ssize_t count =
        ::send(stream.get(), frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;  // the controller closed the connection, and may have sent the reason
    sent += static_cast<std::size_t>(count);
  }
  std::string bytes;
  while (receive(stream, bytes, until, exchange.what_now)) {
    if (bytes.size() < length_bytes) continue;
    const std::uint64_t length = from_big_endian(std::string_view(bytes).substr(0, length_bytes));
    if (length > exchange.answer_bytes_max) break;
    if (bytes.size() >= length_bytes + length) return bytes.substr(length_bytes, length);
  }
  throw NoReply("the controller closed the connection without an answer" + exchange.what_now);
}

}  // namespace linkmeter::cli
