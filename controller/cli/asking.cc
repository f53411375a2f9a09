#include "controller/cli/asking.h"

#include <google/protobuf/stubs/logging.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <zmq.hpp>

#include "controller/cli/pin_entry.h"
#include "controller/control_endpoint.h"
#include "controller/data_folder.h"
#include "controller/pin.h"
#include "meters/codec/control_codec.h"
#include "meters/edge/fault.h"
#include "meters/limits.h"

namespace linkmeter::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds look_interval{200};
constexpr std::chrono::seconds patience{60};

Badge whose_pin(const Asker& asker, const Act& act) {
  const auto* propose = std::get_if<Propose>(&act);
  if (propose == nullptr) return asker.by;
  if (const auto* add = std::get_if<AddPerson>(&propose->act)) return add->person.badge;
  return std::get<ResetPin>(propose->act).badge;
}

ControlReply exchange(const std::filesystem::path& data, const std::string& bytes) {
  const ControlEndpoint endpoint(data);
  zmq::context_t context;
  zmq::socket_t socket(context, zmq::socket_type::dealer);
  const Credentials own = operator_credentials(data);
  socket.set(zmq::sockopt::curve_serverkey, own.controller_key);
  socket.set(zmq::sockopt::curve_publickey, own.keys.public_key);
  socket.set(zmq::sockopt::curve_secretkey, own.keys.secret_key);
  socket.set(zmq::sockopt::linger, 0);
  socket.set(zmq::sockopt::maxmsgsize,
             static_cast<std::int64_t>(limits::control_bytes_max) + curve_bytes);
  socket.connect(endpoint.text());
  socket.send(zmq::buffer(bytes), zmq::send_flags::none);
  const auto until = std::chrono::steady_clock::now() + patience;
  const std::string what_now = "; what became of it: linkmeter export --data " + data.string();
  while (true) {
    zmq::pollitem_t item{socket.handle(), 0, ZMQ_POLLIN, 0};
    zmq::poll(&item, 1, look_interval);
    zmq::message_t answer;
    if (item.revents != 0 && socket.recv(answer, zmq::recv_flags::dontwait)) {
      auto reply = decode_control_reply(answer.to_string_view());
      if (!reply) throw Fault("the controller's answer cannot be read" + what_now);
      return std::move(*reply);
    }
    if (!controller_is_running(data)) throw Fault("the controller ended unanswering" + what_now);
    if (std::chrono::steady_clock::now() > until) {
      throw Fault("the controller does not answer" + what_now);
    }
  }
}

void print_json(const ControlReply& reply, const std::optional<std::string>& made_pin) {
  const bool is_done = reply.refusal == Refusal::none;
  const bool is_proposal = reply.proposal != ProposalNumber();
  Json told{{"entry", reply.entry == EntryNumber() ? Json() : Json(reply.entry.value())},
            {"refusal", is_done ? Json() : Json(name(reply.refusal))},
            {"proposal", is_proposal ? Json(reply.proposal.value()) : Json()},
            {"summary", is_proposal ? Json(reply.summary) : Json()},
            {"text", reply.text}};
  if (is_done && made_pin) told["pin"] = *made_pin;
  std::cout << told.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

void require_controller(const std::filesystem::path& data) {
  require_data_folder(data);
  if (!controller_is_running(data)) {
    throw Fault("no controller is running on " + data.string() +
                " (start it with: linkmeter-controller --floor FILE --data " + data.string() + ")");
  }
}

int ask(const Asker& asker, Act act) {
  // What is no UTF-8 the controller refuses; a second line about it helps nobody.
  google::protobuf::SetLogHandler(nullptr);
  require_controller(asker.data);
  const bool is_proposed = std::holds_alternative<Propose>(act);
  ControlRequest request{asker.by, read_pin(asker.by), {}, std::move(act)};
  std::optional<std::string> made_pin;
  const Badge whose = sealed_pin_in(request.act) ? whose_pin(asker, request.act) : Badge();
  if (sealed_pin_in(request.act) != nullptr) {
    std::optional<std::string> given = read_new_pin(whose);
    if (!given && !is_proposed) throw Fault("no new PIN: type it, or set $LINKMETER_NEW_PIN");
    if (!given) made_pin = random_pin();
    request.new_pin = given ? std::move(*given) : *made_pin;
  }
  const std::string bytes = encode(request);
  if (bytes.size() > limits::control_bytes_max) throw Fault("a name or note is too long");
  const ControlReply reply = exchange(asker.data, bytes);
  if (asker.json) print_json(reply, made_pin);
  if (reply.refusal != Refusal::none) {
    throw Fault("refused: " + std::string(name(reply.refusal)) + ": " + reply.text);
  }
  if (asker.json) return 0;
  std::cout << "entry " << reply.entry.value() << ": " << reply.text << '\n';
  if (made_pin) std::cout << "PIN of " << whose.text() << ": " << *made_pin << '\n';
  if (is_proposed) {
    std::cout << "the manager of the other department has two minutes: linkmeter confirm "
              << reply.proposal.value() << " --data " << asker.data.string() << " --by BADGE\n";
  }
  return 0;
}

}  // namespace linkmeter::cli
