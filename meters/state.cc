#include "meters/state.h"

#include <algorithm>

#include "meters/check.h"
#include "meters/decide.h"
#include "meters/limits.h"

namespace linkmeter {

const LinkBook& State::link(LinkPlace place) const {
  CHECK(place.value() < links_.size());
  return links_[place.value()];
}

const Desk& State::desk(TablePlace place) const {
  CHECK(place.value() < desks_.size());
  return desks_[place.value()];
}

const Claim* State::find_claim(ClaimNumber number) const {
  if (number.value() == 0 || number.value() > claims_.size()) return nullptr;
  return &claims_[number.value() - 1];
}

// What each fact changes besides the balances, which only postings change.
struct State::Applying {
  State& state;
  const Entry& entry;

  [[nodiscard]] TablePlace table() const { return entry.origin->table; }
  [[nodiscard]] Desk& desk() const { return state.desks_[table().value()]; }
  void touch_round(const RoundId& id) const { state.changes_.rounds.emplace(table(), id); }

  // Every round of a table counts on every link the table takes part in; wagers on their own link.
  // `times` is -1 when a void takes them back.
  void count(const std::vector<PlacedWager>& wagers, int times) const {
    for (std::uint32_t index = 0; index < state.links_.size(); ++index) {
      if (!state.floor_.links[index].has_table(table())) continue;
      TableCount& count = state.links_[index].table(table());
      count.rounds += static_cast<std::uint64_t>(times);
      for (const PlacedWager& wager : wagers) {
        if (wager.link != LinkPlace(index)) continue;
        count.wagers += static_cast<std::uint64_t>(times);
        count.handle += times < 0 ? -wager.amount : wager.amount;
      }
      state.changes_.links.insert(LinkPlace(index));
    }
  }

  void record(const RoundId& round, const std::vector<MeterCall>& calls,
              const std::vector<Award>& awards) const {
    for (const MeterCall& call : calls) {
      LevelBook& level = state.links_[call.link.value()].levels[call.level.value()];
      ++(call.whole ? level.hits : level.partial_hits);
      state.changes_.links.insert(call.link);
    }
    for (const Award& award : awards) {
      if (!award.claim) continue;
      Claim claim;
      claim.number = *award.claim;
      claim.entry = entry.number;
      claim.link = award.link;
      claim.table = table();
      claim.round = round;
      claim.seat = award.seat;
      claim.line = award.line;
      claim.level = award.level;
      claim.amount = award.amount;
      claim.on_dealer = award.on_dealer;
      claim.sent_at = entry.origin->sent_at;
      claim.raised_at = entry.recorded_at;
      CHECK(claim.number.value() == state.claims_.size() + 1);
      state.claims_.push_back(std::move(claim));
      state.changes_.claims.insert(*award.claim);
    }
  }

  void end_round(const RoundId& id) const {
    state.changes_.ended.emplace(table(), desk().ended_count());
    desk().end_round(id);
  }

  Claim& claim(ClaimNumber number) const {
    state.changes_.claims.insert(number);
    return state.claims_[number.value() - 1];
  }

  void operator()(const FloorOpened& opened) const {
    state.floor_ = opened.floor;
    for (std::uint32_t index = 0; index < opened.floor.links.size(); ++index) {
      state.links_.push_back(LinkBook::opened(opened.floor.links[index]));
      state.changes_.links.insert(LinkPlace(index));
    }
    state.desks_.resize(opened.floor.tables.size());
    state.changes_.floor = true;
  }

  void operator()(const RoundLocked& locked) const {
    Round round;
    round.id = locked.round;
    round.wagers = locked.wagers;
    desk().open_round(std::move(round));
    touch_round(locked.round);
    count(locked.wagers, 1);
  }

  void operator()(const CountDiffered& differed) const {
    Round round;
    round.id = differed.round;
    round.blocked = true;
    round.wagers = differed.wagers;
    desk().open_round(std::move(round));
    touch_round(differed.round);
  }

  void operator()(const CountResolved& resolved) const {
    Round& round = desk().round(resolved.round);
    round.blocked = false;
    round.wagers = resolved.wagers;
    touch_round(resolved.round);
    count(resolved.wagers, 1);
  }

  void operator()(const HandsShown& shown) const {
    Round& round = desk().round(shown.round);
    const int decks = state.floor_.table(table()).decks;
    const auto see = [&round, decks](const std::vector<Card>& cards) {
      for (const Card card : cards) round.cards.add(card, decks);
    };
    for (const ShownHand& hand : shown.hands) {
      round.shown.push_back(hand.seat);
      see(hand.cards);
    }
    see(shown.dealer);
    see(shown.board);
    if (shown.draw) round.draw = round.draw.value_or(Draw()).with(*shown.draw);
    round.dealer_shown = round.dealer_shown || !shown.dealer.empty();
    round.claim_raised =
        round.claim_raised || std::any_of(shown.awards.begin(), shown.awards.end(),
                                          [](const Award& award) { return award.claim; });
    touch_round(shown.round);
    record(shown.round, shown.calls, shown.awards);
  }

  void operator()(const RoundClosed& closed) const {
    end_round(closed.round);
    touch_round(closed.round);
  }

  void operator()(const RoundVoided& voided) const {
    if (!desk().round(voided.round).blocked) count(voided.returned, -1);
    end_round(voided.round);
    touch_round(voided.round);
  }

  void operator()(const PotPlayed& pot) const {
    std::vector<PlacedWager> contributions;
    if (pot.contribution > Amount()) {
      contributions.push_back(PlacedWager{Seat(), pot.link, pot.contribution});
    }
    count(contributions, 1);
    record(pot.round, pot.calls, pot.awards);
    end_round(pot.round);
  }

  void operator()(const MessageRefused&) const {}

  void operator()(const ClaimValidated& validated) const {
    Claim& changed = claim(validated.claim);
    changed.state = ClaimState::validated;
    changed.validated_at = entry.recorded_at;
    changed.validated_by = validated.by;
  }

  void operator()(const ClaimPaid& paid) const {
    Claim& changed = claim(paid.claim);
    changed.state = ClaimState::paid;
    changed.paid_at = entry.recorded_at;
    changed.paid_by = paid.by;
    changed.source = paid.source;
  }
};

void State::apply(const Entry& entry) {
  CHECK(entry.number == last_entry_.next());
  CHECK(is_balanced(entry.postings));
  std::visit(Applying{*this, entry}, entry.fact);
  for (const Posting& posting : entry.postings) {
    CHECK(posting.link.value() < links_.size());
    links_[posting.link.value()].post(posting);
    changes_.links.insert(posting.link);
  }
  if (entry.origin) {
    const TablePlace table = entry.origin->table;
    desks_[table.value()].remember(answer_of(entry));
    changes_.desks.insert(table);
    changes_.answers.emplace(table, entry.origin->number);
  }
  last_entry_ = entry.number;
}

State State::restored(EntryNumber last_entry, Floor floor, std::vector<LinkBook> links,
                      std::vector<Desk> desks, std::vector<Claim> claims) {
  CHECK(links.size() == floor.links.size());
  CHECK(desks.size() == floor.tables.size());
  State state;
  state.last_entry_ = last_entry;
  state.floor_ = std::move(floor);
  state.links_ = std::move(links);
  state.desks_ = std::move(desks);
  state.claims_ = std::move(claims);
  return state;
}

}  // namespace linkmeter
