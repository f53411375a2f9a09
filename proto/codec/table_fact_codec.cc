#include "proto/codec/table_fact_codec.h"

#include <utility>
#include <vector>

#include "proto/codec/award_codec.h"
#include "proto/codec/floor_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter::parts {

namespace {

template <class Message>
void encode_settled(const std::vector<JackpotHit>& calls, const std::vector<Award>& awards,
                    Message& message) {
  for (const JackpotHit& call : calls) encode_call(call, *message.add_calls());
  encode_awards(awards, message.mutable_awards());
}

template <class Message>
bool decode_settled(const Message& message, std::vector<JackpotHit>& calls,
                    std::vector<Award>& awards) {
  for (const journal::MeterCall& one : message.calls()) {
    if (!decode_call(one, calls.emplace_back())) return false;
  }
  return decode_awards(message.awards(), awards);
}

template <class Message>
void encode_rejections(const RejectedClaims& rejected, Message& message) {
  if (rejected.claims.empty()) return;
  journal::RejectedClaims& fact = *message.mutable_rejected();
  for (const ClaimNumber claim : rejected.claims) fact.add_claims(claim.value());
  encode_reversal(rejected.calls, *fact.mutable_calls());
}

template <class Message>
RejectedClaims decode_rejections(const Message& message) {
  RejectedClaims rejected;
  for (const std::uint64_t claim : message.rejected().claims()) {
    rejected.claims.emplace_back(claim);
  }
  rejected.calls = decode_reversal(message.rejected().calls());
  return rejected;
}

template <class Messages>
void encode_placed_all(const std::vector<PlacedWager>& wagers, Messages* messages) {
  for (const PlacedWager& wager : wagers) encode_placed(wager, *messages->Add());
}

}  // namespace

