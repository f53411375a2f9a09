#include "proto/codec/operator_codec.h"

#include <utility>

#include "meters/values/limits.h"
#include "proto/codec/act_codec.h"
#include "proto/control.pb.h"

namespace linkmeter {

namespace {

bool is_change(const OperatorCommand& act) {
  const auto* propose = std::get_if<Propose>(&act);
  return propose != nullptr && std::holds_alternative<ChangeParameters>(propose->act);
}

template <class Value, class Message>
bool serialize_reply(Value& reply, Message& message) {
  return FIELD(reply.refusal, refusal) && FIELD(reply.entry, entry) &&
         FIELD(reply.proposal, proposal) && FIELD(reply.summary, summary) &&
         FIELD(reply.text, text) && FIELD(reply.slip, slip);
}

template <class Message>
bool parse(std::string_view bytes, std::size_t size_max, Message& message) {
  return bytes.size() <= size_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string* new_pin_hash_in(OperatorCommand& act) {
  if (auto* change = std::get_if<ChangePin>(&act)) return &change->pin;
  if (auto* recover = std::get_if<Recover>(&act)) return &recover->pin;
  auto* propose = std::get_if<Propose>(&act);
  if (propose == nullptr) return nullptr;
  if (auto* add = std::get_if<AddPerson>(&propose->act)) return &add->person.pin;
  if (auto* reset = std::get_if<ResetPin>(&propose->act)) return &reset->pin;
  return nullptr;
}

const Badge& new_pin_badge(const OperatorCommand& act, const Badge& by) {
  const auto* propose = std::get_if<Propose>(&act);
  const Badge* given = propose == nullptr ? nullptr : gives_pin_to(propose->act);
  return given == nullptr ? by : *given;
}

std::string encode(const ControlRequest& request) {
  control::Request message;
  message.set_badge(request.badge.text());
  message.set_pin(request.pin);
  message.set_new_pin(request.new_pin);
  message.set_witness_pin(request.witness_pin);
  parts::encode_act(request.act, message);
  for (const std::string& code : request.codes) message.mutable_recover()->add_codes(code);
  return message.SerializeAsString();
}

std::string encode(const ControlReply& reply) {
  control::Reply message;
  serialize_reply(reply, message);
  return message.SerializeAsString();
}

std::optional<ControlRequest> decode_control_request(std::string_view bytes) {
  control::Request message;
  if (!parse(bytes, limits::control_request_bytes_max, message)) return std::nullopt;
  std::optional<OperatorCommand> act = parts::decode_act(message);
  if (!act) return std::nullopt;
  if (bytes.size() > limits::control_bytes_max && !is_change(*act)) return std::nullopt;
  // Only the edge fills in PIN hashes.
  if (std::string* sealed = new_pin_hash_in(*act)) sealed->clear();
  const auto& codes = message.recover().codes();
  return ControlRequest{Badge(message.badge()), message.pin(),
                        message.new_pin(),      std::move(*act),
                        message.witness_pin(),  {codes.begin(), codes.end()}};
}

std::optional<ControlReply> decode_control_reply(std::string_view bytes) {
  control::Reply message;
  if (!parse(bytes, limits::control_bytes_max, message)) return std::nullopt;
  ControlReply reply;
  if (!serialize_reply(reply, std::as_const(message))) return std::nullopt;
  return reply;
}

}  // namespace linkmeter
