#include "meters/settlement.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "meters/check.h"

namespace linkmeter {

namespace {

// Wider than money: total cents x weight must not overflow on the way to a share.
__extension__ using Wide = __int128;

std::vector<PlacedWager> wagers_on(const Round& round, LinkPlace link) {
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

std::map<LinkPlace, Amount> handle_by_link(const std::vector<PlacedWager>& wagers) {
  std::map<LinkPlace, Amount> handle;
  for (const PlacedWager& wager : wagers) handle[wager.link] += wager.amount;
  return handle;
}

// Who shares a Bad Beat, by weight, in settlement order.
struct BadBeat {
  HandCategory beaten = HandCategory::high_card;
  std::vector<Seat> seats;
  std::vector<std::int64_t> weights;
};

// The weight of one of `count` seats that divide `part` equally, over a common denominator.
std::int64_t weight_of(Rate part, std::int64_t denominator, std::size_t count) {
  return part.ppm() * denominator / static_cast<std::int64_t>(count);
}

std::optional<BadBeat> find_bad_beat(const PotTerms& terms, const PlayPot& pot) {
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
  if (losing == PokerRank() || !at_least(losing.category(), terms.qualifying)) return std::nullopt;

  const auto rank_of = [&ranks](Seat seat) {
    const auto found = ranks.find(seat);
    return found == ranks.end() ? PokerRank() : found->second;
  };
  std::size_t losers = 0, winners = 0, others = 0;
  for (const ShownHand& hand : hands) {
    const PokerRank rank = rank_of(hand.seat);
    ++(rank == winning ? winners : rank == losing ? losers : others);
  }
  // Equal hands split their part; with nobody else dealt in, the table's part is simply not there,
  // so that the two others divide the whole pro rata.
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

Settlement::Settlement(const State& state, const FloorRules& rules)
    : state_(state), rules_(rules), claims_(state.claims().size()) {}

Draft& Settlement::draft(LinkPlace link) {
  return drafts_.try_emplace(link, link, state_.floor().link(link), state_.link(link))
      .first->second;
}

ClaimNumber Settlement::next_claim() { return ClaimNumber(++claims_); }

void Settlement::accrue(const std::vector<PlacedWager>& wagers) {
  for (const auto& [link, handle] : handle_by_link(wagers)) draft(link).accrue(handle);
}

void Settlement::withhold(const std::vector<PlacedWager>& wagers) {
  for (const auto& [link, handle] : handle_by_link(wagers)) draft(link).withhold(handle);
}

void Settlement::settle(TablePlace table, const Round& round, const ShowHands& show) {
  std::vector<LinkPlace> links;
  for (std::uint32_t index = 0; index < state_.floor().links.size(); ++index) {
    if (state_.floor().link(LinkPlace(index)).has_table(table)) links.emplace_back(index);
  }
  for (const LinkPlace link : links) {
    if (rules_.link(link).wager.decided_by == DecidedBy::dealer_hand && !show.dealer.empty()) {
      settle_dealer_hand(link, round, show);
    }
  }
  for (const ShownHand& hand : in_settlement_order(show.hands)) {
    if (hand.cards.empty()) continue;  // folded unseen: nothing to win, nothing to envy
    for (const LinkPlace link : links) {
      if (rules_.link(link).wager.decided_by == DecidedBy::player_hand) {
        settle_player_hand(link, round, hand);
      }
    }
  }
}

void Settlement::settle_dealer_hand(LinkPlace link, const Round& round, const ShowHands& show) {
  const LinkRules& rules = rules_.link(link);
  const std::vector<PlacedWager> bettors = wagers_on(round, link);
  const Line* line = rules.paytable.line_for(categories(rules.wager.hand, show.dealer));
  if (bettors.empty() || line == nullptr) return;
  if (line->pays.kind != Pays::Kind::meter) {
    for (const PlacedWager& wager : bettors) {
      award(link, wager.seat, *line, wager.amount.times(line->pays.multiple));
    }
    return;
  }
  // All bettors win together: one call on the meter, shared (M7).
  const Amount total = call(link, line->pays);
  const std::vector<Amount> parts = shares(total, std::vector<std::int64_t>(bettors.size(), 1));
  for (std::size_t index = 0; index < bettors.size(); ++index) {
    award(link, bettors[index].seat, *line, parts[index]);
  }
}

void Settlement::settle_player_hand(LinkPlace link, const Round& round, const ShownHand& hand) {
  const LinkRules& rules = rules_.link(link);
  const Line* line = rules.paytable.line_for(categories(rules.wager.hand, hand.cards));
  if (line == nullptr) return;
  const std::vector<PlacedWager> bettors = wagers_on(round, link);
  const auto own = std::find_if(bettors.begin(), bettors.end(), [&hand](const PlacedWager& wager) {
    return wager.seat == hand.seat;
  });
  if (own != bettors.end() && !(hand.folded && rules.wager.fold_forfeits)) {
    award(link, hand.seat, *line,
          line->pays.kind == Pays::Kind::meter ? call(link, line->pays)
                                               : own->amount.times(line->pays.multiple));
  }
  const bool gives_envy =
      !hand.folded || (rules.wager.folded_hand_gives_envy && has_bet(round, hand.seat, link));
  if (gives_envy) give_envy(link, round, hand, *line);
}

// A table may offer one progressive in two units: whoever bet either of them bet the progressive.
bool Settlement::has_bet(const Round& round, Seat seat, LinkPlace link) const {
  const Floor& floor = state_.floor();
  return std::any_of(round.wagers.begin(), round.wagers.end(), [&](const PlacedWager& wager) {
    return wager.seat == seat && floor.link(wager.link).wager == floor.link(link).wager;
  });
}

void Settlement::give_envy(LinkPlace link, const Round& round, const ShownHand& hand,
                           const Line& line) {
  const EnvyLine* envy = rules_.link(link).paytable.envy_for(line.id);
  if (envy == nullptr) return;
  for (const PlacedWager& receiver : wagers_on(round, link)) {
    if (receiver.seat == hand.seat) continue;  // never for one's own hand
    for (const auto& [wager, amount] : envy->by_wager) {
      if (wager != receiver.amount) continue;
      Award given;
      given.kind = AwardKind::envy;
      given.link = link;
      given.seat = receiver.seat;
      given.holder = hand.seat;
      given.line = line.id;
      given.amount = amount;
      awards_.push_back(std::move(given));
    }
  }
}

Amount Settlement::call(LinkPlace link, const Pays& pays) {
  const Amount amount = pays.share.is_whole() ? draft(link).call_whole(pays.level)
                                              : draft(link).call_share(pays.level, pays.share);
  calls_.push_back(MeterCall{link, pays.level, pays.share.is_whole(), amount});
  return amount;
}

void Settlement::award(LinkPlace link, Seat seat, const Line& line, Amount amount) {
  Award won;
  won.link = link;
  won.seat = seat;
  won.line = line.id;
  won.amount = amount;
  const bool off_the_meter = line.pays.kind == Pays::Kind::meter;
  if (off_the_meter) {
    won.level = line.pays.level;
    won.whole_meter = line.pays.share.is_whole();
  }
  // A person looks at everything that leaves a meter, and at fixed awards from the chapter's odds
  // on.
  if (off_the_meter || line.pays.multiple >= rules_.link(link).wager.verified_from) {
    won.claim = next_claim();
  }
  awards_.push_back(std::move(won));
}

void Settlement::settle(LinkPlace link, const PlayPot& pot) {
  const std::optional<PotTerms>& terms = state_.floor().link(link).pot;
  CHECK(terms.has_value());
  const std::optional<BadBeat> beat = find_bad_beat(*terms, pot);
  if (!beat) return;
  Pays whole;
  whole.kind = Pays::Kind::meter;
  whole.share = Rate::from_ppm(Rate::ppm_whole);
  const Line line{LineId(std::string(name(beat->beaten))), beat->beaten, whole, ""};
  const std::vector<Amount> parts = shares(call(link, whole), beat->weights);
  for (std::size_t index = 0; index < parts.size(); ++index) {
    award(link, beat->seats[index], line, parts[index]);
  }
}

bool Settlement::is_within_limits() const {
  return std::all_of(drafts_.begin(), drafts_.end(),
                     [](const auto& draft) { return draft.second.is_within_limits(); });
}

std::vector<Posting> Settlement::postings() const {
  std::vector<Posting> all;
  for (const auto& [link, draft] : drafts_) {
    all.insert(all.end(), draft.postings().begin(), draft.postings().end());
  }
  return all;
}

std::vector<Amount> shares(Amount total, const std::vector<std::int64_t>& weights) {
  const Wide sum = std::accumulate(weights.begin(), weights.end(), Wide{0});
  CHECK(sum > 0);
  std::vector<Amount> parts;
  std::vector<std::pair<Wide, std::size_t>> remainders;
  Amount given;
  for (std::size_t index = 0; index < weights.size(); ++index) {
    CHECK(weights[index] >= 0);
    const Wide product = Wide{total.in_cents()} * weights[index];
    parts.push_back(Amount::cents(static_cast<std::int64_t>(product / sum)));
    remainders.emplace_back(product % sum, index);
    given += parts.back();
  }
  // Largest remainder first; a stable sort leaves ties in settlement order.
  std::stable_sort(remainders.begin(), remainders.end(),
                   [](const auto& left, const auto& right) { return left.first > right.first; });
  std::int64_t odd_cents = (total - given).in_cents();
  for (const auto& [remainder, index] : remainders) {
    if (odd_cents == 0) break;
    parts[index] += Amount::cents(1);
    --odd_cents;
  }
  CHECK(odd_cents == 0);
  return parts;
}

}  // namespace linkmeter
