#include "tests/property/naive_table_message.h"

#include <algorithm>
#include <tuple>

#include "tests/property/naive_settlement.h"

namespace linkmeter {

bool is_naive_name(const std::string& text) {
  const std::string allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/+-";
  return !text.empty() && text.size() <= 64 && text.find_first_not_of(allowed) == std::string::npos;
}

bool is_naive_text(const std::string& text, std::size_t longest) {
  for (const char letter : text) {
    const int code = static_cast<unsigned char>(letter);
    // Beyond ASCII the traffic is always well formed; unit/values/text_test.cc tests the rest.
    if (code < 32 || code == 127) return false;
  }
  return !text.empty() && text.size() <= longest;
}

NaiveModel::TableMessageDecision::Counts NaiveModel::TableMessageDecision::counts_of(
    const std::string& game) {
  if (game == "raise-it-up") return {3, 3, 0, 3, 3};
  if (game == "crazy-4") return {5, 5, 5, 5, 1};
  if (game == "blackjack") return {0, 24, 2, 24, 0};
  if (game == "pai-gow-poker") return {7, 7, 7, 7, 0};
  if (game == "three-card-prime") return {3, 3, 3, 3, 0};
  return {2, 2, 0, 0, 5};
}

void NaiveModel::TableMessageDecision::check_new_round(const RoundId& id, const Badge& by) {
  if (!is_naive_text(id.text(), 64) || (!by.empty() && !is_naive_name(by.text()))) {
    no.insert(Refusal::name_malformed);
  }
  if (!table.frozen.empty()) no.insert(Refusal::table_frozen);
  if (table.rounds.count(id.text()) != 0 || table.has_ended(id.text())) {
    no.insert(Refusal::round_id_used);
  }
  if (table.rounds.size() >= 4096) no.insert(Refusal::too_many_open_rounds);
}

Refusal NaiveModel::TableMessageDecision::first_reason() const {
  const bool is_frozen = no.count(Refusal::table_frozen) != 0;
  return is_frozen && no.count(Refusal::name_malformed) == 0 ? Refusal::table_frozen : *no.begin();
}

NaiveRound* NaiveModel::TableMessageDecision::check_known_round(const RoundId& id,
                                                                const Badge& by) {
  if (!is_naive_text(id.text(), 64) || (!by.empty() && !is_naive_name(by.text()))) {
    no.insert(Refusal::name_malformed);
  }
  const auto found = table.rounds.find(id.text());
  if (found != table.rounds.end()) return &found->second;
  no.insert(table.has_ended(id.text()) ? Refusal::round_closed : Refusal::round_unknown);
  return nullptr;
}

std::vector<NaiveWager> NaiveModel::TableMessageDecision::check_wagers(
    const std::vector<AskedWager>& asked) {
  std::vector<NaiveWager> placed;
  std::set<std::tuple<int, std::string, bool>> seen;
  if (asked.size() > 64) no.insert(Refusal::too_many_wagers);
  for (const AskedWager& one : asked) {
    const int seat = one.seat.value();
    if (seat < 1 || seat > table.seats) no.insert(Refusal::seat_unknown);
    // Once for each hand that is bet on.
    if (!seen.insert({seat, one.wager.text(), one.on_dealer}).second) {
      no.insert(Refusal::seat_wagered_twice);
    }
    for (const NaiveWager& wager : links_of(one)) placed.push_back(wager);
  }
  return placed;
}

std::vector<NaiveWager> NaiveModel::TableMessageDecision::links_of(const AskedWager& asked) {
  std::vector<NaiveWager> placed;
  const bool whole = asked.amount.units() % exact_cent == 0;
  const std::int64_t cents = asked.amount.units() / exact_cent;
  bool offered = false;
  for (std::uint32_t link = 0; link < model.terms_.size(); ++link) {
    const NaiveTerms& terms = model.terms_[link];
    if (terms.wager != asked.wager.text() || !terms.is_at(place)) continue;
    // Only a wager on a hand of the player's choice can be on the dealer's hand.
    if (asked.on_dealer && terms.rules.hand != NaiveHand::chosen) continue;
    offered = true;
    if (whole && terms.takes(cents)) {
      if (!model.books_[link].suspended.empty()) no.insert(Refusal::link_suspended);
      if (model.books_[link].stopped && going_on.count(link) == 0) {
        no.insert(Refusal::collecting_ended);
      }
      placed.push_back({asked.seat.value(), link, cents, asked.on_dealer});
    }
  }
  if (!offered) {
    no.insert(Refusal::wager_not_offered);
  } else if (placed.empty()) {
    no.insert(Refusal::wager_not_a_unit);
  }
  return placed;
}

void NaiveModel::TableMessageDecision::check_hand(const ShownHand& hand, bool must_be_seen,
                                                  std::set<int>& seats) {
  const Counts counts = counts_of(table.game);
  const int seat = hand.seat.value();
  if (seat < 1 || seat > table.seats) no.insert(Refusal::seat_unknown);
  if (!seats.insert(seat).second) no.insert(Refusal::seat_already_shown);
  const std::size_t count = hand.cards.size();
  if (!must_be_seen && count == 0) return;
  // Two cards are dealt to every Blackjack hand; one alone is no hand.
  const bool is_part = table.game == "blackjack" && count == 1;
  if (count < counts.player_least || count > counts.player_most || is_part) {
    no.insert(Refusal::wrong_card_count);
  }
}

void NaiveModel::TableMessageDecision::check_dealer(const NaiveRound& round,
                                                    const ShowHands& show) {
  if (show.dealer.empty()) {
    if (show.names_dealer && waits_for_dealer(round)) no.insert(Refusal::dealer_hand_missing);
    return;
  }
  const Counts counts = counts_of(table.game);
  if (show.dealer.size() < counts.dealer_least || show.dealer.size() > counts.dealer_most) {
    no.insert(Refusal::wrong_card_count);
  }
  // Community cards in front of the dealer may be shown one by one.
  if (round.dealer_shown && table.game != "raise-it-up") no.insert(Refusal::dealer_already_shown);
}

// A draw cannot be changed; its other half may follow.
void NaiveModel::TableMessageDecision::check_draw(const NaiveRound& round, const Draw& draw) {
  if (draw.magic && draw.magic->index() >= 52) no.insert(Refusal::card_malformed);
  if (draw.seat && draw.seat->value() > table.seats) no.insert(Refusal::seat_unknown);
  if (!round.draw) return;
  if (round.draw->magic && draw.magic && *round.draw->magic != *draw.magic) {
    no.insert(Refusal::draw_made);
  }
  if (round.draw->seat && draw.seat && *round.draw->seat != *draw.seat) {
    no.insert(Refusal::draw_made);
  }
}

void NaiveModel::TableMessageDecision::check_cards(std::map<int, int>& seen,
                                                   const std::vector<Card>& cards) {
  for (const Card card : cards) {
    const bool is_joker = card.index() >= 52;
    if (is_joker && table.game != "pai-gow-poker") no.insert(Refusal::card_malformed);
    if (++seen[card.index()] > table.decks) no.insert(Refusal::card_already_shown);
  }
}

void NaiveModel::TableMessageDecision::check_all_cards(std::map<int, int>& seen,
                                                       const std::vector<ShownHand>& hands,
                                                       const std::vector<Card>& dealer,
                                                       const std::vector<Card>& board) {
  for (const ShownHand& hand : hands) check_cards(seen, hand.cards);
  check_cards(seen, dealer);
  check_cards(seen, board);
}

bool NaiveModel::TableMessageDecision::waits_for_dealer(const NaiveRound& round) const {
  if (round.dealer_shown) return false;
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const NaiveWager& wager) {
    const NaiveRules& rules = model.terms_[wager.link].rules;
    if (rules.hand == NaiveHand::dealers || wager.on_dealer) return true;
    if (rules.hand != NaiveHand::against) return false;
    const auto hand = round.hands.find(wager.seat);  // given up with the fold, if there is one
    return hand == round.hands.end() || !hand->second.folded || !rules.fold_forfeits;
  });
}

