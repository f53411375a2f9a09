#include "meters/rules/settlement.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "meters/rules/level_hits.h"
#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

std::vector<PlacedWager> wagers_on(const Round& round, LinkIndex link) {
  std::vector<PlacedWager> found;
  for (const PlacedWager& wager : round.wagers) {
    if (wager.link == link) found.push_back(wager);
  }
  std::sort(found.begin(), found.end(), [](const PlacedWager& left, const PlacedWager& right) {
    return left.seat > right.seat;  // M6: from the dealer's right
  });
  return found;
}

std::vector<ShownHand> in_settlement_order(std::vector<ShownHand> hands) {
  std::sort(hands.begin(), hands.end(),
            [](const ShownHand& left, const ShownHand& right) { return left.seat > right.seat; });
  return hands;
}

std::map<LinkIndex, Amount> handle_by_link(const std::vector<PlacedWager>& wagers) {
  std::map<LinkIndex, Amount> handle;
  for (const PlacedWager& wager : wagers) handle[wager.link] += wager.amount;
  return handle;
}

// Fixed awards from the chapter's odds on require a person.
bool needs_person(const WagerRules& wager, std::int64_t multiple) {
  return wager.verified_from && multiple >= *wager.verified_from;
}

// Whether a person must validate the line before it is paid.
bool is_line_validated(const LinkRules& rules, const LineId& id) {
  return std::any_of(rules.paytable.lines.begin(), rules.paytable.lines.end(),
                     [&](const Line& line) {
                       return line.id == id && (line.pays.kind == Pays::Kind::meter ||
                                                needs_person(rules.wager, line.pays.multiple));
                     });
}

// The seats that share a Bad Beat and their weights, in settlement order.
struct BadBeat {
  HandCategory beaten = HandCategory::high_card;
  std::vector<Seat> seats;
  std::vector<std::int64_t> weights;
};

// The weight of one of `count` seats that divide `part` equally, over a common denominator.
std::int64_t weight_of(Rate part, std::int64_t denominator, std::size_t count) {
  return part.ppm() * denominator / static_cast<std::int64_t>(count);
}

std::optional<BadBeat> find_bad_beat(const PotConfig& terms, const PlayPot& pot) {
  if (!pot.showdown) return std::nullopt;
  const std::vector<ShownHand> hands = in_settlement_order(pot.hands);
  std::map<Seat, PokerRank> ranks;
  PokerRank winning;
  for (const ShownHand& hand : hands) {
    if (hand.folded) continue;
    std::vector<Card> seven = hand.cards;
    seven.insert(seven.end(), pot.board.begin(), pot.board.end());
    ranks[hand.seat] = best_five(seven);
    winning = std::max(winning, ranks[hand.seat]);
  }
  PokerRank losing;
  for (const auto& [seat, rank] : ranks) {
    if (rank < winning) losing = std::max(losing, rank);
  }
  if (losing == PokerRank() || !terms.qualifying.is_reached_by(losing)) return std::nullopt;

  const auto rank_of = [&ranks](Seat seat) {
    const auto found = ranks.find(seat);
    return found == ranks.end() ? PokerRank() : found->second;
  };
  std::size_t losers = 0, winners = 0, others = 0;
  for (const ShownHand& hand : hands) {
    const PokerRank rank = rank_of(hand.seat);
    ++(rank == winning ? winners : rank == losing ? losers : others);
  }
  // Equal hands split their part. If no other seat was dealt in, the table's part is dropped and
  // the two others divide the whole pro rata.
  const auto denominator = static_cast<std::int64_t>(
      std::lcm(std::lcm(losers, winners), std::max<std::size_t>(others, 1)));
  BadBeat beat{losing.category(), {}, {}};
  for (const ShownHand& hand : hands) {
    const PokerRank rank = rank_of(hand.seat);
    const std::int64_t weight = rank == winning
                                    ? weight_of(terms.winning_hand, denominator, winners)
                                : rank == losing ? weight_of(terms.losing_hand, denominator, losers)
                                                 : weight_of(terms.table, denominator, others);
    if (weight == 0) continue;
    beat.seats.push_back(hand.seat);
    beat.weights.push_back(weight);
  }
  return beat;
}

}  // namespace

PaymentSource source_at_once(const WagerRules& wager) {
  return wager.placement == Placement::electronic ? PaymentSource::game_account
                                                  : PaymentSource::table_inventory;
}

Settlement::Settlement(const State& state, const FloorRules& rules)
    : state_(state), rules_(rules), claims_(state.claims().size()) {}

