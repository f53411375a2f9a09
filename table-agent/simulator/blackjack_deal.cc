#include "table-agent/simulator/blackjack_deal.h"

#include <algorithm>
#include <utility>

#include "table-agent/simulator/deal_wagers.h"
#include "table-agent/simulator/stud_deal.h"

namespace linkmeter {

namespace {

constexpr int stand_points = 17;
constexpr int blackjack_points = 21;
constexpr std::uint64_t surrender_percent = 4;

bool is_blackjack(const std::vector<Card>& cards) {
  return cards.size() == 2 && blackjack_total(cards).points == blackjack_points;
}

void draw_to_stand(std::vector<Card>& cards, std::size_t cards_max, Shuffle& shuffle) {
  while (blackjack_total(cards).points < stand_points && cards.size() < cards_max) {
    cards.push_back(shuffle.draw());
  }
}

// Whether a hand still plays against the dealer. A bust has lost; a Blackjack is paid.
bool is_live(const ShownHand& hand) {
  return !hand.folded && blackjack_total(hand.cards).points <= blackjack_points &&
         !is_blackjack(hand.cards);
}

bool looks_at_dealers_cards(DecidedBy decided_by) {
  return decided_by == DecidedBy::dealer_hand || decided_by == DecidedBy::both_hands;
}

void play_hand(ShownHand& hand, const TableOffers& table, Shuffle& shuffle, Prng& chance) {
  const bool may_surrender = table.game.folds && !is_blackjack(hand.cards);
  hand.folded = may_surrender && chance.happens(surrender_percent);
  if (!hand.folded) draw_to_stand(hand.cards, table.game.player_cards_max, shuffle);
}

}  // namespace

BlackjackTotal blackjack_total(std::span<const Card> cards) {
  int points = 0;
  bool has_ace = false;
  for (const Card card : cards) {
    has_ace = has_ace || card.rank() == rank_ace;
    points += card.rank() == rank_ace ? 1 : std::min(card.rank(), rank_ten);
  }
  if (has_ace && points + 10 <= blackjack_points) points += 10;
  return {points};
}

std::vector<TableCommand> deal_blackjack(const TableOffers& table, const RoundId& round,
                                         Prng& chance) {
  const std::vector<Seat> seats = take_seats(table, 1, chance);
  LockRound lock = lock_round(table, round, take_wagers(table, seats, chance));
  if (chance.below(rounds_per_misdeal) == 0) {
    return {std::move(lock), VoidRound{round, "misdeal", Badge()}};
  }

  Shuffle shuffle = shuffle_of(table, chance);
  ShowHands show;
  show.round = round;
  show.names_dealer = true;
  for (const Seat seat : seats) show.hands.push_back({seat, {}, false, Amount()});
  // Deal one card to each hand in turn, the dealer last, twice.
  for (int card = 0; card < 2; ++card) {
    for (ShownHand& hand : show.hands) hand.cards.push_back(shuffle.draw());
    show.dealer.push_back(shuffle.draw());
  }
  if (!is_blackjack(show.dealer)) {
    for (ShownHand& hand : show.hands) play_hand(hand, table, shuffle, chance);
    const bool is_played = std::any_of(show.hands.begin(), show.hands.end(), is_live);
    const bool is_bet_on =
        std::any_of(lock.wagers.begin(), lock.wagers.end(), [&](const AskedWager& wager) {
          return looks_at_dealers_cards(table.offer(wager.wager).rules.decided_by);
        });
    if (is_played || is_bet_on) {
      draw_to_stand(show.dealer, table.game.dealer_cards_max, shuffle);
    }
  }
  leave_out_idle_folds(show, lock.wagers);
  return {std::move(lock), std::move(show), CloseRound{round, Badge()}};
}

}  // namespace linkmeter