std::uint32_t NaiveModel::TableMessageDecision::chips_of(
    const std::vector<NaiveWager>& wagers) const {
  std::uint32_t chips = 0;
  for (const NaiveWager& wager : wagers) chips += model.terms_[wager.link].rules.by_chip ? 1U : 0U;
  return chips;
}

void NaiveModel::TableMessageDecision::count(const std::vector<NaiveWager>& wagers, bool back) {
  for (std::uint32_t link = 0; link < model.terms_.size(); ++link) {
    if (!model.terms_[link].is_at(place)) continue;
    NaiveCount& counts = model.books_[link].count(place);
    counts.rounds += back ? -1ULL : 1ULL;
    for (const NaiveWager& wager : wagers) {
      if (wager.link != link) continue;
      counts.wagers += back ? -1ULL : 1ULL;
      counts.handle += (back ? -1 : 1) * Exact{wager.cents} * exact_cent;
    }
  }
}

// For progressives, which have a meter.
void NaiveModel::TableMessageDecision::count_paid(const std::vector<NaiveAward>& awards,
                                                  bool back) {
  for (const NaiveAward& award : awards) {
    if (award.from == 0 || model.books_[award.link].levels.empty()) continue;
    NaiveCount& counts = model.books_[award.link].count(place);
    (award.from == 2 ? counts.by_device : counts.by_attendant) += (back ? -1 : 1) * award.amount;
  }
}

