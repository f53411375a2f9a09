#include "meters/rules/table_checks.h"

#include <algorithm>
#include <set>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

Refusal TableChecks::check_offered(const AskedWager& wager) const {
  if (!has_seat(wager.seat)) return Refusal::seat_unknown;
  const bool offered = std::any_of(parts_.begin(), parts_.end(), [&](const FloorIndex::Part& part) {
    if (floor_.link(part.link).wager != wager.wager) return false;
    return !wager.on_dealer || rules_.link(part.link).wager.decided_by == DecidedBy::either_hand;
  });
  if (!offered) return Refusal::wager_not_offered;
  return find_link(wager) ? Refusal::none : Refusal::wager_not_a_unit;
}

std::optional<LinkIndex> TableChecks::find_link(const AskedWager& wager) const {
  for (const auto& [place, at] : parts_) {
    const LinkConfig& link = floor_.link(place);
    if (link.takes(wager.amount) && link.wager == wager.wager) return place;
  }
  return std::nullopt;
}

std::vector<PlacedWager> TableChecks::place(const std::vector<AskedWager>& asked) const {
  std::vector<PlacedWager> placed;
  placed.reserve(asked.size());
  for (const AskedWager& wager : asked) {
    const std::optional<LinkIndex> link = find_link(wager);
    INVARIANT(link.has_value());
    placed.push_back(PlacedWager{wager.seat, *link, wager.amount, wager.on_dealer});
  }
  return placed;
}

std::uint32_t TableChecks::chips_expected(const std::vector<PlacedWager>& wagers) const {
  return static_cast<std::uint32_t>(
      std::count_if(wagers.begin(), wagers.end(), [this](const PlacedWager& wager) {
        return rules_.link(wager.link).wager.placement == Placement::chip;
      }));
}

// § 657a.8(b): the chips are compared with the wagers that the system has accepted. The resolution
// decides which of these stand. A wager that the system did not accept does not count, even if its
// chip is on the layout.
CheckResult TableChecks::check_resolution(const Round& locked,
                                          const std::vector<PlacedWager>& wagers) const {
  CheckResult first;
  const auto has = [](const std::vector<PlacedWager>& list, const PlacedWager& wager) {
    return std::find(list.begin(), list.end(), wager) != list.end();
  };
  for (const PlacedWager& wager : wagers) {
    if (has(locked.wagers, wager)) continue;
    first.consider({Refusal::wager_not_locked, Part::seat, wager.seat});
  }
  for (const PlacedWager& wager : locked.wagers) {
    const bool is_counted = rules_.link(wager.link).wager.placement == Placement::chip;
    if (is_counted || has(wagers, wager)) continue;
    first.consider({Refusal::uncounted_wager_missing, Part::seat, wager.seat});
  }
  return first;
}

// Counts all cards of the message together with those that the round has shown: no more copies than
// the decks hold.
CheckResult TableChecks::check_cards(CardCounts seen, const std::vector<ShownHand>& hands,
                                     const std::vector<Card>& dealer,
                                     const std::vector<Card>& board) const {
  CheckResult first;
  const auto see = [&](const std::vector<Card>& cards) {
    for (const Card card : cards) {
      if (card.is_joker() && !game_.joker) {
        first.consider({Refusal::card_malformed, Part::card, Seat(), card});
      }
      if (!seen.add(card, config_.decks)) {
        first.consider({Refusal::card_already_shown, Part::card, Seat(), card});
      }
    }
  };
  for (const ShownHand& hand : hands) see(hand.cards);
  see(dealer);
  see(board);
  return first;
}

Refusal TableChecks::check_count(const Round& round, const ShownHand& hand) const {
  const std::size_t count = hand.cards.size();
  const bool unseen = count == 0 && (hand.folded || game_.player_cards_min == 0);
  if (!unseen && !game_.is_hand_count(count)) return Refusal::wrong_card_count;
  return hand.folded && !round.has_wager(hand.seat) ? Refusal::fold_without_wager : Refusal::none;
}

Refusal TableChecks::check_hand(const Round& round, const ShownHand& hand) const {
  if (!has_seat(hand.seat)) return Refusal::seat_unknown;
  const Refusal no = check_count(round, hand);
  if (no == Refusal::wrong_card_count) return no;
  if (round.has_shown(hand.seat)) return Refusal::seat_already_shown;
  return no == Refusal::none && round.is_void(hand.seat) ? Refusal::hand_void : no;
}

