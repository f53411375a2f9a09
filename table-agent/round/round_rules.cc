#include "table-agent/round/round_rules.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "meters/values/limits.h"
#include "meters/values/refusal.h"
#include "meters/values/text.h"
#include "proto/codec/round_script.h"

namespace linkmeter {

namespace {

DealerError objection(Refusal refusal, std::string words = {}) {
  if (words.empty()) words = sentence(refusal);
  return {name(refusal), std::move(words)};
}

std::string seat_text(Seat seat) { return "seat " + std::to_string(seat.value()); }

std::string cards_text(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " card" : " cards");
}

std::string range_text(std::size_t least, std::size_t most) {
  if (least == most) return cards_text(most);
  return std::to_string(least) + " to " + cards_text(most);
}

// Checks one show, in the order of the controller's refusals where the order matters to a dealer.
class ShowCheck {
 public:
  ShowCheck(const RoundMachine& machine, const ShowHands& show, const std::vector<Seat>& passed)
      : table_(machine.table()),
        round_(machine.round()),
        hands_are_told_(machine.hands_are_told()),
        show_(show),
        passed_(passed) {}

  std::optional<DealerError> operator()() {
    for (const ShownHand& hand : show_.hands) {
      if (auto mistake = look_at(hand)) return mistake;
    }
    for (const auto look : {&ShowCheck::dealer, &ShowCheck::draw, &ShowCheck::board,
                            &ShowCheck::cards, &ShowCheck::together, &ShowCheck::turn}) {
      if (auto mistake = (this->*look)()) return mistake;
    }
    if (show_.hands.empty() && !show_.names_dealer && show_.board.empty() && !show_.draw) {
      return DealerError{"nothing_to_show",
                         "no hand, no dealer's hand and no draw: nothing to show"};
    }
    return std::nullopt;
  }

 private:
  std::optional<DealerError> look_at(const ShownHand& hand) {
    const GameRules& game = table_.game;
    const std::size_t count = hand.cards.size();
    if (hand.seat == Seat(0) || hand.seat.value() > table_.terms.seats) {
      return objection(Refusal::seat_unknown);
    }
    const bool is_unseen = count == 0 && (hand.folded || game.player_cards_min == 0);
    if (!is_unseen && !game.is_hand_count(count)) {
      return objection(Refusal::wrong_card_count,
                       seat_text(hand.seat) + " has " + cards_text(count) + "; a hand here has " +
                           range_text(game.hand_cards_min(), game.player_cards_max));
    }
    // The wager against the dealer's hand would be lost without notice for lack of cards, now or
    // when the dealer's hand is shown.
    if (count == 0 && !hand.folded && round_.dealer().empty() &&
        need_of(table_, round_.wagers, hand.seat).together) {
      return objection(Refusal::wrong_card_count,
                       seat_text(hand.seat) + "'s hand is weighed against the dealer's: show it");
    }
    if (round_.is_void(hand.seat)) {
      return objection(Refusal::hand_void, seat_text(hand.seat) + "'s hand is void");
    }
    const bool was_shown = hands_are_told_ && round_.hand_of(hand.seat) != nullptr;
    if (was_shown || !seats_.insert(hand.seat).second) {
      return objection(Refusal::seat_already_shown, seat_text(hand.seat) + " was shown already");
    }
    if (hand.keyed) {
      const std::vector<LineId> lines = lines_to_key(table_);
      if (std::find(lines.begin(), lines.end(), *hand.keyed) == lines.end()) {
        return DealerError{"line_unknown",
                           seat_text(hand.seat) + ": no wager of this table has " + "such a line"};
      }
    }
    if (hand.folded && !round_.has_wager(hand.seat)) {
      return objection(Refusal::fold_without_wager,
                       seat_text(hand.seat) + " has no wager of this round to give up");
    }
    return std::nullopt;
  }

