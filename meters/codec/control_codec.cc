#include "meters/codec/control_codec.h"

#include <utility>

#include "meters/claim.h"
#include "meters/codec/act_codec.h"
#include "meters/codec/parts_codec.h"
#include "meters/limits.h"
#include "proto/control.pb.h"
#include "proto/journal.pb.h"

namespace linkmeter {

namespace {

struct EncodeAct {
  control::Request& message;

  void operator()(const ValidateClaim& validate) const {
    message.set_validate_claim(validate.claim.value());
  }
  void operator()(const RejectClaim& reject) const {
    control::RejectClaim& act = *message.mutable_reject_claim();
    act.set_claim(reject.claim.value());
    act.set_reason(static_cast<std::uint32_t>(reject.reason));
    act.set_note(reject.note);
  }
  void operator()(const PayClaim& pay) const {
    control::PayClaim& act = *message.mutable_pay_claim();
    act.set_claim(pay.claim.value());
    act.set_source(static_cast<std::uint32_t>(pay.source) + 1);
  }
  void operator()(const SuspendLink& suspend) const {
    control::SuspendLink& act = *message.mutable_suspend_link();
    act.set_link(suspend.link.text());
    act.set_note(suspend.note);
  }
  void operator()(const ChangePin&) const { message.mutable_change_pin(); }
  void operator()(const Propose& propose) const {
    parts::encode_act(propose.act, *message.mutable_propose());
  }
  void operator()(const Confirm& confirm) const {
    control::Confirm& act = *message.mutable_confirm();
    act.set_proposal(confirm.proposal.value());
    act.set_summary(confirm.summary);
  }
};

std::optional<Act> decode_reject(const control::RejectClaim& message) {
  const auto reason = parts::decode_numbered(message.reason(), RejectReason::game_protection);
  if (!reason) return std::nullopt;
  return RejectClaim{ClaimNumber(message.claim()), *reason, message.note()};
}

std::optional<Act> decode_pay(const control::PayClaim& message) {
  constexpr auto last = static_cast<std::uint32_t>(PaymentSource::hand_pay);
  if (message.source() < 1 || message.source() > last + 1) return std::nullopt;
  return PayClaim{ClaimNumber(message.claim()), static_cast<PaymentSource>(message.source() - 1)};
}

std::optional<Act> decode_propose(const journal::DualAct& message) {
  std::optional<DualAct> act = parts::decode_act(message);
  if (!act) return std::nullopt;
  // Who is new has failed no sign-in and is not removed, whatever the bytes say.
  if (auto* add = std::get_if<AddPerson>(&*act)) {
    add->person.failures = 0;
    add->person.removed = false;
  }
  return Propose{std::move(*act)};
}

std::optional<Act> decode_act(const control::Request& message) {
  switch (message.act_case()) {
    case control::Request::kValidateClaim:
      return ValidateClaim{ClaimNumber(message.validate_claim())};
    case control::Request::kRejectClaim: return decode_reject(message.reject_claim());
    case control::Request::kPayClaim: return decode_pay(message.pay_claim());
    case control::Request::kSuspendLink:
      return SuspendLink{LinkId(message.suspend_link().link()), message.suspend_link().note()};
    case control::Request::kChangePin: return ChangePin{};
    case control::Request::kPropose: return decode_propose(message.propose());
    case control::Request::kConfirm:
      return Confirm{ProposalNumber(message.confirm().proposal()), message.confirm().summary()};
    case control::Request::kStatus:  // nobody's act: status_codec.h
    case control::Request::ACT_NOT_SET: return std::nullopt;
  }
  return std::nullopt;
}

template <class Message>
bool parse(std::string_view bytes, Message& message) {
  return bytes.size() <= limits::control_bytes_max &&
         message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

}  // namespace

std::string* sealed_pin_in(Act& act) {
  if (auto* change = std::get_if<ChangePin>(&act)) return &change->pin;
  auto* propose = std::get_if<Propose>(&act);
  if (propose == nullptr) return nullptr;
  if (auto* add = std::get_if<AddPerson>(&propose->act)) return &add->person.pin;
  if (auto* reset = std::get_if<ResetPin>(&propose->act)) return &reset->pin;
  return nullptr;
}

std::string encode(const ControlRequest& request) {
  control::Request message;
  message.set_badge(request.badge.text());
  message.set_pin(request.pin);
  message.set_new_pin(request.new_pin);
  std::visit(EncodeAct{message}, request.act);
  return message.SerializeAsString();
}

std::string encode(const ControlReply& reply) {
  control::Reply message;
  message.set_refusal(static_cast<std::uint32_t>(reply.refusal));
  message.set_entry(reply.entry.value());
  message.set_proposal(reply.proposal.value());
  message.set_summary(reply.summary);
  message.set_text(reply.text);
  return message.SerializeAsString();
}

std::optional<ControlRequest> decode_control_request(std::string_view bytes) {
  control::Request message;
  if (!parse(bytes, message)) return std::nullopt;
  std::optional<Act> act = decode_act(message);
  if (!act) return std::nullopt;
  // Only the edge fills these.
  if (std::string* sealed = sealed_pin_in(*act)) sealed->clear();
  return ControlRequest{Badge(message.badge()), message.pin(), message.new_pin(), std::move(*act)};
}

std::optional<ControlReply> decode_control_reply(std::string_view bytes) {
  control::Reply message;
  if (!parse(bytes, message)) return std::nullopt;
  const auto refusal = parts::decode_integer<std::uint8_t>(message.refusal());
  if (!refusal) return std::nullopt;
  return ControlReply{static_cast<Refusal>(*refusal), EntryNumber(message.entry()),
                      ProposalNumber(message.proposal()), message.summary(), message.text()};
}

}  // namespace linkmeter