LinkTransaction& Settlement::transaction(LinkIndex link) {
  return transactions_.try_emplace(link, link, state_.floor().link(link), state_.link(link))
      .first->second;
}

std::vector<LinkIndex> Settlement::links_in_order(TableIndex table) const {
  std::vector<LinkIndex> links;
  for (const auto& [link, at] : state_.parts_of(table)) links.push_back(link);
  std::stable_sort(links.begin(), links.end(), [this](LinkIndex one, LinkIndex other) {
    return rules_.link(one).wager.settled_at < rules_.link(other).wager.settled_at;
  });
  return links;
}

void Settlement::accrue(const std::vector<PlacedWager>& wagers) {
  for (const auto& [link, handle] : handle_by_link(wagers)) transaction(link).accrue(handle);
}

void Settlement::withhold(const std::vector<PlacedWager>& wagers) {
  for (const auto& [link, handle] : handle_by_link(wagers)) transaction(link).withhold(handle);
}

void Settlement::correct_awards(std::vector<Award> paid) {
  corrects_ = true;
  paid_ = std::move(paid);
}

void Settlement::settle(TableIndex table, const Round& round, const ShowHands& show) {
  may_fold_ = rules_.game(table).folds;
  is_draw_corrected_ = !round.draw_corrected_by.empty();
  draw_ = round.draw.value_or(Draw()).with(show.draw.value_or(Draw()));
  settle_dealer_links(table, round, show.dealer, show.hands, false);
  for (const ShownHand& hand : in_settlement_order(show.hands)) settle_own_hand(table, round, hand);
}

void Settlement::settle_dealer(TableIndex table, const Round& round,
                               const std::vector<Card>& dealer, const std::vector<ShownHand>& hands,
                               const Draw& draw, Resettle part) {
  may_fold_ = rules_.game(table).folds;
  draw_ = draw;
  only_bonuses_ = part == Resettle::bonuses;
  settle_dealer_links(table, round, dealer, hands, part == Resettle::comparisons);
  only_bonuses_ = false;
}

void Settlement::settle_bonuses(TableIndex table, const Round& round, const ShownHand& hand,
                                const Draw& draw) {
  only_bonuses_ = true;
  settle(table, round, hand, draw);
  only_bonuses_ = false;
}

void Settlement::settle(TableIndex table, const Round& round, const ShownHand& hand,
                        const Draw& draw) {
  may_fold_ = rules_.game(table).folds;
  draw_ = draw;
  settle_own_hand(table, round, hand);
}

void Settlement::settle_own_hand(TableIndex table, const Round& round, const ShownHand& hand) {
  const std::size_t first = awards_.size();
  const std::uint64_t claims_before = claims_;
  for (const LinkIndex link : links_in_order(table)) {
    if (is_own_hands(rules_.link(link).wager)) settle_player_hand(link, round, hand);
  }
  hold_back_envy(hand.seat, std::span(awards_).subspan(first), claims_before);
}

// A table may offer one progressive in two units: a claim on either delays the Envy. A holder
// without the wager, or who folded, raises no claim, but the hand is worth the same to the others:
// if the line requires a person to validate it, so does the Envy.
void Settlement::hold_back_envy(Seat holder, std::span<Award> awards, std::uint64_t claims_before) {
  const auto wager_of = [this](const Award& award) -> const WagerId& {
    return state_.floor().link(award.link).wager;
  };
  const auto claim_of_line = [&](const Award& envy) -> std::optional<ClaimNumber> {
    for (const Award& award : awards) {
      const bool is_line = award.kind == AwardKind::line && award.claim && !award.on_dealer;
      if (is_line && award.seat == holder && wager_of(award) == wager_of(envy)) return award.claim;
    }
    return std::nullopt;
  };
  for (Award& envy : awards) {
    if (envy.kind != AwardKind::envy || claim_of_line(envy)) continue;
    if (!corrects_ && !is_line_validated(rules_.link(envy.link), envy.line)) continue;
    envy.claim = ClaimNumber(++claims_);
    envy.source.reset();
  }
  claims_ = claims_before;
  for (Award& award : awards) {
    if (award.claim) award.claim = ClaimNumber(++claims_);
  }
  for (Award& envy : awards) {
    if (envy.kind == AwardKind::envy && !envy.claim) envy.waits_for = claim_of_line(envy);
  }
}