  std::optional<DealerError> dealer() {
    const GameRules& game = table_.game;
    const std::size_t count = show_.dealer.size();
    const bool was_shown = !round_.dealer().empty();
    if (count == 0) {
      if (!show_.names_dealer || !waits_for_dealer(table_, round_)) return std::nullopt;
      return objection(Refusal::dealer_hand_missing);
    }
    if (count < game.dealer_cards_min || count > game.dealer_cards_max) {
      return objection(Refusal::wrong_card_count,
                       "the dealer has " + cards_text(count) + "; his hand here has " +
                           range_text(game.dealer_cards_min, game.dealer_cards_max));
    }
    if (was_shown && game.dealer_cards_min > 0) return objection(Refusal::dealer_already_shown);
    return std::nullopt;
  }

  std::optional<DealerError> draw() {
    if (!show_.draw) return std::nullopt;
    if (show_.draw->seat && show_.draw->seat->value() > table_.terms.seats) {
      return objection(Refusal::seat_unknown);
    }
    if (show_.draw->magic && show_.draw->magic->is_joker())
      return objection(Refusal::card_malformed);
    const std::optional<Draw> made = round_.draw();
    if (made && made->contradicts(*show_.draw)) return objection(Refusal::draw_made);
    return std::nullopt;
  }

  std::optional<DealerError> board() {
    if (show_.board.size() <= table_.game.board_cards_max) return std::nullopt;
    return objection(Refusal::wrong_card_count,
                     "the board has at most " + cards_text(table_.game.board_cards_max));
  }

  std::optional<DealerError> see(const std::vector<Card>& cards) {
    for (const Card card : cards) {
      if (card.is_joker() && !table_.game.joker) {
        return objection(Refusal::card_malformed, "this game has no joker");
      }
      if (!seen_.add(card, table_.terms.decks)) {
        return objection(Refusal::card_already_shown,
                         text(card) + " was shown already in this round");
      }
    }
    return std::nullopt;
  }

  std::optional<DealerError> cards() {
    std::optional<DealerError> mistake;
    const auto look = [&](const std::vector<Card>& list) {
      if (!mistake) mistake = see(list);
    };
    if (hands_are_told_) {
      for (const ShownHand& hand : round_.hands()) look(hand.cards);
    }
    look(round_.dealer());
    look(round_.board());
    for (const ShownHand& hand : show_.hands) look(hand.cards);
    look(show_.dealer);
    look(show_.board);
    return mistake;
  }

  // Wagers of a hand against the dealer's hand are settled by the one message that has both hands.
  std::optional<DealerError> together() {
    if (show_.dealer.empty()) return std::nullopt;
    for (const AskedWager& wager : round_.wagers) {
      const Seat seat = wager.seat;
      if (!need_of(table_, round_.wagers, seat).together) continue;
      if (is_done_with(seat)) continue;
      return DealerError{"hands_missing",
                         seat_text(seat) +
                             " has a wager that weighs its hand against the dealer's: "
                             "show both together, or say that it is not shown"};
    }
    return std::nullopt;
  }

