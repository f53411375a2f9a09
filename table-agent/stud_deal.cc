#include "table-agent/stud_deal.h"

#include <algorithm>
#include <utility>

#include "meters/check.h"
#include "table-agent/shuffle.h"

namespace linkmeter {

namespace {

constexpr std::uint64_t fold_percent = 15;
constexpr std::uint64_t two_shows_percent = 30;
constexpr std::uint64_t folded_face_down_percent = 50;

// What the table sees of a seat's cards: nothing at all of a seat that folded without a wager.
std::optional<ShownHand> show_hand(const DealTable& table, const LockRound& lock, Seat seat,
                                   std::vector<Card> cards, Chance& chance) {
  const bool folds = chance.happens(fold_percent);
  bool has_wager = false;
  bool stays_in_view = false;
  for (const AskedWager& wager : lock.wagers) {
    if (wager.seat != seat) continue;
    has_wager = true;
    stays_in_view = stays_in_view || table.offer(wager.wager).folded_hand_gives_envy;
  }
  if (!folds) return ShownHand{seat, std::move(cards), false, Amount()};
  if (!has_wager) return std::nullopt;
  if (!stays_in_view && chance.happens(folded_face_down_percent)) cards.clear();
  return ShownHand{seat, std::move(cards), true, Amount()};
}

}  // namespace

std::vector<TableCommand> deal_stud(const DealTable& table, const RoundId& round, Chance& chance) {
  std::vector<Seat> seats = take_seats(table, 1, chance);
  LockRound lock = lock_round(table, round, take_wagers(table, seats, chance));
  if (chance.below(rounds_per_misdeal) == 0) {
    return {std::move(lock), VoidRound{round, "misdeal", Badge()}};
  }

  Shuffle shuffle(table.terms.decks, chance);
  ShowHands first{round, {}, {}, {}, Badge()};
  std::reverse(seats.begin(), seats.end());  // as they are settled
  for (const Seat seat : seats) {
    auto hand = show_hand(table, lock, seat, shuffle.draw(table.game.player_cards_max), chance);
    if (hand) first.hands.push_back(std::move(*hand));
  }
  first.dealer = shuffle.draw(table.game.dealer_cards_max);
  first.board = shuffle.draw(table.game.board_cards_max);

  std::vector<TableCommand> commands{std::move(lock)};
  if (first.hands.size() > 1 && chance.happens(two_shows_percent)) {
    const auto split = static_cast<std::ptrdiff_t>(1 + chance.below(first.hands.size() - 1));
    ShowHands second{round, {first.hands.begin() + split, first.hands.end()}, {}, {}, Badge()};
    first.hands.erase(first.hands.begin() + split, first.hands.end());
    commands.emplace_back(std::move(first));
    commands.emplace_back(std::move(second));
  } else {
    commands.emplace_back(std::move(first));
  }
  commands.emplace_back(CloseRound{round, Badge()});
  return commands;
}

}  // namespace linkmeter
