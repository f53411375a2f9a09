#include "proto/codec/claim_codec.h"

#include "proto/codec/act_codec.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/state.pb.h"

namespace linkmeter::parts {

void encode_claim(const Claim& claim, state::Claim& message) {
  message.set_number(claim.number.value());
  message.set_entry(claim.entry.value());
  message.set_link(claim.link.value());
  message.set_table(claim.table.value());
  message.set_round(claim.round.text());
  message.set_seat(claim.seat.value());
  message.set_line(claim.line.text());
  if (claim.level) message.set_level(claim.level->value());
  message.set_amount_cents(claim.amount.in_cents());
  message.set_state(static_cast<std::uint32_t>(claim.state));
  message.set_sent_at_us(claim.sent_at.microseconds());
  message.set_raised_at_us(claim.raised_at.microseconds());
  message.set_validated_at_us(claim.validated_at.microseconds());
  message.set_validated_by(claim.validated_by.text());
  message.set_paid_at_us(claim.paid_at.microseconds());
  message.set_paid_by(claim.paid_by.text());
  if (claim.source) message.set_source(static_cast<std::uint32_t>(*claim.source) + 1);
  message.set_on_dealer(claim.on_dealer);
  message.set_call(claim.call);
  message.set_whole_meter(claim.whole_meter);
  message.set_reseeded_units(claim.reseeded.units());
  message.set_stood_units(claim.stood.units());
  message.set_from_reserve_units(claim.from_reserve.units());
  message.set_rejected_at_us(claim.rejected_at.microseconds());
  message.set_rejected_by(claim.rejected_by.text());
  if (claim.reject_reason) {
    message.set_reject_reason(static_cast<std::uint32_t>(*claim.reject_reason));
  }
  message.set_reject_note(claim.reject_note);
  message.set_countersigned_at_us(claim.countersigned_at.microseconds());
  message.set_countersigned_by(claim.countersigned_by.text());
  for (const SlipNumber slip : claim.slips) message.add_slips(slip.value());
  message.set_wager_cents(claim.wager.in_cents());
  message.set_keyed_line(claim.keyed.text());
  message.set_count_differed(claim.count_differed);
  if (claim.uncut) message.set_uncut_cents(claim.uncut->in_cents());
  message.set_corrected_by(claim.corrected_by.text());
  if (claim.holder) message.set_holder(claim.holder->value());
  encode_awards(claim.envy, message.mutable_envy());
  message.set_envy_paid(claim.envy_paid);
  message.set_overflowed_units(claim.overflowed.units());
  message.set_deferred(claim.deferred);
}

std::optional<Claim> decode_claim(const state::Claim& message) {
  const auto amount = decode_cents(message.amount_cents());
  const auto wager = decode_cents(message.wager_cents());
  const auto uncut = decode_cents(message.uncut_cents());
  const auto seat = decode_seat(message.seat());
  const auto state = decode_numbered(message.state(), ClaimState::paid);
  if (!amount || !wager || !uncut || !seat || !state) return std::nullopt;
  Claim claim;
  claim.number = ClaimNumber(message.number());
  claim.entry = EntryNumber(message.entry());
  claim.link = LinkIndex(message.link());
  claim.table = TableIndex(message.table());
  claim.round = RoundId(message.round());
  claim.seat = *seat;
  claim.line = LineId(message.line());
  if (message.has_level()) {
    if (message.level() >= limits::levels_max) return std::nullopt;
    claim.level = LevelIndex(static_cast<std::uint8_t>(message.level()));
  }
  claim.amount = *amount;
  claim.state = *state;
  claim.sent_at = Timestamp::from_microseconds(message.sent_at_us());
  claim.raised_at = Timestamp::from_microseconds(message.raised_at_us());
  claim.validated_at = Timestamp::from_microseconds(message.validated_at_us());
  claim.validated_by = Badge(message.validated_by());
  claim.paid_at = Timestamp::from_microseconds(message.paid_at_us());
  claim.paid_by = Badge(message.paid_by());
  claim.on_dealer = message.on_dealer();
  if (message.source() != 0 && !(claim.source = decode_source(message.source()))) {
    return std::nullopt;
  }
  claim.call = message.call();
  claim.whole_meter = message.whole_meter();
  claim.reseeded = Amount::from_units(message.reseeded_units());
  claim.stood = Amount::from_units(message.stood_units());
  claim.from_reserve = Amount::from_units(message.from_reserve_units());
  claim.rejected_at = Timestamp::from_microseconds(message.rejected_at_us());
  claim.rejected_by = Badge(message.rejected_by());
  if (message.reject_reason() != 0) {
    claim.reject_reason = decode_numbered(message.reject_reason(), RejectReason::game_protection);
    if (!claim.reject_reason) return std::nullopt;
  }
  claim.reject_note = message.reject_note();
  claim.countersigned_at = Timestamp::from_microseconds(message.countersigned_at_us());
  claim.countersigned_by = Badge(message.countersigned_by());
  for (const std::uint64_t slip : message.slips()) claim.slips.emplace_back(slip);
  claim.wager = *wager;
  claim.keyed = LineId(message.keyed_line());
  claim.count_differed = message.count_differed();
  if (message.has_uncut_cents()) claim.uncut = *uncut;
  claim.corrected_by = Badge(message.corrected_by());
  if (message.has_holder() && !(claim.holder = decode_seat(message.holder()))) return std::nullopt;
  if (!decode_awards(message.envy(), claim.envy)) return std::nullopt;
  claim.envy_paid = message.envy_paid();
  claim.overflowed = Amount::from_units(message.overflowed_units());
  claim.deferred = message.deferred();
  return claim;
}

}  // namespace linkmeter::parts