  // M6: a winner meets the meter as it is at his turn, so the seat with the earlier turn must be
  // shown first.
  std::optional<DealerError> turn() {
    for (const ShownHand& hand : show_.hands) {
      if (hand.folded || !is_settled_by_turn(hand.seat)) continue;
      for (std::uint8_t number = table_.terms.seats; number > hand.seat.value(); --number) {
        const Seat before(number);
        if (!is_settled_by_turn(before) || is_done_with(before)) continue;
        return DealerError{"not_in_turn", seat_text(before) + " comes before " +
                                              seat_text(hand.seat) +
                                              ": show it first, or say that it is not shown"};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_settled_by_turn(Seat seat) const {
    const SeatNeed need = need_of(table_, round_.wagers, seat);
    return need.own_hand && !need.together;
  }

  [[nodiscard]] bool is_done_with(Seat seat) const {
    const bool is_passed = std::find(passed_.begin(), passed_.end(), seat) != passed_.end();
    return seats_.contains(seat) || is_passed || round_.hand_of(seat) != nullptr;
  }

  const TableOffers& table_;
  const RoundRecord& round_;
  bool hands_are_told_;
  const ShowHands& show_;
  const std::vector<Seat>& passed_;
  std::set<Seat> seats_;
  CardCounts seen_;
};

// Checks one pot.
class PotCheck {
 public:
  PotCheck(const TableOffers& table, const PlayPot& pot) : table_(table), pot_(pot) {}

  std::optional<DealerError> operator()() {
    if (!table_.pot) return objection(Refusal::wrong_game);
    if (pot_.pot <= Amount() || pot_.pot > limits::pot_max) {
      return objection(Refusal::amount_out_of_range,
                       "a pot is more than $0.00, and at most $" + text_cents(limits::pot_max));
    }
    for (const ShownHand& hand : pot_.hands) {
      if (auto mistake = look_at(hand)) return mistake;
    }
    const std::size_t board_max = table_.game.board_cards_max;
    if (pot_.board.size() > board_max) {
      return objection(Refusal::wrong_card_count, "the board has at most " + cards_text(board_max));
    }
    if (auto mistake = cards()) return mistake;
    if (pot_.showdown && (pot_.board.size() != board_max || live_count_ < 2)) {
      return objection(Refusal::showdown_incomplete);
    }
    return std::nullopt;
  }

 private:
  std::optional<DealerError> look_at(const ShownHand& hand) {
    const GameRules& game = table_.game;
    if (hand.seat == Seat(0) || hand.seat.value() > table_.terms.seats) {
      return objection(Refusal::seat_unknown);
    }
    if (!seats_.insert(hand.seat).second) {
      return objection(Refusal::seat_already_shown, seat_text(hand.seat) + " is there twice");
    }
    if (hand.won > limits::pot_max) return objection(Refusal::amount_out_of_range);
    const std::size_t count = hand.cards.size();
    const bool is_unseen = count == 0 && (hand.folded || !pot_.showdown);
    if (!is_unseen && (count < game.player_cards_min || count > game.player_cards_max)) {
      return objection(Refusal::wrong_card_count,
                       seat_text(hand.seat) + " has " + cards_text(count) + "; a hand here has " +
                           range_text(game.player_cards_min, game.player_cards_max));
    }
    if (!hand.folded) ++live_count_;
    return std::nullopt;
  }

  std::optional<DealerError> cards() {
    CardCounts seen;
    const auto look = [&](const std::vector<Card>& list) -> std::optional<DealerError> {
      for (const Card card : list) {
        if (card.is_joker() && !table_.game.joker) {
          return objection(Refusal::card_malformed, "this game has no joker");
        }
        if (!seen.add(card, table_.terms.decks)) {
          return objection(Refusal::card_already_shown, text(card) + " is there twice");
        }
      }
      return std::nullopt;
    };
    for (const ShownHand& hand : pot_.hands) {
      if (auto mistake = look(hand.cards)) return mistake;
    }
    return look(pot_.board);
  }

  const TableOffers& table_;
  const PlayPot& pot_;
  std::set<Seat> seats_;
  std::size_t live_count_ = 0;
};

// The controller knows which claims prevent a void.
std::optional<DealerError> look_at(const TableOffers& table, const RoundRecord& round,
                                   const VoidRound& voided) {
  if (voided.seat) {
    if (*voided.seat == Seat(0) || voided.seat->value() > table.terms.seats) {
      return objection(Refusal::seat_unknown);
    }
    if (round.is_void(*voided.seat)) {
      return objection(Refusal::hand_void, seat_text(*voided.seat) + "'s hand is void already");
    }
  }
  return check_reason(voided.reason);
}

// If the controller would refuse a whole list, the first wager of it gives the refusal. Only the
// controller knows which wagers a link has stopped taking since the round was locked.
std::optional<DealerError> look_at(const TableOffers& table, const std::vector<AskedWager>& locked,
                                   const ResolveCount& resolve) {
  SensorWagers bets(table);
  for (const AskedWager& wager : resolve.wagers) {
    const std::string_view why = bets.place(wager);
    if (why.empty()) continue;
    const std::optional<Refusal> refusal = parse_refusal(why);
    return DealerError{why, seat_text(wager.seat) + ": " +
                                (refusal ? std::string(sentence(*refusal)) : std::string(why))};
  }
  const auto is_in = [](const AskedWager& wager, const std::vector<AskedWager>& list) {
    return std::find(list.begin(), list.end(), wager) != list.end();
  };
  const auto of_seat = [](Refusal refusal, Seat seat) {
    return objection(refusal, seat_text(seat) + ": " + std::string(sentence(refusal)));
  };
  for (const AskedWager& wager : resolve.wagers) {
    if (!is_in(wager, locked)) return of_seat(Refusal::wager_not_locked, wager.seat);
  }
  for (const AskedWager& wager : locked) {
    const bool is_chip = table.offer(wager.wager).placement == Placement::chip;
    if (!is_chip && !is_in(wager, resolve.wagers)) {
      return of_seat(Refusal::uncounted_wager_missing, wager.seat);
    }
  }
  return std::nullopt;
}

}  // namespace

SeatNeed need_of(const TableOffers& table, const std::vector<AskedWager>& wagers, Seat seat) {
  SeatNeed need;
  for (const AskedWager& wager : wagers) {
    if (wager.seat != seat) continue;
    const DecidedBy decided_by = table.offer(wager.wager).decided_by;
    const bool is_both = decided_by == DecidedBy::both_hands;
    need.own_hand = need.own_hand || is_both || decided_by == DecidedBy::player_hand ||
                    (decided_by == DecidedBy::either_hand && !wager.on_dealer);
    need.dealer = need.dealer || is_both || decided_by == DecidedBy::dealer_hand || wager.on_dealer;
    need.together = need.together || is_both;
  }
  return need;
}

bool waits_for_dealer(const TableOffers& table, const RoundRecord& round) {
  if (!round.dealer().empty()) return false;
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const AskedWager& wager) {
    const Offer& offer = table.offer(wager.wager);
    if (offer.decided_by == DecidedBy::dealer_hand || wager.on_dealer) return true;
    if (offer.decided_by != DecidedBy::both_hands) return false;
    const ShownHand* hand = round.hand_of(wager.seat);
    return hand == nullptr || !hand->folded || !offer.fold_forfeits;
  });
}

std::vector<LineId> lines_to_key(const TableOffers& table) {
  std::vector<LineId> lines;
  for (const Offer& offer : table.offers) {
    if (offer.decided_by == DecidedBy::dealer_hand) continue;
    for (const LineId& line : offer.lines) {
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
  return lines;
}

std::optional<DealerError> check_reason(const std::string& reason) {
  if (!reason.empty() && is_well_formed_text(reason, limits::reason_length_max)) {
    return std::nullopt;
  }
  return objection(Refusal::name_malformed, "a void has a reason of 1 to " +
                                                std::to_string(limits::reason_length_max) +
                                                " printing characters");
}

std::optional<DealerError> object(const TableOffers& table, const PlayPot& pot) {
  return PotCheck(table, pot)();
}

std::optional<DealerError> object(const RoundMachine& machine, const touch::Submit& submitted) {
  const RoundRecord& round = machine.round();
  if (round.number == 0 || round_of(submitted.command) != round.id()) {
    return objection(Refusal::round_unknown, "this is not the round that is on");
  }
  const bool lock_is_answered = !machine.unanswered().has_lock();
  const Refusal no = round.hindrance(submitted.command, lock_is_answered);
  if (no != Refusal::none) return objection(no);
  if (const auto* show = std::get_if<ShowHands>(&submitted.command)) {
    return ShowCheck(machine, *show, submitted.passed)();
  }
  if (const auto* voided = std::get_if<VoidRound>(&submitted.command)) {
    return look_at(machine.table(), round, *voided);
  }
  if (const auto* resolve = std::get_if<ResolveCount>(&submitted.command)) {
    return look_at(machine.table(), round.wagers, *resolve);
  }
  const bool closes = std::holds_alternative<CloseRound>(submitted.command);
  if (closes && round.phase != RoundRecord::Phase::refused &&
      waits_for_dealer(machine.table(), round)) {
    return objection(Refusal::dealer_hand_missing);
  }
  return std::nullopt;
}

}  // namespace linkmeter