void Settlement::settle_dealer_links(TableIndex table, const Round& round,
                                     const std::vector<Card>& dealer,
                                     const std::vector<ShownHand>& hands, bool only_comparisons) {
  if (dealer.empty()) return;
  for (const LinkIndex link : links_in_order(table)) {
    switch (rules_.link(link).wager.decided_by) {
      case DecidedBy::dealer_hand:
      case DecidedBy::either_hand:
        if (!only_comparisons) settle_dealer_hand(link, round, dealer);
        break;
      case DecidedBy::both_hands: settle_both_hands(link, round, dealer, hands); break;
      case DecidedBy::player_hand:
      case DecidedBy::pot: break;
    }
  }
}

// All bettors on the dealer's hand win or lose together, whether or not their own hands are shown.
void Settlement::settle_dealer_hand(LinkIndex link, const Round& round,
                                    const std::vector<Card>& dealer) {
  const LinkRules& rules = rules_.link(link);
  const bool is_chosen = rules.wager.decided_by == DecidedBy::either_hand;
  const Line* line = rules.paytable.line_for(categories(rules.wager.hand, dealer));
  std::vector<Bettor> bettors;
  for (const PlacedWager& wager : wagers_on(round, link)) {
    if (wager.on_dealer == is_chosen) bettors.push_back({wager, dealer, line});
  }
  settle_together(link, bettors, is_chosen ? rules.wager.dealer_sharing : rules.wager.sharing);
}

void Settlement::settle_both_hands(LinkIndex link, const Round& round,
                                   const std::vector<Card>& dealer,
                                   const std::vector<ShownHand>& hands) {
  const LinkRules& rules = rules_.link(link);
  std::vector<Bettor> bettors;
  for (const PlacedWager& wager : wagers_on(round, link)) {
    const auto hand = std::find_if(hands.begin(), hands.end(), [&wager](const ShownHand& shown) {
      return shown.seat == wager.seat;
    });
    if (hand == hands.end()) continue;  // not shown with the dealer's hand: lost
    if (hand->folded && rules.wager.fold_forfeits) continue;
    const Line* line =
        hand->cards.empty()
            ? nullptr
            : rules.paytable.line_for(categories(rules.wager.hand, hand->cards, dealer));
    bettors.push_back({wager, hand->cards, line});
  }
  settle_together(link, bettors, rules.wager.sharing);
}

void Settlement::settle_together(LinkIndex link, const std::vector<Bettor>& bettors,
                                 Sharing sharing) {
  const auto is_meter = [this](const Line* line) {
    return !only_bonuses_ && line != nullptr && line->pays.kind == Pays::Kind::meter;
  };
  std::map<const Line*, std::vector<std::int64_t>> weights;
  for (const Bettor& bettor : bettors) {
    if (!is_meter(bettor.line)) continue;
    weights[bettor.line].push_back(sharing == Sharing::proportional ? bettor.wager.amount.in_cents()
                                                                    : 1);
  }
  // The award of one line, taken off the meter once and shared by its winners.
  struct Shared {
    std::vector<Amount> parts;
    std::size_t next = 0;
    std::size_t hit = 0;
  };
  std::map<const Line*, Shared> all;
  for (const Bettor& bettor : bettors) {
    if (is_meter(bettor.line)) {
      Shared& shared = all[bettor.line];
      if (shared.parts.empty()) {
        shared.parts = shares(hit_meter(link, bettor.line->pays), weights[bettor.line]);
        shared.hit = hits_.size();
      }
      award_of_meter(link, bettor.wager, *bettor.line, shared.parts[shared.next++], shared.hit);
    } else if (!only_bonuses_ && bettor.line != nullptr) {
      award_fixed(link, bettor.wager, *bettor.line);
    }
    give_bonuses(link, bettor.wager, bettor.cards);
  }
}

void Settlement::settle_player_hand(LinkIndex link, const Round& round, const ShownHand& hand) {
  const LinkRules& rules = rules_.link(link);
  // Folded without being shown: it wins no line and brings no Envy.
  const Line* line = hand.cards.empty() || only_bonuses_
                         ? nullptr
                         : rules.paytable.line_for(categories(rules.wager.hand, hand.cards));
  // Ignore the fold flag in games without folding.
  const bool folded = hand.folded && may_fold_;
  const bool forfeits = folded && rules.wager.fold_forfeits;
  for (const PlacedWager& own : wagers_on(round, link)) {
    if (own.seat != hand.seat || own.on_dealer || forfeits) continue;
    if (line != nullptr && line->pays.kind == Pays::Kind::meter) {
      std::optional<Amount> cap;
      if (state_.floor().link(link).payout_limit_caps_meter) {
        cap = left_of_payout_limit(link, hand.seat);
      }
      const std::optional<Amount> uncut =
          cap ? std::optional(award_without_limit(link, line->pays)) : std::nullopt;
      const Amount taken = hit_meter(link, line->pays, cap);
      if (cap) paid_under_limit_[hand.seat] += taken;
      award_of_meter(link, own, *line, taken, hits_.size());
      if (uncut && taken < *uncut) awards_.back().uncut = uncut;
    } else if (line != nullptr) {
      award_fixed(link, own, *line);
    }
    give_bonuses(link, own, hand.cards);
  }
  if (line == nullptr) return;
  const bool has_wager = has_bet(round, hand.seat, link);
  const bool gives_envy = folded ? rules.wager.folded_hand_gives_envy && has_wager
                                 : rules.wager.envy_of_non_bettors || has_wager;
  if (gives_envy) give_envy(link, round, hand, *line);
}

