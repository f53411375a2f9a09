#include "meters/state/round.h"

#include <algorithm>
#include <utility>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

// The awards of a hand: those of its own seat, and Envy of other seats.
std::vector<Award> awards_of(Seat seat, const std::vector<Award>& awards) {
  std::vector<Award> own;
  for (const Award& award : awards) {
    if (!award.on_dealer && award.holder.value_or(award.seat) == seat) own.push_back(award);
  }
  return own;
}

bool erase_one(std::vector<Award>& awards, const Award& gone) {
  const auto found = std::find(awards.begin(), awards.end(), gone);
  if (found == awards.end()) return false;
  awards.erase(found);
  return true;
}

}  // namespace

const SeatShown* Round::find_shown(Seat seat) const {
  const auto found = std::find_if(shown.begin(), shown.end(),
                                  [seat](const SeatShown& one) { return one.hand.seat == seat; });
  return found == shown.end() ? nullptr : &*found;
}

bool Round::has_wager_on(LinkIndex link) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [link](const PlacedWager& wager) { return wager.link == link; });
}

void Round::show(EntryNumber entry, const HandsShown& now, int decks) {
  const auto see = [this, decks](const std::vector<Card>& seen) {
    for (const Card card : seen) cards.add(card, decks);
  };
  if (now.draw) draw = draw.value_or(Draw()).with(*now.draw);
  std::vector<Award> rest = now.awards;
  for (const ShownHand& hand : now.hands) {
    std::vector<Award> own = awards_of(hand.seat, now.awards);
    for (const Award& award : own) erase_one(rest, award);
    shown.push_back({entry, hand, draw.value_or(Draw()), std::move(own), !now.dealer.empty()});
    see(hand.cards);
  }
  awards.insert(awards.end(), rest.begin(), rest.end());
  see(now.dealer);
  see(now.board);
  if (!now.dealer.empty()) dealer.draw = draw.value_or(Draw());
  if (!now.dealer.empty() || !now.board.empty() || now.draw) dealer.entry = entry;
  dealer.cards.insert(dealer.cards.end(), now.dealer.begin(), now.dealer.end());
  dealer.board.insert(dealer.board.end(), now.board.begin(), now.board.end());
  dealer_shown = dealer_shown || !now.dealer.empty();
}

void Round::remove(const Award& award) {
  if (erase_one(awards, award)) return;
  const bool found = std::any_of(shown.begin(), shown.end(),
                                 [&](SeatShown& seat) { return erase_one(seat.awards, award); });
  INVARIANT(found);
}

void Round::replace_awards(const std::vector<Award>& gone, const RejectedClaims& rejected) {
  for (const Award& award : gone) remove(award);
  take_back(gone);
  // Envy that waits for a rejected claim is removed with it.
  const auto is_rejected = [&rejected](const Award& award) {
    return std::any_of(rejected.claims.begin(), rejected.claims.end(), [&award](ClaimNumber claim) {
      return award.claim == claim || award.waits_for == claim;
    });
  };
  std::erase_if(awards, is_rejected);
  for (SeatShown& seat : shown) std::erase_if(seat.awards, is_rejected);
}

void Round::take_back(const std::vector<Award>& paid) {
  reversed.insert(reversed.end(), paid.begin(), paid.end());
}

void Round::take_back(Seat seat, const Badge& by) {
  std::erase_if(taken_back, [seat](const HandTakenBack& one) { return one.seat == seat; });
  taken_back.push_back({seat, by});
}

Badge Round::taken_back_by(Seat seat) const {
  for (const HandTakenBack& one : taken_back) {
    if (one.seat == seat) return one.by;
  }
  return {};
}

void Round::correct(EntryNumber entry, const HandCorrected& corrected, int decks) {
  changed_by = entry;
  ++corrections;
  const auto found = std::find_if(shown.begin(), shown.end(), [&](const SeatShown& one) {
    return one.hand.seat == corrected.seat;
  });
  INVARIANT(found != shown.end());
  for (const Card card : found->hand.cards) cards.remove(card);
  replace_awards(corrected.reversed, corrected.rejected);
  std::vector<Award> own = awards_of(corrected.seat, corrected.awards);
  std::vector<Award> rest = corrected.awards;
  for (const Award& award : own) erase_one(rest, award);
  awards.insert(awards.end(), rest.begin(), rest.end());
  if (corrected.is_no_hand()) {
    awards.insert(awards.end(), found->awards.begin(), found->awards.end());
    shown.erase(found);
    take_back(corrected.seat, corrected.by);
    return;
  }
  for (const Card card : corrected.cards) cards.add(card, decks);
  found->entry = entry;
  found->hand.cards = corrected.cards;
  found->hand.folded = corrected.folded;
  found->awards.insert(found->awards.end(), own.begin(), own.end());
}

void Round::correct(EntryNumber entry, const DealerCorrected& corrected, int decks) {
  changed_by = entry;
  ++corrections;
  if (corrected.draw != draw) draw_corrected_by = corrected.by;
  for (const Card card : corrected.old_cards) cards.remove(card);
  for (const Card card : corrected.old_board) cards.remove(card);
  for (const Card card : corrected.cards) cards.add(card, decks);
  for (const Card card : corrected.board) cards.add(card, decks);
  replace_awards(corrected.reversed, corrected.rejected);
  awards.insert(awards.end(), corrected.awards.begin(), corrected.awards.end());
  for (SeatShown& seat : shown) seat.draw = corrected_draw(seat.draw, corrected.draw);
  dealer = {entry, corrected.cards, corrected.board, corrected_draw(dealer.draw, corrected.draw)};
  draw = corrected.draw;
}

void Round::void_hand(EntryNumber entry, const HandVoided& hand) {
  changed_by = entry;
  replace_awards(hand.reversed, hand.rejected);
  // Removes Envy still owed to the seat, and Envy owed to others for its hand.
  const auto is_its = [seat = hand.seat](const Award& award) {
    return award.waits_for && (award.seat == seat || award.holder == seat);
  };
  std::erase_if(awards, is_its);
  for (SeatShown& seat : shown) std::erase_if(seat.awards, is_its);
  std::erase_if(wagers, [&hand](const PlacedWager& wager) { return wager.seat == hand.seat; });
  voided.push_back(hand.seat);
}

std::vector<Award> Round::all_awards() const {
  std::vector<Award> all = awards;
  for (const SeatShown& seat : shown) {
    all.insert(all.end(), seat.awards.begin(), seat.awards.end());
  }
  return all;
}

bool Round::is_void(Seat seat) const {
  return std::find(voided.begin(), voided.end(), seat) != voided.end();
}

Draw corrected_draw(const Draw& before, const std::optional<Draw>& made) {
  Draw now = before;
  if (now.magic && made && made->magic) now.magic = made->magic;
  if (now.seat && made && made->seat) now.seat = made->seat;
  return now;
}

bool Round::has_wager(Seat seat) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [seat](const PlacedWager& wager) { return wager.seat == seat; });
}

}  // namespace linkmeter
