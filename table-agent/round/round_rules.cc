#include "table-agent/round/round_rules.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "meters/values/limits.h"
#include "meters/values/refusal.h"
#include "meters/values/text.h"
#include "proto/codec/round_script.h"

namespace linkmeter {

namespace {

using Part = CheckResult::Part;

PanelAnswer objection(Refusal refusal, std::string words = {}) {
  if (words.empty()) words = sentence(refusal);
  return {std::string(name(refusal)), std::move(words)};
}

std::string seat_text(Seat seat) { return "seat " + std::to_string(seat.value()); }

std::string cards_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " card" : " cards");
}

std::string range_text(std::size_t least, std::size_t most) {
  if (least == most) return cards_text(most);
  return std::to_string(least) + " to " + cards_text(most);
}

std::string count_words(const CheckResult& no, const GameRules& game) {
  if (no.part == Part::board) return "the board has at most " + cards_text(game.board_cards_max);
  if (no.part == Part::dealer) {
    return "the dealer has " + cards_text(no.cards_count) + "; his hand here has " +
           range_text(game.dealer_cards_min, game.dealer_cards_max);
  }
  // Such a hand need not be shown, unless a wager compares it with the dealer's.
  if (no.cards_count == 0 && game.player_cards_min == 0) {
    return seat_text(no.seat) + "'s hand is weighed against the dealer's: show it";
  }
  return seat_text(no.seat) + " has " + cards_text(no.cards_count) + "; a hand here has " +
         range_text(game.hand_cards_min(), game.player_cards_max);
}

// The controller's refusal, with the seat or card that is the reason.
PanelAnswer explained(const CheckResult& no, const TableOffers& table) {
  const bool is_pot = table.pot.has_value();
  const auto of_seat = [&no](std::string_view words) {
    return objection(no.refusal, seat_text(no.seat) + std::string(words));
  };
  switch (no.refusal) {
    case Refusal::wrong_card_count: return objection(no.refusal, count_words(no, table.game));
    case Refusal::hand_void: return of_seat("'s hand is void");
    case Refusal::seat_already_shown:
      return of_seat(is_pot ? " is there twice" : " was shown already");
    case Refusal::fold_without_wager: return of_seat(" has no wager of this round to give up");
    case Refusal::card_already_shown:
      return objection(no.refusal, text(*no.card) + (is_pot ? " is there twice"
                                                            : " was shown already in this round"));
    case Refusal::card_malformed:
      return objection(no.refusal, no.part == Part::card ? "this game has no joker" : "");
    case Refusal::amount_out_of_range:
      if (no.part == Part::seat) break;
      return objection(no.refusal,
                       "a pot is more than $0.00, and at most $" + text_cents(limits::pot_max));
    default: break;
  }
  return objection(no.refusal);
}

// The round as the controller knows it, without the cards that were seen.
Round known_round(const TableOffers& table, const RoundRecord& record) {
  Round round;
  round.wagers = table.placed(record.wagers);
  for (const ShownHand& hand : record.hands()) {
    round.shown.push_back({EntryNumber(), hand, Draw(), {}});
  }
  round.dealer_shown = !record.dealer().empty();
  round.voided = record.void_seats;
  round.draw = record.draw();
  return round;
}

bool has(const std::vector<Seat>& seats, Seat seat) {
  return std::find(seats.begin(), seats.end(), seat) != seats.end();
}

// Finds a hand that must be shown before, or together with, the hands of this show.
PanelAnswer check_order(const TableOffers& table, const RoundRecord& round,
                        const touch::Submit& submitted, const ShowHands& show) {
  std::vector<Seat> shown;
  for (const ShownHand& hand : show.hands) shown.push_back(hand.seat);
  const auto is_done_with = [&](Seat seat) {
    return has(shown, seat) || has(submitted.passed, seat) || round.hand_of(seat) != nullptr;
  };
  // Wagers of a hand against the dealer's hand are settled by the one message that has both hands.
  for (const AskedWager& wager : round.wagers) {
    if (show.dealer.empty() || !need_of(table, round.wagers, wager.seat).together) continue;
    if (is_done_with(wager.seat)) continue;
    return {"hands_missing", seat_text(wager.seat) +
                                 " has a wager that weighs its hand against the dealer's: "
                                 "show both together, or say that it is not shown"};
  }
  // M6: a winner meets the meter as it is at his turn, so the seat with the earlier turn must be
  // shown first.
  const auto is_settled_by_turn = [&](Seat seat) {
    const SeatNeed need = need_of(table, round.wagers, seat);
    return need.own_hand && !need.together;
  };
  for (const ShownHand& hand : show.hands) {
    if (hand.folded || !is_settled_by_turn(hand.seat)) continue;
    for (std::uint8_t number = table.terms.seats; number > hand.seat.value(); --number) {
      const Seat before(number);
      if (!is_settled_by_turn(before) || is_done_with(before)) continue;
      return {"not_in_turn", seat_text(before) + " comes before " + seat_text(hand.seat) +
                                 ": show it first, or say that it is not shown"};
    }
  }
  return {};
}