// A table may offer one progressive in two units: a bet on either counts.
bool Settlement::has_bet(const Round& round, Seat seat, LinkIndex link) const {
  const Floor& floor = state_.floor();
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
    return wager.seat == seat && floor.link(wager.link).wager == floor.link(link).wager;
  });
}

void Settlement::give_envy(LinkIndex link, const Round& round, const ShownHand& hand,
                           const Line& line) {
  const EnvyLine* envy = rules_.link(link).paytable.envy_for(line.id);
  if (envy == nullptr) return;
  for (const PlacedWager& receiver : wagers_on(round, link)) {
    if (receiver.seat == hand.seat) continue;  // never for the seat's own hand
    const auto step =
        std::find_if(envy->by_wager.begin(), envy->by_wager.end(),
                     [&receiver](const EnvyStep& one) { return one.covers(receiver.amount); });
    if (step == envy->by_wager.end()) continue;
    Award given;
    given.kind = AwardKind::envy;
    given.link = link;
    given.seat = receiver.seat;
    given.holder = hand.seat;
    given.line = line.id;
    given.amount = step->amount;
    add(std::move(given), false);
  }
}

// Bonuses by the round's draw, in addition to the line's award. One match counts once.
void Settlement::give_bonuses(LinkIndex link, const PlacedWager& wager,
                              std::span<const Card> cards) {
  const Seat position = wager.on_dealer ? Seat(0) : wager.seat;
  for (const Bonus& bonus : rules_.link(link).paytable.bonuses) {
    const std::size_t looked_at =
        bonus.first_cards == 0 ? cards.size() : std::min(bonus.first_cards, cards.size());
    const auto looked_end = cards.begin() + static_cast<std::ptrdiff_t>(looked_at);
    const bool is_magic = bonus.kind == Bonus::Kind::magic_card;
    const bool hits =
        is_magic ? draw_.magic && std::find(cards.begin(), looked_end, *draw_.magic) != looked_end
                 : draw_.seat == position;
    if (!hits) continue;
    Award won;
    won.kind = is_magic ? AwardKind::magic_card : AwardKind::lucky_bonus;
    won.link = link;
    won.seat = wager.seat;
    won.line = LineId(std::string(name(won.kind)));
    pay_within_limit(wager.amount.times(bonus.multiple), won);
    won.on_dealer = wager.on_dealer;
    add(std::move(won),
        is_draw_corrected_ || needs_person(rules_.link(link).wager, bonus.multiple));
  }
}

Amount Settlement::hit_meter(LinkIndex link, const Pays& pays, std::optional<Amount> cap) {
  const Amount reserve = transaction(link).book().reserve.held;
  const Amount meter_before = transaction(link).book().pool(Pool::level(pays.level)).held;
  const Amount amount = pays.share.is_whole()
                            ? transaction(link).pay_full_and_reseed(pays.level, cap)
                            : transaction(link).pay_percentage(pays.level, pays.share, cap);
  JackpotHit taken{link, pays.level, pays.share.is_whole(), amount, {}, {}, meter_before};
  if (taken.whole) {
    taken.reseeded = state_.floor().link(link).levels[pays.level.value()].reseed;
    taken.from_reserve = reserve - transaction(link).book().reserve.held;
  }
  hits_.push_back(taken);
  return amount;
}

std::optional<Amount> Settlement::left_of_payout_limit(LinkIndex link, Seat seat) const {
  const std::optional<Amount> limit = state_.floor().link(link).payout_limit;
  if (!limit) return std::nullopt;
  const auto paid = paid_under_limit_.find(seat);
  return paid == paid_under_limit_.end() ? *limit : std::max(*limit - paid->second, Amount());
}

void Settlement::pay_within_limit(Amount amount, Award& won) {
  won.amount = amount;
  const std::optional<Amount> left = left_of_payout_limit(won.link, won.seat);
  if (!left) return;
  won.amount = std::min(amount, *left);
  if (won.amount < amount) won.uncut = amount;
  paid_under_limit_[won.seat] += won.amount;
}