void NaiveModel::TableMessageDecision::accrue(const std::vector<NaiveWager>& wagers) {
  for (const NaiveWager& wager : wagers) {
    model.books_[wager.link].contribute(model.terms_[wager.link], wager.cents);
  }
  count(wagers, false);
}

void NaiveModel::TableMessageDecision::give_back(const std::vector<NaiveWager>& wagers) {
  for (const NaiveWager& wager : wagers) {
    model.books_[wager.link].give_back(model.terms_[wager.link], wager.cents);
  }
  count(wagers, true);
}

// Only for links that the message affects: people's acts on other links do not matter here.
bool NaiveModel::TableMessageDecision::is_too_full() {
  std::set<std::uint32_t> touched;
  for (const NaiveWager& wager : verdict.wagers) touched.insert(wager.link);
  for (const NaiveCall& call : verdict.calls) touched.insert(call.link);
  if (pot_link) touched.insert(*pot_link);
  for (const std::uint32_t link : touched) {
    if (model.books_[link].is_too_full()) no.insert(Refusal::meter_full);
  }
  return !no.empty();
}

void NaiveModel::TableMessageDecision::done(const std::string& fact, const RoundId& round) {
  verdict.fact = fact;
  verdict.round = round.text();
}

void NaiveModel::TableMessageDecision::operator()(const LockRound& lock) {
  check_new_round(lock.round, lock.by);
  if (table.game == "poker") no.insert(Refusal::wrong_game);
  const std::vector<NaiveWager> placed = check_wagers(lock.wagers);
  if (!no.empty()) return;
  NaiveRound round;
  round.wagers = verdict.wagers = placed;
  verdict.chips = chips_of(placed);
  round.blocked = round.was_blocked = lock.chips && *lock.chips != verdict.chips;
  if (!round.blocked) {  // while blocked, nothing accrues
    accrue(placed);
    if (is_too_full()) return;
  }
  done(round.blocked ? "count_differed" : "round_locked", lock.round);
  table.rounds[lock.round.text()] = round;
}

// The badge of a floorperson who could sign in and act.
void NaiveModel::TableMessageDecision::check_resolver(const Badge& by) {
  if (by.empty()) {
    no.insert(Refusal::badge_missing);
    return;
  }
  const auto found = model.people_.find(by.text());
  if (found == model.people_.end() || found->second.removed) {
    no.insert(Refusal::person_unknown);
    return;
  }
  if (found->second.is_locked(now)) no.insert(Refusal::person_locked);
  if (!found->second.is(Role::floorperson)) no.insert(Refusal::right_missing);
  if (found->second.pin_is_others) no.insert(Refusal::pin_to_be_changed);
}

