#include "proto/codec/slip_codec.h"

#include "proto/codec/act_codec.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"
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

void encode_fact(const ClaimValidated& validated, journal::Entry& entry) {
  entry.mutable_claim_validated()->set_claim(validated.claim.value());
  entry.mutable_claim_validated()->set_by(validated.by.text());
  entry.mutable_claim_validated()->set_posts_notice(validated.posts_notice);
  entry.mutable_claim_validated()->set_notified(validated.notified.text());
  encode_awards(validated.envy, entry.mutable_claim_validated()->mutable_envy());
}
void encode_fact(const ClaimCountersigned& countersigned, journal::Entry& entry) {
  entry.mutable_claim_countersigned()->set_claim(countersigned.claim.value());
  entry.mutable_claim_countersigned()->set_by(countersigned.by.text());
}
void encode_fact(const ClaimPaid& paid, journal::Entry& entry) {
  journal::ClaimPaid& fact = *entry.mutable_claim_paid();
  fact.set_claim(paid.claim.value());
  fact.set_source(static_cast<std::uint32_t>(paid.source) + 1);
  fact.set_by(paid.by.text());
  fact.set_slip(paid.slip.value());
}
void encode_fact(const SlipIssued& issued, journal::Entry& entry) {
  journal::SlipIssued& fact = *entry.mutable_slip_issued();
  fact.set_slip(issued.slip.value());
  fact.set_claim(issued.claim.value());
  fact.set_source(static_cast<std::uint32_t>(issued.source) + 1);
  fact.set_amount_cents(issued.amount.in_cents());
  fact.set_wager_cents(issued.wager.in_cents());
  fact.set_taxable(issued.taxable);
  if (issued.threshold) encode_threshold(*issued.threshold, *fact.mutable_threshold());
  fact.set_by(issued.by.text());
}
void encode_fact(const SlipVoided& voided, journal::Entry& entry) {
  journal::SlipVoided& fact = *entry.mutable_slip_voided();
  fact.set_slip(voided.slip.value());
  fact.set_reason(static_cast<std::uint32_t>(voided.reason));
  fact.set_note(voided.note);
  fact.set_by(voided.by.text());
}
void encode_fact(const SlipStored& stored, journal::Entry& entry) {
  entry.mutable_slip_stored()->set_slip(stored.slip.value());
  entry.mutable_slip_stored()->set_digest(encode_digest(stored.digest));
}

namespace {

std::optional<Fact> decode_fact(const journal::ClaimValidated& message) {
  ClaimValidated fact{ClaimNumber(message.claim()),
                      Badge(message.by()),
                      message.posts_notice(),
                      Badge(message.notified()),
                      {}};
  if (!decode_awards(message.envy(), fact.envy)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::ClaimPaid& message) {
  const auto source = decode_source(message.source());
  if (!source) return std::nullopt;
  return ClaimPaid{ClaimNumber(message.claim()), *source, Badge(message.by()),
                   SlipNumber(message.slip())};
}

std::optional<Fact> decode_fact(const journal::SlipIssued& message) {
  const auto source = decode_source(message.source());
  const auto amount = decode_cents(message.amount_cents());
  const auto wager = decode_cents(message.wager_cents());
  if (!source || !amount || !wager) return std::nullopt;
  SlipIssued fact{SlipNumber(message.slip()),
                  ClaimNumber(message.claim()),
                  *source,
                  *amount,
                  *wager,
                  message.taxable(),
                  std::nullopt,
                  Badge(message.by())};
  if (message.has_threshold() && !(fact.threshold = decode_threshold(message.threshold()))) {
    return std::nullopt;
  }
  return fact;
}

std::optional<Fact> decode_fact(const journal::SlipVoided& message) {
  const auto reason = decode_numbered(message.reason(), VoidReason::other_error);
  if (!reason) return std::nullopt;
  return SlipVoided{SlipNumber(message.slip()), *reason, message.note(), Badge(message.by())};
}

std::optional<Fact> decode_fact(const journal::SlipStored& message) {
  SlipStored fact{SlipNumber(message.slip())};
  if (!decode_digest(message.digest(), fact.digest)) return std::nullopt;
  return fact;
}

}  // namespace

std::optional<Fact> decode_slip_fact(const journal::Entry& message) {
  switch (message.fact_case()) {
    case journal::Entry::kClaimValidated: return decode_fact(message.claim_validated());
    case journal::Entry::kClaimCountersigned:
      return ClaimCountersigned{ClaimNumber(message.claim_countersigned().claim()),
                                Badge(message.claim_countersigned().by())};
    case journal::Entry::kClaimPaid: return decode_fact(message.claim_paid());
    case journal::Entry::kSlipIssued: return decode_fact(message.slip_issued());
    case journal::Entry::kSlipVoided: return decode_fact(message.slip_voided());
    case journal::Entry::kSlipStored: return decode_fact(message.slip_stored());
    default: return std::nullopt;
  }
}

}  // namespace linkmeter::parts