void encode_fact(const RoundLocked& locked, journal::Entry& entry) {
  journal::RoundLocked& fact = *entry.mutable_round_locked();
  fact.set_round(locked.round.text());
  encode_placed_all(locked.wagers, fact.mutable_wagers());
  if (locked.chips) fact.set_chips(*locked.chips);
  fact.set_by(locked.by.text());
}
void encode_fact(const CountMismatched& differed, journal::Entry& entry) {
  journal::CountDiffered& fact = *entry.mutable_count_differed();
  fact.set_round(differed.round.text());
  encode_placed_all(differed.wagers, fact.mutable_wagers());
  fact.set_chips(differed.chips);
  fact.set_chips_expected(differed.chips_expected);
  fact.set_by(differed.by.text());
}
void encode_fact(const CountResolved& resolved, journal::Entry& entry) {
  journal::CountResolved& fact = *entry.mutable_count_resolved();
  fact.set_round(resolved.round.text());
  encode_placed_all(resolved.wagers, fact.mutable_wagers());
  fact.set_by(resolved.by.text());
}
void encode_fact(const HandsShown& shown, journal::Entry& entry) {
  journal::HandsShown& fact = *entry.mutable_hands_shown();
  fact.set_round(shown.round.text());
  for (const ShownHand& hand : shown.hands) encode_hand(hand, *fact.add_hands());
  fact.set_dealer(encode_cards(shown.dealer));
  fact.set_board(encode_cards(shown.board));
  encode_settled(shown.calls, shown.awards, fact);
  if (shown.draw) encode_draw(*shown.draw, *fact.mutable_draw());
  fact.set_by(shown.by.text());
}
void encode_fact(const HandCorrected& corrected, journal::Entry& entry) {
  journal::HandCorrected& fact = *entry.mutable_hand_corrected();
  fact.set_table(corrected.table.value());
  fact.set_round(corrected.round.text());
  fact.set_corrects(corrected.corrects.value());
  fact.set_seat(corrected.seat.value());
  fact.set_old_cards(encode_cards(corrected.old_cards));
  fact.set_old_folded(corrected.old_folded);
  fact.set_cards(encode_cards(corrected.cards));
  fact.set_folded(corrected.folded);
  encode_settled(corrected.calls, corrected.awards, fact);
  encode_awards(corrected.reversed, fact.mutable_reversed());
  fact.set_reason(static_cast<std::uint32_t>(corrected.reason));
  fact.set_note(corrected.note);
  fact.set_by(corrected.by.text());
  encode_rejections(corrected.rejected, fact);
}
void encode_fact(const HandVoided& voided, journal::Entry& entry) {
  journal::HandVoided& fact = *entry.mutable_hand_voided();
  fact.set_round(voided.round.text());
  fact.set_seat(voided.seat.value());
  fact.set_reason(voided.reason);
  encode_placed_all(voided.returned, fact.mutable_returned());
  encode_awards(voided.reversed, fact.mutable_reversed());
  encode_rejections(voided.rejected, fact);
  fact.set_by(voided.by.text());
}
void encode_fact(const DealerCorrected& corrected, journal::Entry& entry) {
  journal::DealerCorrected& fact = *entry.mutable_dealer_corrected();
  fact.set_table(corrected.table.value());
  fact.set_round(corrected.round.text());
  fact.set_corrects(corrected.corrects.value());
  fact.set_old_cards(encode_cards(corrected.old_cards));
  fact.set_cards(encode_cards(corrected.cards));
  fact.set_old_board(encode_cards(corrected.old_board));
  fact.set_board(encode_cards(corrected.board));
  if (corrected.old_draw) encode_draw(*corrected.old_draw, *fact.mutable_old_draw());
  if (corrected.draw) encode_draw(*corrected.draw, *fact.mutable_draw());
  encode_settled(corrected.calls, corrected.awards, fact);
  encode_awards(corrected.reversed, fact.mutable_reversed());
  encode_rejections(corrected.rejected, fact);
  fact.set_reason(static_cast<std::uint32_t>(corrected.reason));
  fact.set_note(corrected.note);
  fact.set_by(corrected.by.text());
}
void encode_fact(const PotCorrected& corrected, journal::Entry& entry) {
  journal::PotCorrected& fact = *entry.mutable_pot_corrected();
  fact.set_table(corrected.table.value());
  fact.set_round(corrected.round.text());
  fact.set_corrects(corrected.corrects.value());
  fact.set_link(corrected.link.value());
  fact.set_pot_cents(corrected.pot.in_cents());
  fact.set_board(encode_cards(corrected.board));
  fact.set_showdown(corrected.showdown);
  for (const ShownHand& hand : corrected.hands) encode_hand(hand, *fact.add_hands());
  fact.set_old_board(encode_cards(corrected.old_board));
  fact.set_old_showdown(corrected.old_showdown);
  for (const ShownHand& hand : corrected.old_hands) {
    encode_hand(hand, *fact.add_old_hands());
  }
  encode_settled(corrected.calls, corrected.awards, fact);
  encode_rejections(corrected.rejected, fact);
  fact.set_reason(static_cast<std::uint32_t>(corrected.reason));
  fact.set_note(corrected.note);
  fact.set_by(corrected.by.text());
}
void encode_fact(const RoundClosed& closed, journal::Entry& entry) {
  entry.mutable_round_closed()->set_round(closed.round.text());
  entry.mutable_round_closed()->set_by(closed.by.text());
}
void encode_fact(const RoundVoided& voided, journal::Entry& entry) {
  journal::RoundVoided& fact = *entry.mutable_round_voided();
  fact.set_round(voided.round.text());
  fact.set_reason(voided.reason);
  encode_placed_all(voided.returned, fact.mutable_returned());
  fact.set_by(voided.by.text());
  encode_awards(voided.reversed, fact.mutable_reversed());
  encode_rejections(voided.rejected, fact);
}
void encode_fact(const PotPlayed& pot, journal::Entry& entry) {
  journal::PotPlayed& fact = *entry.mutable_pot_played();
  fact.set_round(pot.round.text());
  fact.set_pot_cents(pot.pot.in_cents());
  fact.set_link(pot.link.value());
  fact.set_contribution_cents(pot.contribution.in_cents());
  fact.set_board(encode_cards(pot.board));
  fact.set_showdown(pot.showdown);
  for (const ShownHand& hand : pot.hands) encode_hand(hand, *fact.add_hands());
  encode_settled(pot.calls, pot.awards, fact);
  fact.set_by(pot.by.text());
}