void NaiveModel::TableMessageDecision::check_rejecter(const Badge& by) {
  if (!verdict.rejected.empty()) check_resolver(by);
}

// Chips may turn out to be missing. Nothing may be added, and no chip stands for an electronic
// wager.
void NaiveModel::TableMessageDecision::check_left_out(const std::vector<NaiveWager>& locked,
                                                      const std::vector<NaiveWager>& placed) {
  const auto is_in = [](const NaiveWager& one, const std::vector<NaiveWager>& list) {
    return std::any_of(list.begin(), list.end(), [&one](const NaiveWager& other) {
      return other.seat == one.seat && other.link == one.link && other.cents == one.cents &&
             other.on_dealer == one.on_dealer;
    });
  };
  for (const NaiveWager& wager : placed) {
    if (!is_in(wager, locked)) no.insert(Refusal::wager_not_locked);
  }
  for (const NaiveWager& wager : locked) {
    if (!model.terms_[wager.link].rules.by_chip && !is_in(wager, placed)) {
      no.insert(Refusal::uncounted_wager_missing);
    }
  }
}

void NaiveModel::TableMessageDecision::operator()(const ResolveCount& resolve) {
  NaiveRound* round = check_known_round(resolve.round, resolve.by);
  if (round != nullptr && !round->blocked) no.insert(Refusal::round_not_blocked);
  if (round != nullptr) {  // wagers from the time of its lock are still allowed
    for (const NaiveWager& wager : round->wagers) going_on.insert(wager.link);
  }
  const std::vector<NaiveWager> placed = check_wagers(resolve.wagers);
  check_resolver(resolve.by);
  if (round != nullptr) check_left_out(round->wagers, placed);
  if (!no.empty()) return;
  verdict.wagers = placed;
  accrue(placed);
  if (is_too_full()) return;
  done("count_resolved", resolve.round);
  round->blocked = false;
  round->wagers = placed;
}

void NaiveModel::TableMessageDecision::check_keyed(const std::vector<ShownHand>& hands) {
  for (const ShownHand& hand : hands) {
    if (hand.keyed && !is_naive_name(hand.keyed->text())) no.insert(Refusal::name_malformed);
  }
}

void NaiveModel::TableMessageDecision::operator()(const ShowHands& show) {
  check_keyed(show.hands);
  NaiveRound* round = check_known_round(show.round, show.by);
  if (round == nullptr) return;
  if (round->blocked) no.insert(Refusal::round_blocked);
  NaiveRound after = *round;
  for (const ShownHand& hand : show.hands) {
    check_hand(hand, !hand.folded, after.shown);
    if (round->voided.count(hand.seat.value()) != 0) no.insert(Refusal::hand_void);
    if (hand.folded && !round->has_wager(hand.seat.value())) {
      no.insert(Refusal::fold_without_wager);
    }
    // Against the dealer's hand, a bettor who did not fold needs cards.
    for (const NaiveWager& wager : round->wagers) {
      const NaiveTerms& terms = model.terms_[wager.link];
      const bool against =
          terms.wager == "blackjack/bad-beat" || terms.wager == "three-card-prime/bad-beat-bonus";
      if (wager.seat == hand.seat.value() && against && !hand.folded && hand.cards.empty() &&
          !round->dealer_shown) {
        no.insert(Refusal::wrong_card_count);
      }
    }
  }
  check_dealer(*round, show);
  if (show.draw) check_draw(*round, *show.draw);
  if (show.board.size() > counts_of(table.game).board_most) no.insert(Refusal::wrong_card_count);
  check_all_cards(after.cards, show.hands, show.dealer, show.board);
  if (!no.empty()) return;
  done("hands_shown", show.round);
  if (show.draw) {
    if (!after.draw) after.draw = Draw();
    if (show.draw->magic) after.draw->magic = show.draw->magic;
    if (show.draw->seat) after.draw->seat = show.draw->seat;
  }
  NaiveSettlement(model.terms_, model.books_, place, model.claims_.size(), verdict)
      .settle(after, show);
  if (is_too_full()) return;
  if (!show.dealer.empty()) after.dealer_shown = true;
  raise_claims(&after, show.hands);
  keep_hands(after, show.hands, !show.dealer.empty());
  after.all.insert(after.all.end(), verdict.awards.begin(), verdict.awards.end());
  after.dealer.insert(after.dealer.end(), show.dealer.begin(), show.dealer.end());
  after.board.insert(after.board.end(), show.board.begin(), show.board.end());
  if (!show.dealer.empty()) after.dealer_draw = after.draw;
  if (!show.dealer.empty() || !show.board.empty() || show.draw) {
    after.dealer_entry = model.entries_ + 1;
  }
  *round = after;
}

