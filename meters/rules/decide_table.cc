#include "meters/rules/decide_table.h"

#include <algorithm>
#include <utility>

#include "meters/rules/decide_void.h"
#include "meters/rules/settlement.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"

namespace linkmeter {
namespace {

// The line that a dealer keyed has no effect, but it is stored, so it must be well-formed.
bool are_well_formed_lines(const std::vector<ShownHand>& hands) {
  return std::all_of(hands.begin(), hands.end(), [](const ShownHand& hand) {
    return !hand.keyed || is_well_formed_name(hand.keyed->text());
  });
}

}  // namespace

Outcome TableDecision::operator()(const LockRound& lock) const {
  if (const Refusal no = check_new_round(lock.round, lock.by); no != Refusal::none) {
    return refused(no);
  }
  if (game_.dealing == Dealing::holdem) return refused(Refusal::wrong_game);
  if (const Refusal no = check_wagers(lock.wagers); no != Refusal::none) return refused(no);
  std::vector<PlacedWager> wagers = place(lock.wagers);
  if (const std::uint32_t expected = chips_expected(wagers);
      lock.chips.value_or(expected) != expected) {
    return accepted(CountMismatched{lock.round, std::move(wagers), *lock.chips, expected, lock.by});
  }
  Settlement settlement(state_, rules_);
  settlement.accrue(wagers);
  if (!settlement.is_within_limits() || !handle_fits(wagers)) return refused(Refusal::meter_full);
  return accepted(RoundLocked{lock.round, std::move(wagers), lock.chips, lock.by},
                  settlement.postings());
}

Refusal TableDecision::check_resolver(const Badge& by) const {
  return check_overseer(by, [](const Person& person) { return person.has(Right::resolve_counts); });
}

Outcome TableDecision::operator()(const ResolveCount& resolve) const {
  if (const Refusal no = check_known_round(resolve.round, resolve.by); no != Refusal::none) {
    return refused(no);
  }
  const Round* locked = session_.find_round(resolve.round);
  if (!locked->blocked) return refused(Refusal::round_not_blocked);
  const Refusal no = first_of(check_wagers(resolve.wagers, locked), check_resolver(resolve.by));
  if (no != Refusal::none) return refused(no);
  std::vector<PlacedWager> wagers = place(resolve.wagers);
  if (const Refusal unlocked = check_resolution(*locked, wagers).refusal;
      unlocked != Refusal::none) {
    return refused(unlocked);
  }
  Settlement settlement(state_, rules_);
  settlement.accrue(wagers);
  if (!settlement.is_within_limits() || !handle_fits(wagers)) return refused(Refusal::meter_full);
  return accepted(CountResolved{resolve.round, std::move(wagers), resolve.by},
                  settlement.postings());
}

Outcome TableDecision::operator()(const ShowHands& show) const {
  if (!are_well_formed_lines(show.hands)) return refused(Refusal::name_malformed);
  if (const Refusal no = check_known_round(show.round, show.by); no != Refusal::none) {
    return refused(no);
  }
  const Round& round = *session_.find_round(show.round);
  if (round.blocked) return refused(Refusal::round_blocked);
  if (const Refusal no = check_hands(round, show).refusal; no != Refusal::none) return refused(no);
  Settlement settlement(state_, rules_);
  settlement.settle(table_, round, show);
  if (!settlement.is_within_limits()) return refused(Refusal::meter_full);
  return accepted(HandsShown{show.round, show.hands, show.dealer, show.board, settlement.hits(),
                             settlement.awards(), show.by, show.draw},
                  settlement.postings());
}

Outcome TableDecision::operator()(const CloseRound& close) const {
  if (const Refusal no = check_known_round(close.round, close.by); no != Refusal::none) {
    return refused(no);
  }
  const Round& round = *session_.find_round(close.round);
  if (round.blocked) return refused(Refusal::round_blocked);
  // Otherwise every wager on the dealer's hand would lose silently. A round without a dealer's hand
  // is voided instead.
  if (waits_for_dealer(round)) return refused(Refusal::dealer_hand_missing);
  return accepted(RoundClosed{close.round, close.by});
}

Outcome TableDecision::operator()(const VoidRound& request) const {
  return VoidDecision(state_, rules_, table_, now_)(request);
}

Outcome TableDecision::operator()(const PlayPot& pot) const {
  if (!are_well_formed_lines(pot.hands)) return refused(Refusal::name_malformed);
  if (const Refusal no = check_new_round(pot.round, pot.by); no != Refusal::none) {
    return refused(no);
  }
  if (game_.dealing != Dealing::holdem) return refused(Refusal::wrong_game);
  const auto& links = state_.floor().links;
  const auto link = std::find_if(links.begin(), links.end(), [this](const LinkConfig& terms) {
    return terms.pot.has_value() && terms.has_table(table_);
  });
  const Refusal no = check_pot_hands(pot).refusal;
  if (link == links.end() && no != Refusal::seat_unknown) {
    return refused(Refusal::wager_not_offered);
  }
  if (no != Refusal::none && no < Refusal::link_suspended) return refused(no);
  const LinkIndex index(static_cast<std::uint32_t>(link - links.begin()));
  if (!state_.link(index).suspended.empty()) return refused(Refusal::link_suspended);
  if (no != Refusal::none) return refused(no);
  const LinkLifecycle& ending = state_.link(index).ending;
  if (ending.has_ended()) return refused(Refusal::link_ended);
  // a fund that no longer collects stays open until it is paid out or transferred.
  const bool contributes = pot.pot >= link->pot->minimum_pot && ending.collects();
  const Amount contribution = contributes ? link->pot->contribution : Amount();
  Settlement settlement(state_, rules_);
  settlement.accrue(index, contribution);
  settlement.settle(index, pot);
  if (!settlement.is_within_limits() || !handle_fits({PlacedWager{Seat(), index, contribution}})) {
    return refused(Refusal::meter_full);
  }
  return accepted(PotPlayed{pot.round, pot.pot, index, contribution, pot.board, pot.showdown,
                            pot.hands, settlement.hits(), settlement.awards(), pot.by},
                  settlement.postings());
}

}  // namespace linkmeter