Amount Settlement::award_without_limit(LinkIndex link, const Pays& pays) {
  LinkTransaction trial = transaction(link);
  return pays.share.is_whole() ? trial.pay_full_and_reseed(pays.level)
                               : trial.pay_percentage(pays.level, pays.share);
}

void Settlement::award_fixed(LinkIndex link, const PlacedWager& wager, const Line& line) {
  Award won;
  won.link = link;
  won.seat = wager.seat;
  won.line = line.id;
  pay_within_limit(wager.amount.times(line.pays.multiple), won);
  won.on_dealer = wager.on_dealer;
  add(std::move(won), needs_person(rules_.link(link).wager, line.pays.multiple));
}

// Every award of a meter requires a person.
void Settlement::award_of_meter(LinkIndex link, const PlacedWager& wager, const Line& line,
                                Amount amount, std::size_t hit) {
  Award won;
  won.link = link;
  won.seat = wager.seat;
  won.line = line.id;
  won.level = line.pays.level;
  won.whole_meter = line.pays.share.is_whole();
  won.amount = amount;
  won.on_dealer = wager.on_dealer;
  won.hit = static_cast<std::uint32_t>(hit);
  add(std::move(won), true);
}

void Settlement::add(Award won, bool needs_person) {
  if (take_paid(won)) return;
  // Envy depends on the whole hand: hold_back_envy() decides it.
  const bool is_to_validate = needs_person || (corrects_ && won.kind != AwardKind::envy);
  if (is_to_validate)
    won.claim = ClaimNumber(++claims_);
  else
    won.source = source_at_once(rules_.link(won.link).wager);
  awards_.push_back(std::move(won));
}

// Awards of a meter are never paid at once. Envy that waited for a rejected claim was paid for a
// reason other than the hand, so it is settled again.
bool Settlement::take_paid(const Award& won) {
  const auto same = std::find_if(paid_.begin(), paid_.end(), [&won](const Award& before) {
    return before.is_paid_at_once() && !won.level && before.kind == won.kind &&
           before.link == won.link && before.seat == won.seat && before.holder == won.holder &&
           before.line == won.line && before.amount == won.amount && before.uncut == won.uncut &&
           before.on_dealer == won.on_dealer;
  });
  if (same == paid_.end()) return false;
  paid_.erase(same);
  return true;
}

void Settlement::settle(LinkIndex link, const PlayPot& pot) {
  const std::optional<PotConfig>& terms = state_.floor().link(link).pot;
  INVARIANT(terms.has_value());
  const std::optional<BadBeat> beat = find_bad_beat(*terms, pot);
  if (!beat) return;
  Pays whole;
  whole.kind = Pays::Kind::meter;
  whole.share = Rate::from_ppm(Rate::ppm_whole);
  const Line line{LineId(std::string(name(beat->beaten))), beat->beaten, whole, "", {}};
  const std::vector<Amount> parts = shares(hit_meter(link, whole), beat->weights);
  for (std::size_t index = 0; index < parts.size(); ++index) {
    award_of_meter(link, PlacedWager{beat->seats[index], link, Amount()}, line, parts[index],
                   hits_.size());
  }
}

HitReversal Settlement::reject(std::span<const ClaimNumber> claims) {
  std::set<std::pair<LinkIndex, LevelIndex>> levels;
  for (const ClaimNumber number : claims) {
    const Claim* claim = state_.find_claim(number);
    INVARIANT(claim != nullptr);
    if (claim->level) levels.emplace(claim->link, *claim->level);
  }
  HitReversal all;
  for (const auto& [link, level] : levels) {
    LinkTransaction& links = transaction(link);
    const LevelReversal reversal =
        reverse_level(state_, link, level, links.book().pool(Pool::level(level)), claims);
    links.reject(level, reversal.moves);
    const HitReversal& hits = reversal.hits;
    all.undone.insert(all.undone.end(), hits.undone.begin(), hits.undone.end());
    all.deferred.insert(all.deferred.end(), hits.deferred.begin(), hits.deferred.end());
  }
  return all;
}

bool Settlement::is_within_limits() const {
  return std::all_of(transactions_.begin(), transactions_.end(),
                     [](const auto& transaction) { return transaction.second.is_within_limits(); });
}

std::vector<Posting> Settlement::postings() const {
  std::vector<Posting> all;
  for (const auto& [link, transaction] : transactions_) {
    all.insert(all.end(), transaction.postings().begin(), transaction.postings().end());
  }
  return all;
}

}  // namespace linkmeter
