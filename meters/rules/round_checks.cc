#include "meters/rules/round_checks.h"

#include <algorithm>
#include <set>

#include "meters/rules/outcome.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {
namespace {

bool is_well_formed_round(const RoundId& id) {
  return is_well_formed_text(id.text(), limits::name_length_max);
}

}  // namespace

Refusal RoundChecks::check_new_round(const RoundId& id, const Badge& by) const {
  if (!is_well_formed_round(id) || !is_well_formed_badge(by)) return Refusal::name_malformed;
  if (!session_.frozen().empty()) return Refusal::table_frozen;
  if (session_.find_round(id) != nullptr || session_.has_ended(id)) return Refusal::round_id_used;
  if (session_.rounds().size() >= limits::rounds_open_per_table_max) {
    return Refusal::too_many_open_rounds;
  }
  return Refusal::none;
}

Refusal RoundChecks::check_known_round(const RoundId& id, const Badge& by) const {
  if (!is_well_formed_round(id) || !is_well_formed_badge(by)) return Refusal::name_malformed;
  if (session_.find_round(id) != nullptr) return Refusal::none;
  return session_.has_ended(id) ? Refusal::round_closed : Refusal::round_unknown;
}

std::optional<LinkIndex> RoundChecks::find_link(const AskedWager& asked) const {
  for (const auto& [place, at] : state_.parts_of(table_)) {
    const LinkConfig& link = state_.floor().link(place);
    if (link.takes(asked.amount) && link.wager == asked.wager) return place;
  }
  return std::nullopt;
}

// M10: what makes a contribution unreasonable.
Refusal RoundChecks::check_wager(const AskedWager& asked, const Round* locked) const {
  if (!has_seat(asked.seat)) return Refusal::seat_unknown;
  const auto& parts = state_.parts_of(table_);
  const bool offered = std::any_of(parts.begin(), parts.end(), [&](const FloorIndex::Part& part) {
    if (state_.floor().link(part.link).wager != asked.wager) return false;
    return !asked.on_dealer || rules_.link(part.link).wager.decided_by == DecidedBy::either_hand;
  });
  if (!offered) return Refusal::wager_not_offered;
  const std::optional<LinkIndex> link = find_link(asked);
  if (!link) return Refusal::wager_not_a_unit;
  if (!state_.link(*link).suspended.empty()) return Refusal::link_suspended;
  // A round that was locked before the link stopped continues, even if its count is wrong.
  const bool is_late =
      !state_.link(*link).ending.collects() && (locked == nullptr || !locked->has_wager_on(*link));
  return is_late ? Refusal::collecting_ended : Refusal::none;
}

Refusal RoundChecks::check_wagers(const std::vector<AskedWager>& asked, const Round* locked) const {
  if (asked.size() > limits::wagers_per_round_max) return Refusal::too_many_wagers;
  Refusal first = Refusal::none;
  std::vector<const AskedWager*> seen;
  for (const AskedWager& wager : asked) {
    Refusal refusal = check_wager(wager, locked);
    const bool could_be = refusal == Refusal::none || refusal == Refusal::link_suspended ||
                          refusal == Refusal::collecting_ended;
    if (could_be) {
      const bool is_second = std::any_of(seen.begin(), seen.end(), [&](const AskedWager* other) {
        return other->seat == wager.seat && other->on_dealer == wager.on_dealer &&
               other->wager == wager.wager;  // a Hand Bonus may be bet on both hands
      });
      if (is_second) refusal = Refusal::seat_wagered_twice;
      seen.push_back(&wager);
    }
    if (refusal != Refusal::none && (first == Refusal::none || refusal < first)) first = refusal;
  }
  return first;
}

std::vector<PlacedWager> RoundChecks::place(const std::vector<AskedWager>& asked) const {
  std::vector<PlacedWager> placed;
  placed.reserve(asked.size());
  for (const AskedWager& wager : asked) {
    const std::optional<LinkIndex> link = find_link(wager);
    INVARIANT(link.has_value());
    placed.push_back(PlacedWager{wager.seat, *link, wager.amount, wager.on_dealer});
  }
  return placed;
}

