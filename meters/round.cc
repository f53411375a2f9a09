#include "meters/round.h"

#include <algorithm>

#include "meters/check.h"

namespace linkmeter {

namespace {

// What a hand has brought: to its own seat, and to others by envy.
std::vector<Award> awards_of(Seat seat, const std::vector<Award>& awards) {
  std::vector<Award> own;
  for (const Award& award : awards) {
    if (!award.on_dealer && award.holder.value_or(award.seat) == seat) own.push_back(award);
  }
  return own;
}

bool raise_claim(const std::vector<Award>& awards) {
  return std::any_of(awards.begin(), awards.end(), [](const Award& award) { return award.claim; });
}

}  // namespace

const SeatShown* Round::find_shown(Seat seat) const {
  const auto found = std::find_if(shown.begin(), shown.end(),
                                  [seat](const SeatShown& one) { return one.hand.seat == seat; });
  return found == shown.end() ? nullptr : &*found;
}

bool Round::has_wager_on(LinkPlace link) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [link](const PlacedWager& wager) { return wager.link == link; });
}

void Round::show(EntryNumber entry, const HandsShown& now, int decks) {
  const auto see = [this, decks](const std::vector<Card>& seen) {
    for (const Card card : seen) cards.add(card, decks);
  };
  if (now.draw) draw = draw.value_or(Draw()).with(*now.draw);
  for (const ShownHand& hand : now.hands) {
    shown.push_back({entry, hand, draw.value_or(Draw()), awards_of(hand.seat, now.awards)});
    see(hand.cards);
  }
  see(now.dealer);
  see(now.board);
  dealer_shown = dealer_shown || !now.dealer.empty();
  claim_raised = claim_raised || raise_claim(now.awards);
}

void Round::correct(EntryNumber entry, const HandCorrected& corrected, int decks) {
  const auto found = std::find_if(shown.begin(), shown.end(), [&](const SeatShown& one) {
    return one.hand.seat == corrected.seat;
  });
  CHECK(found != shown.end());
  for (const Card card : found->hand.cards) cards.remove(card);
  if (corrected.is_no_hand()) {
    shown.erase(found);
    return;
  }
  for (const Card card : corrected.cards) cards.add(card, decks);
  found->entry = entry;
  found->hand.cards = corrected.cards;
  found->hand.folded = corrected.folded;
  for (const Award& gone : corrected.reversed) {
    const auto award = std::find(found->awards.begin(), found->awards.end(), gone);
    CHECK(award != found->awards.end());
    found->awards.erase(award);
  }
  found->awards.insert(found->awards.end(), corrected.awards.begin(), corrected.awards.end());
  claim_raised = claim_raised || raise_claim(corrected.awards);
}

bool Round::has_wager(Seat seat) const {
  return std::any_of(wagers.begin(), wagers.end(),
                     [seat](const PlacedWager& wager) { return wager.seat == seat; });
}

}  // namespace linkmeter