PanelAnswer check(const RoundMachine& machine, const touch::Submit& submitted,
                  const ShowHands& show) {
  const TableOffers& table = machine.table();
  const RoundRecord& record = machine.round();
  Round round = known_round(table, record);
  const auto see = [&](const std::vector<Card>& cards) {
    for (const Card card : cards) round.cards.add(card, table.terms.decks);
  };
  if (!machine.reports_hands()) {  // a person may have changed any: a seat may be shown again
    for (const ShownHand& hand : show.hands) {
      std::erase_if(round.shown, [&](const SeatShown& one) { return one.hand.seat == hand.seat; });
    }
  }
  // The cards of earlier hands are checked last: a hand that is shown again is refused as that, and
  // not as a card that was shown already.
  CheckResult no = table.checks().check_hands(round, show);
  if (no.refusal == Refusal::none) {
    see(record.dealer());
    see(record.board());
    if (machine.reports_hands()) {
      for (const SeatShown& shown : round.shown) see(shown.hand.cards);
    }
    no = table.checks().check_hands(round, show);
  }
  if (no.refusal != Refusal::none) return explained(no, table);
  const std::vector<LineId> lines = lines_to_key(table);
  for (const ShownHand& hand : show.hands) {
    if (!hand.keyed || std::find(lines.begin(), lines.end(), *hand.keyed) != lines.end()) continue;
    return {"line_unknown", seat_text(hand.seat) + ": no wager of this table has such a line"};
  }
  if (PanelAnswer order = check_order(table, record, submitted, show); !order.why.empty()) {
    return order;
  }
  if (show.hands.empty() && !show.names_dealer && show.board.empty() && !show.draw) {
    return {"nothing_to_show", "no hand, no dealer's hand and no draw: nothing to show"};
  }
  return {};
}

// The controller knows which claims prevent a void.
PanelAnswer check(const RoundMachine& machine, const VoidRound& voided) {
  if (voided.seat) {
    if (!machine.table().checks().has_seat(*voided.seat)) return objection(Refusal::seat_unknown);
    if (machine.round().is_void(*voided.seat)) {
      return objection(Refusal::hand_void, seat_text(*voided.seat) + "'s hand is void already");
    }
  }
  return check_reason(voided.reason);
}

// If the controller would refuse a whole list, the first wager of it gives the refusal. Only the
// controller knows which wagers a link has stopped taking since the round was locked.
PanelAnswer check(const RoundMachine& machine, const ResolveCount& resolve) {
  const TableOffers& table = machine.table();
  const auto of_seat = [](Refusal refusal, Seat seat) {
    return objection(refusal, seat_text(seat) + ": " + std::string(sentence(refusal)));
  };
  SensorWagers bets(table);
  for (const AskedWager& wager : resolve.wagers) {
    // Sensors without faults refuse only what the controller refuses.
    if (const auto no = parse_refusal(bets.place(wager))) return of_seat(*no, wager.seat);
  }
  const CheckResult no = table.checks().check_resolution(known_round(table, machine.round()),
                                                         table.placed(resolve.wagers));
  return no.refusal == Refusal::none ? PanelAnswer() : of_seat(no.refusal, no.seat);
}

}  // namespace

SeatNeed need_of(const TableOffers& table, const std::vector<AskedWager>& wagers, Seat seat) {
  SeatNeed need;
  for (const AskedWager& wager : wagers) {
    if (wager.seat != seat) continue;
    const DecidedBy decided_by = table.offer(wager.wager).rules.decided_by;
    const bool is_both = decided_by == DecidedBy::both_hands;
    need.own_hand = need.own_hand || is_both || decided_by == DecidedBy::player_hand ||
                    (decided_by == DecidedBy::either_hand && !wager.on_dealer);
    need.together = need.together || is_both;
  }
  return need;
}

bool waits_for_dealer(const TableOffers& table, const RoundRecord& round) {
  return table.checks().waits_for_dealer(known_round(table, round));
}

std::vector<LineId> lines_to_key(const TableOffers& table) {
  std::vector<LineId> lines;
  for (const Offer& offer : table.offers) {
    if (offer.rules.decided_by == DecidedBy::dealer_hand) continue;
    for (const LineId& line : offer.lines) {
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
  return lines;
}

PanelAnswer check_reason(const std::string& reason) {
  if (!reason.empty() && is_well_formed_text(reason, limits::reason_length_max)) return {};
  return objection(Refusal::name_malformed, "a void has a reason of 1 to " +
                                                std::to_string(limits::reason_length_max) +
                                                " printing characters");
}

PanelAnswer object(const TableOffers& table, const PlayPot& pot) {
  if (!table.pot) return objection(Refusal::wrong_game);
  const CheckResult no = table.checks().check_pot_hands(pot);
  return no.refusal == Refusal::none ? PanelAnswer() : explained(no, table);
}

PanelAnswer object(const RoundMachine& machine, const touch::Submit& submitted) {
  const RoundRecord& round = machine.round();
  if (round.number == 0 || round_of(submitted.command) != round.id()) {
    return objection(Refusal::round_unknown, "this is not the round that is on");
  }
  const bool lock_is_answered = !machine.unanswered().has<LockRound>();
  const Refusal no = round.refusal_now(submitted.command, lock_is_answered);
  if (no != Refusal::none) return objection(no);
  if (const auto* show = std::get_if<ShowHands>(&submitted.command)) {
    return check(machine, submitted, *show);
  }
  if (const auto* voided = std::get_if<VoidRound>(&submitted.command)) {
    return check(machine, *voided);
  }
  if (const auto* resolve = std::get_if<ResolveCount>(&submitted.command)) {
    return check(machine, *resolve);
  }
  const bool closes = std::holds_alternative<CloseRound>(submitted.command);
  if (closes && round.phase != RoundRecord::Phase::refused &&
      waits_for_dealer(machine.table(), round)) {
    return objection(Refusal::dealer_hand_missing);
  }
  return {};
}

}  // namespace linkmeter