std::uint32_t RoundChecks::chips_expected(const std::vector<PlacedWager>& wagers) const {
  return static_cast<std::uint32_t>(
      std::count_if(wagers.begin(), wagers.end(), [this](const PlacedWager& wager) {
        return rules_.link(wager.link).wager.placement == Placement::chip;
      }));
}

bool RoundChecks::handle_fits(const std::vector<PlacedWager>& wagers) const {
  const LinkBalances* summed = nullptr;  // most rounds have one link, and it may have many tables
  return std::all_of(wagers.begin(), wagers.end(), [&](const PlacedWager& wager) {
    const LinkBalances* book = &state_.link(wager.link);
    if (book == summed) return true;
    summed = book;
    return book->handle() <= limits::lifetime_max;
  });
}

// § 657a.8(b): the chips are compared with the wagers that the system has accepted. The resolution
// decides which of these stand. A wager that the system did not accept does not count, even if its
// chip is on the layout.
Refusal RoundChecks::check_resolution(const Round& locked,
                                      const std::vector<PlacedWager>& wagers) const {
  const auto has = [](const std::vector<PlacedWager>& list, const PlacedWager& wager) {
    return std::find(list.begin(), list.end(), wager) != list.end();
  };
  const bool adds = !std::all_of(wagers.begin(), wagers.end(), [&](const PlacedWager& wager) {
    return has(locked.wagers, wager);
  });
  if (adds) return Refusal::wager_not_locked;
  const bool drops =
      std::any_of(locked.wagers.begin(), locked.wagers.end(), [&](const PlacedWager& wager) {
        return rules_.link(wager.link).wager.placement != Placement::chip && !has(wagers, wager);
      });
  return drops ? Refusal::uncounted_wager_missing : Refusal::none;
}

// Counts all cards of the message together with those that the round has shown: no more copies than
// the decks hold.
Refusal RoundChecks::check_cards(CardCounts seen, const std::vector<ShownHand>& hands,
                                 const std::vector<Card>& dealer,
                                 const std::vector<Card>& board) const {
  bool repeated = false;
  bool joker = false;
  const auto see = [&](const std::vector<Card>& cards) {
    for (const Card card : cards) {
      joker = joker || (card.is_joker() && !game_.joker);
      repeated = repeated || !seen.add(card, config_.decks);
    }
  };
  for (const ShownHand& hand : hands) see(hand.cards);
  see(dealer);
  see(board);
  if (joker) return Refusal::card_malformed;
  return repeated ? Refusal::card_already_shown : Refusal::none;
}

Refusal RoundChecks::check_count(const Round& round, const ShownHand& hand) const {
  const std::size_t count = hand.cards.size();
  const bool unseen = count == 0 && (hand.folded || game_.player_cards_min == 0);
  if (!unseen && !game_.is_hand_count(count)) return Refusal::wrong_card_count;
  return hand.folded && !round.has_wager(hand.seat) ? Refusal::fold_without_wager : Refusal::none;
}

Refusal RoundChecks::check_hand(const Round& round, const ShownHand& hand) const {
  if (!has_seat(hand.seat)) return Refusal::seat_unknown;
  const Refusal no = check_count(round, hand);
  if (no == Refusal::wrong_card_count) return no;
  if (round.has_shown(hand.seat)) return Refusal::seat_already_shown;
  return no == Refusal::none && round.is_void(hand.seat) ? Refusal::hand_void : no;
}

Refusal RoundChecks::check_dealer(const Round& round, const ShowHands& show) const {
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

bool RoundChecks::waits_for_dealer(const Round& round) const {
  if (round.dealer_shown) return false;
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
    const WagerRules& rules = rules_.link(wager.link).wager;
    if (rules.decided_by == DecidedBy::dealer_hand || wager.on_dealer) return true;
    if (rules.decided_by != DecidedBy::both_hands) return false;
    const SeatShown* shown = round.find_shown(wager.seat);
    return shown == nullptr || !shown->hand.folded || !rules.fold_forfeits;
  });
}