void NaiveModel::TableMessageDecision::operator()(const CloseRound& close) {
  const NaiveRound* round = check_known_round(close.round, close.by);
  if (round != nullptr && round->blocked) no.insert(Refusal::round_blocked);
  if (round != nullptr && waits_for_dealer(*round)) no.insert(Refusal::dealer_hand_missing);
  if (!no.empty()) return;
  done("round_closed", close.round);
  table.end(close.round.text());
}

void NaiveModel::TableMessageDecision::operator()(const VoidRound& request) {
  if (!is_naive_text(request.reason, 200)) no.insert(Refusal::name_malformed);
  NaiveRound* round = check_known_round(request.round, request.by);
  if (!no.empty()) return;
  if (request.seat) {
    void_hand(request, *round);
    return;
  }
  undo(round->all);
  if (no.empty()) check_rejecter(request.by);
  if (!no.empty()) return;
  reject_pending(RejectReason::round_irregular, request.reason, request.by.text(), true);
  if (!round->blocked) {  // while blocked, nothing had accrued
    verdict.wagers = round->wagers;
    give_back(round->wagers);
  }
  if (is_too_full()) return;
  count_paid(verdict.reversed, true);
  done("round_voided", request.round);
  table.end(request.round.text());
}

// § 645a.14(d), § 633a.14(i): a player's own hand; all other players play on.
void NaiveModel::TableMessageDecision::void_hand(const VoidRound& request, NaiveRound& round) {
  const int seat = request.seat->value();
  if (round.blocked) no.insert(Refusal::round_blocked);
  if (seat < 1 || seat > table.seats) no.insert(Refusal::seat_unknown);
  if (round.voided.count(seat) != 0) no.insert(Refusal::hand_void);
  if (!no.empty()) return;
  std::vector<NaiveAward> its;
  for (const NaiveAward& award : round.all) {
    if (award.seat == seat || award.holder == seat) its.push_back(award);
  }
  undo(its);
  if (!no.empty()) return;
  // An award that is shared with others was computed for all of them.
  for (const std::uint64_t own : verdict.rejected) {
    const NaiveClaim& claim = model.claims_[own - 1];
    for (const NaiveClaim& other : model.claims_) {
      if (claim.award.level >= 0 && other.award.level == claim.award.level &&
          other.link == claim.link && other.mark == claim.mark &&
          other.award.seat != claim.award.seat && other.step != NaiveClaim::Step::rejected) {
        no.insert(Refusal::award_shared);
      }
    }
  }
  if (no.empty()) check_rejecter(request.by);
  for (const NaiveAward& award : its) {  // owed, and lost with the hand
    const bool is_owed =
        award.waits_for != 0 && model.claims_[award.waits_for - 1].step == NaiveClaim::Step::raised;
    if (no.empty() && is_owed) check_resolver(request.by);
  }
  if (!no.empty()) return;
  reject_pending(RejectReason::round_irregular, request.reason, request.by.text(), true);
  for (const NaiveWager& wager : round.wagers) {
    if (wager.seat == seat) verdict.wagers.push_back(wager);
  }
  give_back(verdict.wagers);
  if (is_too_full()) return;
  for (std::uint32_t link = 0; link < model.terms_.size(); ++link) {
    // The round goes on.
    if (model.terms_[link].is_at(place)) ++model.books_[link].count(place).rounds;
  }
  count_paid(verdict.reversed, true);
  const auto is_its = [seat](const NaiveAward& award) {
    return award.waits_for != 0 && (award.seat == seat || award.holder == seat);
  };
  // Paid or owed: whatever happens to the claim, this seat has no part in it any more.
  for (const NaiveAward& award : round.all) {
    if (!is_its(award) || award.holder == seat) continue;
    std::erase(model.claims_[award.waits_for - 1].envy, award);
  }
  strike(round);
  std::erase_if(round.all, is_its);
  std::erase_if(round.wagers, [seat](const NaiveWager& wager) { return wager.seat == seat; });
  round.voided.insert(seat);
  done("hand_voided", request.round);
}