Refusal TableChecks::check_dealer(const Round& round, const ShowHands& show) const {
  const std::size_t count = show.dealer.size();
  if (count == 0) {
    // A hand that is absent from the message is not shown yet. An empty hand cannot decide wagers
    // that depend on it.
    return show.names_dealer && waits_for_dealer(round) ? Refusal::dealer_hand_missing
                                                        : Refusal::none;
  }
  if (count < game_.dealer_cards_min || count > game_.dealer_cards_max) {
    return Refusal::wrong_card_count;
  }
  // If the dealer needs no cards (Raise It Up), the community cards may come one by one.
  return round.dealer_shown && game_.dealer_cards_min > 0 ? Refusal::dealer_already_shown
                                                          : Refusal::none;
}

bool TableChecks::waits_for_dealer(const Round& round) const {
  if (round.dealer_shown) return false;
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
    const WagerRules& rules = rules_.link(wager.link).wager;
    if (rules.decided_by == DecidedBy::dealer_hand || wager.on_dealer) return true;
    if (rules.decided_by != DecidedBy::both_hands) return false;
    const SeatShown* shown = round.find_shown(wager.seat);
    return shown == nullptr || !shown->hand.folded || !rules.fold_forfeits;
  });
}

bool TableChecks::needs_cards(const Round& round, const ShownHand& hand) const {
  if (hand.folded) return false;  // folded without being shown
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
    return wager.seat == hand.seat &&
           rules_.link(wager.link).wager.decided_by == DecidedBy::both_hands;
  });
}

Refusal TableChecks::check_draw(const Round& round, const ShowHands& show) const {
  if (!show.draw) return Refusal::none;
  if (show.draw->seat && show.draw->seat->value() > config_.seats) return Refusal::seat_unknown;
  if (show.draw->magic && show.draw->magic->is_joker()) return Refusal::card_malformed;
  return round.draw && round.draw->contradicts(*show.draw) ? Refusal::draw_made : Refusal::none;
}

CheckResult TableChecks::check_hands(const Round& round, const ShowHands& show) const {
  CheckResult first;
  std::set<Seat> seats;
  for (const ShownHand& hand : show.hands) {
    const auto consider = [&first, &hand](Refusal refusal) {
      first.consider({refusal, Part::seat, hand.seat, {}, hand.cards.size()});
    };
    consider(check_hand(round, hand));
    // Without cards, a hand that is compared with the dealer's would lose silently, now or when the
    // dealer's hand is shown.
    if (hand.cards.empty() && !round.dealer_shown && needs_cards(round, hand)) {
      consider(Refusal::wrong_card_count);
    }
    if (!seats.insert(hand.seat).second) consider(Refusal::seat_already_shown);
  }
  first.consider({check_dealer(round, show), Part::dealer, Seat(), {}, show.dealer.size()});
  first.consider({check_draw(round, show), Part::draw});
  if (show.board.size() > game_.board_cards_max) {
    first.consider({Refusal::wrong_card_count, Part::board});
  }
  first.consider(check_cards(round.cards, show.hands, show.dealer, show.board));
  return first;
}

CheckResult TableChecks::check_pot_hands(const PlayPot& pot) const {
  CheckResult first;
  if (pot.pot <= Amount() || pot.pot > limits::pot_max || !pot.pot.is_whole_cents()) {
    first.consider({Refusal::amount_out_of_range});
  }
  std::set<Seat> seats;
  std::size_t live = 0;
  for (const ShownHand& hand : pot.hands) {
    const std::size_t count = hand.cards.size();
    const auto consider = [&first, &hand](Refusal refusal) {
      first.consider({refusal, Part::seat, hand.seat, {}, hand.cards.size()});
    };
    if (!has_seat(hand.seat)) consider(Refusal::seat_unknown);
    if (hand.won < Amount() || hand.won > limits::pot_max || !hand.won.is_whole_cents()) {
      consider(Refusal::amount_out_of_range);
    }
    // Only live hands at a showdown must be shown; an uncontested winner need not show.
    const bool unseen = count == 0 && (hand.folded || !pot.showdown);
    if (!unseen && (count < game_.player_cards_min || count > game_.player_cards_max)) {
      consider(Refusal::wrong_card_count);
    }
    if (!seats.insert(hand.seat).second) consider(Refusal::seat_already_shown);
    if (!hand.folded) ++live;
  }
  if (pot.board.size() > game_.board_cards_max) {
    first.consider({Refusal::wrong_card_count, Part::board});
  }
  first.consider(check_cards(CardCounts{}, pot.hands, {}, pot.board));
  if (pot.showdown && (pot.board.size() != game_.board_cards_max || live < 2)) {
    first.consider({Refusal::showdown_incomplete});
  }
  return first;
}

}  // namespace linkmeter