bool RoundChecks::needs_cards(const Round& round, const ShownHand& hand) const {
  if (hand.folded) return false;  // folded without being shown
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
    return wager.seat == hand.seat &&
           rules_.link(wager.link).wager.decided_by == DecidedBy::both_hands;
  });
}

Refusal RoundChecks::check_draw(const Round& round, const ShowHands& show) const {
  if (!show.draw) return Refusal::none;
  if (show.draw->seat && show.draw->seat->value() > config_.seats) return Refusal::seat_unknown;
  if (show.draw->magic && show.draw->magic->is_joker()) return Refusal::card_malformed;
  return round.draw && round.draw->contradicts(*show.draw) ? Refusal::draw_made : Refusal::none;
}

Refusal RoundChecks::check_hands(const Round& round, const ShowHands& show) const {
  Refusal first = Refusal::none;
  const auto consider = [&first](Refusal refusal) {
    if (refusal != Refusal::none && (first == Refusal::none || refusal < first)) first = refusal;
  };
  std::set<Seat> seats;
  for (const ShownHand& hand : show.hands) {
    consider(check_hand(round, hand));
    // Without cards, a hand that is compared with the dealer's would lose silently, now or when the
    // dealer's hand is shown.
    if (hand.cards.empty() && !round.dealer_shown && needs_cards(round, hand)) {
      consider(Refusal::wrong_card_count);
    }
    if (!seats.insert(hand.seat).second) consider(Refusal::seat_already_shown);
  }
  consider(check_dealer(round, show));
  consider(check_draw(round, show));
  if (show.board.size() > game_.board_cards_max) consider(Refusal::wrong_card_count);
  consider(check_cards(round.cards, show.hands, show.dealer, show.board));
  return first;
}

Refusal RoundChecks::check_pot_hands(const PlayPot& pot) const {
  Refusal first = Refusal::none;
  const auto consider = [&first](Refusal refusal) {
    if (refusal != Refusal::none && (first == Refusal::none || refusal < first)) first = refusal;
  };
  if (pot.pot <= Amount() || pot.pot > limits::pot_max || !pot.pot.is_whole_cents()) {
    consider(Refusal::amount_out_of_range);
  }
  std::set<Seat> seats;
  std::size_t live = 0;
  for (const ShownHand& hand : pot.hands) {
    if (!has_seat(hand.seat)) consider(Refusal::seat_unknown);
    if (hand.won < Amount() || hand.won > limits::pot_max || !hand.won.is_whole_cents()) {
      consider(Refusal::amount_out_of_range);
    }
    // Only live hands at a showdown must be shown; an uncontested winner need not show.
    const std::size_t count = hand.cards.size();
    const bool unseen = count == 0 && (hand.folded || !pot.showdown);
    if (!unseen && (count < game_.player_cards_min || count > game_.player_cards_max)) {
      consider(Refusal::wrong_card_count);
    }
    if (!seats.insert(hand.seat).second) consider(Refusal::seat_already_shown);
    if (!hand.folded) ++live;
  }
  if (pot.board.size() > game_.board_cards_max) consider(Refusal::wrong_card_count);
  consider(check_cards(CardCounts{}, pot.hands, {}, pot.board));
  if (pot.showdown && (pot.board.size() != game_.board_cards_max || live < 2)) {
    consider(Refusal::showdown_incomplete);
  }
  return first;
}

// Checks the badge only. The table agent proves that its owner is present
// (controller/auth/README.md).
Refusal RoundChecks::check_overseer(const Badge& by,
                                    const std::function<bool(const Person&)>& may) const {
  if (by.empty()) return Refusal::badge_missing;
  const Person* person = state_.find_person(by);
  if (person == nullptr || person->removed) return Refusal::person_unknown;
  if (person->is_locked(now_)) return Refusal::person_locked;
  if (!may(*person)) return Refusal::right_missing;
  return person->pin_is_given ? Refusal::pin_to_be_changed : Refusal::none;
}

}  // namespace linkmeter