void NaiveModel::TableMessageDecision::check_pot(const PlayPot& pot) {
  constexpr Exact most = Exact{10'000'000} * 100 * exact_cent;
  const auto is_odd = [](Amount amount, Exact least) {
    return amount.units() < least || amount.units() > most || amount.units() % exact_cent != 0;
  };
  if (is_odd(pot.pot, 1)) no.insert(Refusal::amount_out_of_range);
  std::set<int> seats;
  std::size_t live = 0;
  for (const ShownHand& hand : pot.hands) {
    // The winner of an uncontested pot need not show.
    check_hand(hand, !hand.folded && pot.showdown, seats);
    if (is_odd(hand.won, 0)) no.insert(Refusal::amount_out_of_range);
    live += hand.folded ? 0 : 1;
  }
  if (pot.board.size() > 5) no.insert(Refusal::wrong_card_count);
  if (pot.showdown && (pot.board.size() != 5 || live < 2)) {
    no.insert(Refusal::showdown_incomplete);
  }
  std::map<int, int> seen;
  check_all_cards(seen, pot.hands, {}, pot.board);
}

void NaiveModel::TableMessageDecision::operator()(const PlayPot& pot) {
  check_new_round(pot.round, pot.by);
  if (table.game != "poker") no.insert(Refusal::wrong_game);
  int link = -1;
  for (std::uint32_t other = 0; other < model.terms_.size(); ++other) {
    if (model.terms_[other].of_pots && model.terms_[other].is_at(place)) {
      link = static_cast<int>(other);
    }
  }
  if (link < 0) no.insert(Refusal::wager_not_offered);
  if (link >= 0 && !model.books_[static_cast<std::size_t>(link)].suspended.empty()) {
    no.insert(Refusal::link_suspended);
  }
  if (link >= 0 && model.books_[static_cast<std::size_t>(link)].gone) {
    no.insert(Refusal::link_ended);
  }
  // Cards of another game's table are no poker hands: wrong_game comes first in any case.
  check_pot(pot);
  if (no.empty()) play(pot, static_cast<std::uint32_t>(link));
}

void NaiveModel::TableMessageDecision::play(const PlayPot& pot, std::uint32_t link) {
  pot_link = link;
  const NaiveTerms& terms = model.terms_[link];
  const bool takes = pot.pot.units() / exact_cent >= terms.pot_least_cents;
  if (takes && !model.books_[link].stopped) {
    verdict.wagers = {{0, link, terms.pot_share_cents, false}};
  }
  accrue(verdict.wagers);
  NaiveSettlement(model.terms_, model.books_, place, model.claims_.size(), verdict)
      .settle(link, pot);
  if (is_too_full()) return;
  done("pot_played", pot.round);
  raise_claims(nullptr, {});
  table.end(pot.round.text());
  NaivePot kept{model.entries_ + 1, link, pot, {}};
  for (const NaiveAward& award : verdict.awards) kept.claims.push_back(award.claim);
  table.pots.emplace_back(pot.round.text(), kept);
  if (table.pots.size() > 64) table.pots.pop_front();
}

}  // namespace linkmeter
