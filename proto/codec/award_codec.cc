#include "proto/codec/award_codec.h"

#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter::parts {

void encode_call(const JackpotHit& call, journal::MeterCall& message) {
  message.set_link(call.link.value());
  message.set_level(call.level.value());
  message.set_whole(call.whole);
  message.set_amount_cents(call.amount.in_cents());
  message.set_reseeded_units(call.reseeded.units());
  message.set_from_reserve_units(call.from_reserve.units());
  message.set_stood_units(call.stood.units());
}

bool decode_call(const journal::MeterCall& message, JackpotHit& call) {
  const auto amount = decode_cents(message.amount_cents());
  if (!amount || !decode_level(message.level(), call.level)) return false;
  call.amount = *amount;
  call.link = LinkIndex(message.link());
  call.whole = message.whole();
  call.reseeded = Amount::from_units(message.reseeded_units());
  call.from_reserve = Amount::from_units(message.from_reserve_units());
  call.stood = Amount::from_units(message.stood_units());
  for (const Amount moved : {call.reseeded, call.from_reserve, call.stood}) {
    if (moved < Amount() || moved > limits::lifetime_max) return false;
  }
  return true;
}

void encode_award(const Award& award, journal::Award& message) {
  message.set_kind(static_cast<std::uint32_t>(award.kind));
  message.set_link(award.link.value());
  message.set_seat(award.seat.value());
  if (award.holder) message.set_holder(award.holder->value());
  message.set_line(award.line.text());
  if (award.level) message.set_level(award.level->value());
  message.set_whole_meter(award.whole_meter);
  message.set_amount_cents(award.amount.in_cents());
  if (award.claim) message.set_claim(award.claim->value());
  message.set_on_dealer(award.on_dealer);
  message.set_call(award.call);
  if (award.uncut) message.set_uncut_cents(award.uncut->in_cents());
  if (award.source) message.set_source(encode_source(*award.source));
  if (award.waits_for) message.set_waits_for(award.waits_for->value());
}

bool decode_award(const journal::Award& message, Award& award) {
  const auto seat = decode_seat(message.seat());
  const auto holder = decode_seat(message.holder());
  const auto amount = decode_cents(message.amount_cents());
  if (message.has_uncut_cents() && !(award.uncut = decode_cents(message.uncut_cents()))) {
    return false;
  }
  if (message.source() != 0 && !(award.source = decode_source(message.source()))) return false;
  const bool known_kind = message.kind() >= static_cast<std::uint32_t>(AwardKind::line) &&
                          message.kind() <= static_cast<std::uint32_t>(AwardKind::lucky_bonus);
  if (!seat || !holder || !amount || !known_kind) return false;
  award.kind = static_cast<AwardKind>(message.kind());
  award.link = LinkIndex(message.link());
  award.seat = *seat;
  if (message.has_holder()) award.holder = *holder;
  award.line = LineId(message.line());
  award.whole_meter = message.whole_meter();
  award.amount = *amount;
  if (message.claim() != 0) award.claim = ClaimNumber(message.claim());
  if (message.waits_for() != 0) award.waits_for = ClaimNumber(message.waits_for());
  award.on_dealer = message.on_dealer();
  award.call = message.call();
  return !message.has_level() || decode_level(message.level(), award.level.emplace());
}

void encode_reversal(const CallReversal& calls, journal::CallReversal& message) {
  for (const ClaimNumber call : calls.undone) message.add_undone(call.value());
  for (const ClaimNumber call : calls.deferred) message.add_deferred(call.value());
}

CallReversal decode_reversal(const journal::CallReversal& message) {
  CallReversal calls;
  for (const std::uint64_t call : message.undone()) calls.undone.emplace_back(call);
  for (const std::uint64_t call : message.deferred()) calls.deferred.emplace_back(call);
  return calls;
}

}  // namespace linkmeter::parts
