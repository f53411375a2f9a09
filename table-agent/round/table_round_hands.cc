// Which hands of a round count, as the controller tells it: a part of RoundRecord.

#include <algorithm>
#include <utility>

#include "table-agent/round/round_record.h"

namespace linkmeter {

namespace {

std::vector<AwardNotice> paid_at_once(std::vector<AwardNotice> awards) {
  std::erase_if(awards, [](const AwardNotice& award) { return award.claim || award.waits_for; });
  return awards;
}

std::vector<AwardNotice> bounded(std::vector<AwardNotice> awards) {
  if (awards.size() > told_awards_max) awards.resize(told_awards_max);
  return awards;
}

}  // namespace

RoundRecord RoundRecord::next(const OpenRound& open) const {
  RoundRecord round;
  round.house = house;
  round.number = number + 1;
  round.named = open.hands.round;
  round.is_left_open = true;
  round.left_open_since = open.locked_at;
  round.phase = open.chips_expected ? Phase::blocked : Phase::counted;
  round.light = open.chips_expected ? Light::off : Light::accepted;
  round.chips = open.chips;
  round.chips_expected = open.chips_expected;
  round.wagers = open.wagers;
  round.void_seats = open.void_seats;
  round.wins = bounded(open.hands.awards);
  // Another agent told the dealer to pay it.
  round.paid_before = paid_at_once(round.wins);
  round.to_take_back = bounded(open.hands.take_back);
  ShowHands show{round.named, {}, open.hands.dealer, open.hands.board, Badge()};
  show.names_dealer = open.dealer_shown;
  show.draw = open.draw;
  for (const ToldHand& hand : open.hands.hands) {
    show.hands.push_back({hand.seat, hand.cards, hand.folded, Amount()});
    round.hands_by[hand.seat] = hand.entry;
  }
  const bool is_any_shown = !show.hands.empty() || show.names_dealer || show.draw ||
                            !show.dealer.empty() || !show.board.empty();
  if (open.hands.changed_by != EntryNumber()) {
    ShowHands side = show;
    side.hands.clear();
    side.names_dealer = true;
    round.change = Change{open.hands.changed_by, {MessageNumber(), std::move(side), true}};
  }
  if (is_any_shown) round.shows.push_back({MessageNumber(), std::move(show), true});
  return round;
}

const ShownHand* RoundRecord::said_hand(Seat seat) const {
  const ShownHand* latest = nullptr;
  for (const Shown& shown : shows) {
    for (const ShownHand& hand : shown.show.hands) {
      if (hand.seat == seat) latest = &hand;
    }
  }
  return latest;
}

const RoundRecord::Correction* RoundRecord::correction_of(Seat seat) const {
  const auto found = std::find_if(corrections.begin(), corrections.end(),
                                  [seat](const Correction& one) { return one.seat == seat; });
  return found == corrections.end() ? nullptr : &*found;
}

const ShownHand* RoundRecord::hand_of(Seat seat) const {
  const Correction* correction = correction_of(seat);
  if (correction == nullptr) return said_hand(seat);
  return correction->hand ? &*correction->hand : nullptr;
}

std::vector<ShownHand> RoundRecord::hands() const {
  std::vector<ShownHand> hands;
  for (const Shown& shown : shows) {
    for (const ShownHand& hand : shown.show.hands) {
      const bool is_latest = said_hand(hand.seat) == &hand;
      if (is_latest && correction_of(hand.seat) == nullptr) hands.push_back(hand);
    }
  }
  for (const Correction& correction : corrections) {
    if (correction.hand) hands.push_back(*correction.hand);
  }
  return hands;
}

bool RoundRecord::has_just_raised(ClaimNumber claim) const {
  return std::any_of(won_since.begin(), won_since.end(), [claim](const auto& won) {
    return won.second.claim == claim || won.second.waits_for == claim;
  });
}

bool RoundRecord::is_waiting(Seat seat) const {
  return std::any_of(shows.begin(), shows.end(), [seat](const Shown& shown) {
    const auto& hands = shown.show.hands;
    return !shown.is_answered &&
           std::any_of(hands.begin(), hands.end(),
                       [seat](const ShownHand& hand) { return hand.seat == seat; });
  });
}

void RoundRecord::forget(Seat seat) {
  std::erase_if(corrections, [seat](const Correction& one) { return one.seat == seat; });
  hands_by.erase(seat);
}

void RoundRecord::hear_shown(Seat seat, const Answered& answered) {
  hands_by[seat] = answered.entry;
  for (Shown& shown : shows) {  // what was taken back lies there no more
    if (shown.number >= answered.number) continue;
    std::erase_if(shown.show.hands, [seat](const ShownHand& hand) { return hand.seat == seat; });
  }
}

bool RoundRecord::replace_wins(Seat seat, const std::vector<AwardNotice>& awards) {
  std::vector<AwardNotice> now;
  std::size_t place = 0;  // where the first of them stood
  bool is_found = false;
  for (const AwardNotice& win : wins) {
    const bool is_of_hand = !win.on_dealer && win.holder.value_or(win.seat) == seat;
    if (is_of_hand && !is_found) place = now.size();
    is_found = is_found || is_of_hand;
    if (!is_of_hand) now.push_back(win);
  }
  if (!is_found) place = now.size();
  const std::size_t room = told_awards_max - std::min(told_awards_max, now.size());
  const auto count = static_cast<std::ptrdiff_t>(std::min(room, awards.size()));
  now.insert(now.begin() + static_cast<std::ptrdiff_t>(place), awards.begin(),
             awards.begin() + count);
  if (now == wins) return false;
  wins = std::move(now);
  return true;
}

bool RoundRecord::hear_hand(const ToldHand& told) {
  const auto [by, is_new] = hands_by.try_emplace(told.seat, told.entry);
  if (!is_new && by->second == told.entry) return false;
  by->second = told.entry;
  const ShownHand* dealers = said_hand(told.seat);
  ShownHand hand = dealers != nullptr ? *dealers : ShownHand{told.seat, {}, false, Amount()};
  hand.cards = told.cards;
  hand.folded = told.folded;
  std::erase_if(corrections, [&](const Correction& one) { return one.seat == told.seat; });
  // After a restart nobody knows which entry was the dealer's: then his cards are his hand.
  if (!is_new || dealers == nullptr || *dealers != hand) corrections.push_back({told.seat, hand});
  return replace_wins(told.seat, told.awards);
}

bool RoundRecord::is_correction_untold(Seat seat) const {
  if (correction_of(seat) == nullptr) return false;
  const auto by = hands_by.find(seat);
  return !change || (by != hands_by.end() && change->by < by->second);
}

bool RoundRecord::take_back(Seat seat) {
  const Correction* known = correction_of(seat);
  if (known != nullptr && !known->hand) return false;
  std::erase_if(corrections, [seat](const Correction& one) { return one.seat == seat; });
  corrections.push_back({seat, std::nullopt});
  hands_by.erase(seat);
  return replace_wins(seat, {});
}

// REQUIRES: every show has its answer, so `told` includes them all.
bool RoundRecord::hear_dealer_side(const RoundHands& told) {
  Change now{told.changed_by, {{}, {id(), {}, told.dealer, told.board, Badge()}, true}};
  now.side.show.names_dealer = true;
  // A controller of one release back does not tell the draw, and no correction takes one away.
  now.side.show.draw = told.draw ? told.draw : draw();
  for (const Shown& shown : shows) now.side.number = std::max(now.side.number, shown.number);
  if (change == now) return false;
  change = std::move(now);
  return true;
}

// Somebody changed more than one hand: what the round has brought is what is told now.
bool RoundRecord::hear_change(const RoundHands& told, const std::vector<AwardNotice>& before) {
  const bool is_waiting_for_show = std::any_of(
      shows.begin(), shows.end(), [](const Shown& shown) { return !shown.is_answered; });
  if (is_waiting_for_show) return false;
  const auto won = std::exchange(won_since, {});
  bool has_changed = false;
  // What is to be taken back only grows. A controller of one release back tells none of it.
  if (!told.take_back.empty() && told.take_back != to_take_back) {
    to_take_back = bounded(told.take_back);
    has_changed = true;
  }
  if (told.changed_by == EntryNumber()) return has_changed;
  std::vector<AwardNotice> won_before = before;
  for (const auto& [entry, award] : won) {
    if (entry > told.changed_by) std::erase(won_before, award);
  }
  has_changed = hear_wins(told, won_before) || has_changed;
  return hear_dealer_side(told) || has_changed;
}

// What a change leaves as it was is not paid a second time.
bool RoundRecord::hear_wins(const RoundHands& told, const std::vector<AwardNotice>& before) {
  const bool is_known = change && change->by == told.changed_by;
  const std::vector<AwardNotice> now = bounded(told.awards);
  std::vector<AwardNotice> stands = is_known ? paid_before : paid_at_once(before);
  std::erase_if(stands, [&now](const AwardNotice& award) {
    return std::find(now.begin(), now.end(), award) == now.end();
  });
  if (now == wins && stands == paid_before) return false;
  wins = now;
  paid_before = std::move(stands);
  return true;
}

bool RoundRecord::hear_hands(const std::vector<RoundHands>& rounds) {
  const auto found = std::find_if(rounds.begin(), rounds.end(), [this](const RoundHands& one) {
    return number > 0 && one.round == id();
  });
  if (found == rounds.end()) {  // it is not open there: nothing more is told of it
    won_since.clear();
    return false;
  }
  bool has_changed = false;
  const std::vector<AwardNotice> before = wins;
  std::set<Seat> gone;
  for (const ShownHand& hand : hands()) gone.insert(hand.seat);
  for (const ToldHand& hand : found->hands) {
    gone.erase(hand.seat);
    // What is said and has no answer here comes with its answer.
    if (!is_waiting(hand.seat)) has_changed = hear_hand(hand) || has_changed;
  }
  for (const Seat seat : gone) {
    if (!is_waiting(seat)) has_changed = take_back(seat) || has_changed;
  }
  return hear_change(*found, before) || has_changed;
}

}  // namespace linkmeter
