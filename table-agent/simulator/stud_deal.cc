#include "table-agent/simulator/stud_deal.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "table-agent/simulator/deal_wagers.h"
#include "table-agent/simulator/shuffle.h"

namespace linkmeter {

namespace {

constexpr std::uint64_t fold_percent = 15;
constexpr std::uint64_t two_shows_percent = 30;
constexpr std::uint64_t folded_face_down_percent = 50;

// What the table sees of a seat's cards; nullopt: nothing.
std::optional<ShownHand> show_hand(const TableOffers& table, const LockRound& lock, Seat seat,
                                   std::vector<Card> cards, Prng& chance) {
  bool has_wager = false;
  bool stays_in_view = false;  // although it is folded
  bool may_bring_envy = false;
  for (const AskedWager& wager : lock.wagers) {
    const Offer& offer = table.offer(wager.wager);
    if (wager.seat == seat) {
      has_wager = true;
      stays_in_view = stays_in_view || offer.rules.folded_hand_gives_envy;
    } else {
      may_bring_envy = may_bring_envy || offer.may_receive_envy(wager.amount);
    }
  }
  const bool folds = table.game.folds && chance.happens(fold_percent);
  if (!has_wager && (folds || !may_bring_envy)) return std::nullopt;
  if (folds && !stays_in_view && chance.happens(folded_face_down_percent)) cards.clear();
  return ShownHand{seat, std::move(cards), folds, Amount()};
}

std::vector<ShownHand> deal_hands(const TableOffers& table, const LockRound& lock,
                                  const std::vector<Seat>& seats, Shuffle& shuffle, Prng& chance) {
  std::vector<ShownHand> hands;
  // In the order of settlement.
  for (std::uint8_t number = table.game.seats_max; number >= 1; --number) {
    std::vector<Card> cards = shuffle.draw(table.game.player_cards_max);
    if (std::find(seats.begin(), seats.end(), Seat(number)) == seats.end()) continue;
    auto hand = show_hand(table, lock, Seat(number), std::move(cards), chance);
    if (hand) hands.push_back(std::move(*hand));
  }
  return hands;
}

// Whether a wager of the round is settled only for hands that are shown with the dealer's hand.
bool is_shown_at_once(const TableOffers& table, const LockRound& lock) {
  return std::any_of(lock.wagers.begin(), lock.wagers.end(), [&](const AskedWager& wager) {
    return table.offer(wager.wager).rules.decided_by == DecidedBy::both_hands;
  });
}

}  // namespace

std::vector<TableCommand> deal_stud(const TableOffers& table, const RoundId& round, Prng& chance) {
  const std::vector<Seat> seats = take_seats(table, 1, chance);
  LockRound lock = lock_round(table, round, take_wagers(table, seats, chance));
  if (chance.below(rounds_per_misdeal) == 0) {
    return {std::move(lock), VoidRound{round, "misdeal", Badge()}};
  }

  Shuffle shuffle = shuffle_of(table, chance);
  ShowHands first;
  first.round = round;
  first.hands = deal_hands(table, lock, seats, shuffle, chance);
  first.dealer = shuffle.draw(table.game.dealer_cards_min);
  first.names_dealer = !first.dealer.empty();
  first.board = shuffle.draw(table.game.board_cards_max);

  std::vector<TableCommand> commands;
  std::optional<ShowHands> second;
  if (first.hands.size() > 1 && !is_shown_at_once(table, lock) &&
      chance.happens(two_shows_percent)) {
    const auto split =
        first.hands.begin() + static_cast<std::ptrdiff_t>(1 + chance.below(first.hands.size() - 1));
    second.emplace().round = round;
    second->hands.assign(std::make_move_iterator(split),
                         std::make_move_iterator(first.hands.end()));
    first.hands.erase(split, first.hands.end());
  }
  commands.emplace_back(std::move(lock));
  commands.emplace_back(std::move(first));
  if (second) commands.emplace_back(std::move(*second));
  commands.emplace_back(CloseRound{round, Badge()});
  return commands;
}

}  // namespace linkmeter