namespace {

std::optional<Fact> decode_fact(const journal::RoundLocked& message) {
  RoundLocked fact{RoundId(message.round()), {}, std::nullopt, Badge(message.by())};
  if (message.has_chips()) fact.chips = message.chips();
  if (!decode_placed(message.wagers(), fact.wagers)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::CountDiffered& message) {
  CountMismatched fact{
      RoundId(message.round()), {}, message.chips(), message.chips_expected(), Badge(message.by())};
  if (!decode_placed(message.wagers(), fact.wagers)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::CountResolved& message) {
  CountResolved fact{RoundId(message.round()), {}, Badge(message.by())};
  if (!decode_placed(message.wagers(), fact.wagers)) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::HandsShown& message) {
  HandsShown fact;
  fact.round = RoundId(message.round());
  fact.by = Badge(message.by());
  if (!decode_hands(message.hands(), fact.hands) || !decode_cards(message.dealer(), fact.dealer) ||
      !decode_cards(message.board(), fact.board) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  if (message.has_draw() && !(fact.draw = decode_draw(message.draw()))) return std::nullopt;
  return fact;
}

std::optional<Fact> decode_fact(const journal::HandCorrected& message) {
  HandCorrected fact;
  const auto seat = decode_seat(message.seat());
  const auto reason = decode_numbered(message.reason(), HandReason::other_error);
  if (!seat || !reason || !decode_cards(message.old_cards(), fact.old_cards) ||
      !decode_cards(message.cards(), fact.cards) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  if (!decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  fact.table = TableIndex(message.table());
  fact.round = RoundId(message.round());
  fact.corrects = EntryNumber(message.corrects());
  fact.seat = *seat;
  fact.old_folded = message.old_folded();
  fact.folded = message.folded();
  fact.reason = *reason;
  fact.note = message.note();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::RoundVoided& message) {
  RoundVoided fact{RoundId(message.round()), message.reason(), {}, Badge(message.by()), {}, {}};
  if (!decode_placed(message.returned(), fact.returned) ||
      !decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  return fact;
}

std::optional<Fact> decode_fact(const journal::HandVoided& message) {
  HandVoided fact;
  const auto seat = decode_seat(message.seat());
  if (!seat || !decode_placed(message.returned(), fact.returned) ||
      !decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  fact.round = RoundId(message.round());
  fact.seat = *seat;
  fact.reason = message.reason();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::DealerCorrected& message) {
  DealerCorrected fact;
  const auto reason = decode_numbered(message.reason(), HandReason::other_error);
  if (!reason || !decode_cards(message.old_cards(), fact.old_cards) ||
      !decode_cards(message.cards(), fact.cards) ||
      !decode_cards(message.old_board(), fact.old_board) ||
      !decode_cards(message.board(), fact.board) ||
      !decode_settled(message, fact.calls, fact.awards) ||
      !decode_awards(message.reversed(), fact.reversed)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  if (message.has_old_draw() && !(fact.old_draw = decode_draw(message.old_draw()))) {
    return std::nullopt;
  }
  if (message.has_draw() && !(fact.draw = decode_draw(message.draw()))) return std::nullopt;
  fact.table = TableIndex(message.table());
  fact.round = RoundId(message.round());
  fact.corrects = EntryNumber(message.corrects());
  fact.reason = *reason;
  fact.note = message.note();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::PotCorrected& message) {
  PotCorrected fact;
  const auto pot = decode_cents(message.pot_cents());
  const auto reason = decode_numbered(message.reason(), HandReason::other_error);
  if (!pot || !reason || !decode_cards(message.board(), fact.board) ||
      !decode_cards(message.old_board(), fact.old_board) ||
      !decode_hands(message.hands(), fact.hands) ||
      !decode_hands(message.old_hands(), fact.old_hands) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  fact.rejected = decode_rejections(message);
  fact.table = TableIndex(message.table());
  fact.round = RoundId(message.round());
  fact.corrects = EntryNumber(message.corrects());
  fact.link = LinkIndex(message.link());
  fact.pot = *pot;
  fact.showdown = message.showdown();
  fact.old_showdown = message.old_showdown();
  fact.reason = *reason;
  fact.note = message.note();
  fact.by = Badge(message.by());
  return fact;
}

std::optional<Fact> decode_fact(const journal::PotPlayed& message) {
  PotPlayed fact;
  const auto pot = decode_cents(message.pot_cents());
  const auto contribution = decode_cents(message.contribution_cents());
  if (!pot || !contribution || !decode_cards(message.board(), fact.board) ||
      !decode_hands(message.hands(), fact.hands) ||
      !decode_settled(message, fact.calls, fact.awards)) {
    return std::nullopt;
  }
  fact.round = RoundId(message.round());
  fact.pot = *pot;
  fact.link = LinkIndex(message.link());
  fact.contribution = *contribution;
  fact.showdown = message.showdown();
  fact.by = Badge(message.by());
  return fact;
}

}  // namespace

std::optional<Fact> decode_table_fact(const journal::Entry& message) {
  switch (message.fact_case()) {
    case journal::Entry::kRoundLocked: return decode_fact(message.round_locked());
    case journal::Entry::kCountDiffered: return decode_fact(message.count_differed());
    case journal::Entry::kCountResolved: return decode_fact(message.count_resolved());
    case journal::Entry::kHandsShown: return decode_fact(message.hands_shown());
    case journal::Entry::kHandCorrected: return decode_fact(message.hand_corrected());
    case journal::Entry::kRoundClosed:
      return RoundClosed{RoundId(message.round_closed().round()),
                         Badge(message.round_closed().by())};
    case journal::Entry::kRoundVoided: return decode_fact(message.round_voided());
    case journal::Entry::kPotPlayed: return decode_fact(message.pot_played());
    case journal::Entry::kHandVoided: return decode_fact(message.hand_voided());
    case journal::Entry::kDealerCorrected: return decode_fact(message.dealer_corrected());
    case journal::Entry::kPotCorrected: return decode_fact(message.pot_corrected());
    default: return std::nullopt;
  }
}

}  // namespace linkmeter::parts
