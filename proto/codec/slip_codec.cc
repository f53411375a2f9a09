#include "proto/codec/slip_codec.h"

#include "proto/codec/floor_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/state.pb.h"

namespace linkmeter::parts {

void encode_slip(const Slip& slip, state::Slip& message) {
  message.set_number(slip.number.value());
  message.set_entry(slip.entry.value());
  message.set_claim(slip.claim.value());
  message.set_source(static_cast<std::uint32_t>(slip.source) + 1);
  message.set_amount_cents(slip.amount.in_cents());
  message.set_wager_cents(slip.wager.in_cents());
  message.set_taxable(slip.taxable);
  if (slip.threshold) encode_threshold(*slip.threshold, *message.mutable_threshold());
  message.set_state(static_cast<std::uint32_t>(slip.state));
  message.set_issued_at_us(slip.issued_at.microseconds());
  message.set_issued_by(slip.issued_by.text());
  message.set_voided_at_us(slip.voided_at.microseconds());
  message.set_voided_by(slip.voided_by.text());
  if (slip.void_reason) message.set_void_reason(static_cast<std::uint32_t>(*slip.void_reason));
  message.set_void_note(slip.void_note);
  message.set_paid_at_us(slip.paid_at.microseconds());
  message.set_paid_by(slip.paid_by.text());
  if (slip.stored) message.set_stored(encode_digest(*slip.stored));
}

std::optional<Slip> decode_slip(const state::Slip& message) {
  const auto source = decode_source(message.source());
  const auto amount = decode_cents(message.amount_cents());
  const auto wager = decode_cents(message.wager_cents());
  const auto state = decode_numbered(message.state(), SlipState::paid);
  if (!source || !amount || !wager || !state) return std::nullopt;
  Slip slip{SlipNumber(message.number()),
            EntryNumber(message.entry()),
            ClaimNumber(message.claim()),
            *source,
            *amount,
            *wager,
            message.taxable()};
  if (message.has_threshold() && !(slip.threshold = decode_threshold(message.threshold()))) {
    return std::nullopt;
  }
  slip.state = *state;
  slip.issued_at = Timestamp::from_microseconds(message.issued_at_us());
  slip.issued_by = Badge(message.issued_by());
  slip.voided_at = Timestamp::from_microseconds(message.voided_at_us());
  slip.voided_by = Badge(message.voided_by());
  if (message.void_reason() != 0) {
    slip.void_reason = decode_numbered(message.void_reason(), VoidReason::other_error);
    if (!slip.void_reason) return std::nullopt;
  }
  slip.void_note = message.void_note();
  slip.paid_at = Timestamp::from_microseconds(message.paid_at_us());
  slip.paid_by = Badge(message.paid_by());
  if (!message.stored().empty() && !decode_digest(message.stored(), slip.stored.emplace())) {
    return std::nullopt;
  }
  return slip;
}

}  // namespace linkmeter::parts
