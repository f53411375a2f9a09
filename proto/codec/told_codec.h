// Told codec: what the controller reports to a table besides acknowledgements: suspended links,
// awards, the states of its claims, and the hands that count. Decoding is total, as in
// parts_codec.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "proto/codec/parts_codec.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter::told {

template <class Messages>
void encode_suspended(const std::vector<SuspendedLink>& suspended, Messages& messages) {
  for (const SuspendedLink& one : suspended) {
    auto& added = *messages.Add();
    added.set_link(one.link.text());
    added.set_reason(one.reason);
  }
}

template <class Messages>
std::vector<SuspendedLink> decode_suspended(const Messages& messages) {
  std::vector<SuspendedLink> suspended;
  for (const auto& one : messages) {
    suspended.push_back({LinkId(one.link()), one.reason()});
  }
  return suspended;
}

template <class Messages>
void encode_awards(const std::vector<AwardNotice>& awards, Messages& messages) {
  for (const AwardNotice& award : awards) {
    auto& added = *messages.Add();
    added.set_seat(award.seat.value());
    added.set_line(award.line.text());
    added.set_amount_cents(award.amount.in_cents());
    if (award.claim) added.set_claim(award.claim->value());
    added.set_kind(static_cast<std::uint32_t>(award.kind));
    if (award.holder) added.set_holder(award.holder->value());
    added.set_link(award.link.text());
    added.set_level(award.level.text());
    added.set_on_dealer(award.on_dealer);
    if (award.waits_for) added.set_waits_for(award.waits_for->value());
  }
}

template <class Messages>
bool decode_awards(const Messages& messages, std::vector<AwardNotice>& awards) {
  for (const auto& message : messages) {
    const auto seat = parts::decode_seat(message.seat());
    const auto amount = parts::decode_cents(message.amount_cents());
    const auto kind = parts::decode_integer<std::uint8_t>(message.kind());
    if (!seat || !amount || !kind || *amount < Amount()) return false;
    awards.push_back(
        {*seat, LineId(message.line()), *amount, std::nullopt, static_cast<AwardKind>(*kind)});
    if (message.claim() > 0) awards.back().claim = ClaimNumber(message.claim());
    if (message.has_holder() && !(awards.back().holder = parts::decode_seat(message.holder()))) {
      return false;
    }
    awards.back().link = LinkId(message.link());
    awards.back().level = LevelId(message.level());
    awards.back().on_dealer = message.on_dealer();
    if (message.waits_for() > 0) awards.back().waits_for = ClaimNumber(message.waits_for());
  }
  return true;
}

template <class Messages>
void encode_claims(const std::vector<ClaimNotice>& claims, Messages& messages) {
  for (const ClaimNotice& claim : claims) {
    auto& added = *messages.Add();
    added.set_claim(claim.number.value());
    added.set_round(claim.round.text());
    added.set_seat(claim.seat.value());
    added.set_link(claim.link.text());
    added.set_line(claim.line.text());
    added.set_level(claim.level.text());
    added.set_amount_cents(claim.amount.in_cents());
    added.set_state(claim.state);
    added.set_needs(claim.needs);
    added.set_reason(claim.reason);
    added.set_slip(claim.slip.value());
    added.set_source(claim.source);
    added.set_envy(claim.envy);
  }
}

template <class Messages>
bool decode_claims(const Messages& messages, std::vector<ClaimNotice>& claims) {
  for (const auto& message : messages) {
    const auto seat = parts::decode_seat(message.seat());
    const auto amount = parts::decode_cents(message.amount_cents());
    if (!seat || !amount || *amount < Amount() || message.claim() == 0) return false;
    claims.push_back({ClaimNumber(message.claim()), RoundId(message.round()), *seat,
                      LinkId(message.link()), LineId(message.line()), LevelId(message.level()),
                      *amount, message.state(), message.needs(), message.reason(),
                      SlipNumber(message.slip()), message.source(), message.envy()});
  }
  return true;
}

template <class Message>
void encode_round(const RoundHands& round, Message& told) {
  told.set_round(round.round.text());
  told.set_changed_by(round.changed_by.value());
  encode_awards(round.awards, *told.mutable_awards());
  told.set_dealer(parts::encode_cards(round.dealer));
  told.set_board(parts::encode_cards(round.board));
  encode_awards(round.take_back, *told.mutable_take_back());
  if (round.draw) parts::encode_draw(*round.draw, *told.mutable_draw());
  for (const HandNotice& hand : round.hands) {
    auto& added = *told.add_hands();
    added.set_seat(hand.seat.value());
    added.set_cards(parts::encode_cards(hand.cards));
    added.set_folded(hand.folded);
    encode_awards(hand.awards, *added.mutable_awards());
    added.set_entry(hand.entry.value());
  }
}

template <class Message>
bool decode_round(const Message& told, RoundHands& round) {
  round.round = RoundId(told.round());
  round.changed_by = EntryNumber(told.changed_by());
  if (!decode_awards(told.awards(), round.awards) ||
      !parts::decode_cards(told.dealer(), round.dealer) ||
      !parts::decode_cards(told.board(), round.board) ||
      !decode_awards(told.take_back(), round.take_back)) {
    return false;
  }
  if (told.has_draw() && !(round.draw = parts::decode_draw(told.draw()))) return false;
  for (const auto& one : told.hands()) {
    const auto seat = parts::decode_seat(one.seat());
    if (!seat) return false;
    HandNotice hand{*seat, EntryNumber(one.entry()), {}, one.folded()};
    if (!parts::decode_cards(one.cards(), hand.cards)) return false;
    if (!decode_awards(one.awards(), hand.awards)) return false;
    round.hands.push_back(std::move(hand));
  }
  return true;
}

template <class Message>
void encode_hands(const std::vector<RoundHands>& rounds, Message& message) {
  for (const RoundHands& round : rounds) encode_round(round, *message.add_rounds());
}

template <class Message>
bool decode_hands(const Message& message, std::vector<RoundHands>& rounds) {
  for (const auto& told : message.rounds()) {
    if (!decode_round(told, rounds.emplace_back())) return false;
  }
  return true;
}

}  // namespace linkmeter::told
