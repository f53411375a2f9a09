#include "tests/property/judge.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "tests/property/difference.h"
#include "tests/property/judge_days.h"
#include "tests/property/judge_people.h"

namespace linkmeter {

namespace {

std::string text(const NaiveWager& wager) {
  return "seat " + std::to_string(wager.seat) + " link " + std::to_string(wager.link) + " " +
         exact_text(Exact{wager.cents} * exact_cent) + (wager.on_dealer ? " on the dealer" : "");
}

std::string text(const NaiveCall& call) {
  return "link " + std::to_string(call.link) + " level " + std::to_string(call.level) +
         (call.whole ? " whole " : " part ") + exact_text(call.amount) + " reseeded " +
         exact_text(call.reseeded) + " from the reserve " + exact_text(call.from_reserve) + " of " +
         exact_text(call.meter_before);
}

std::string_view kind_of(const NaiveAward& award) {
  switch (award.kind) {
    case NaiveAward::Kind::line: return "line";
    case NaiveAward::Kind::envy: return "envy";
    case NaiveAward::Kind::magic: return "magic";
    case NaiveAward::Kind::lucky: return "lucky";
  }
  return "";
}

std::string text(const NaiveAward& award) {
  return std::string(kind_of(award)) + " link " + std::to_string(award.link) + " seat " +
         std::to_string(award.seat) + " holder " + std::to_string(award.holder) + " " + award.line +
         " level " + std::to_string(award.level) + (award.whole ? " whole " : " ") +
         exact_text(award.amount) + " claim " + std::to_string(award.claim) +
         (award.on_dealer ? " on the dealer" : "") + " call " + std::to_string(award.call) +
         " uncut " + exact_text(award.uncut) + " from " + std::to_string(award.from) +
         " waits for " + std::to_string(award.waits_for);
}

NaiveWager plain(const PlacedWager& wager) {
  // A fraction of a cent is not lost: it shows as a wager of its own.
  const std::int64_t units = wager.amount.units();
  return {wager.seat.value(), wager.link.value(),
          units % exact_cent == 0 ? units / exact_cent : -units, wager.on_dealer};
}

NaiveCall plain(const JackpotHit& call) {
  return {call.link.value(),        call.level.value(),    call.whole,
          call.amount.units(),      call.reseeded.units(), call.from_reserve.units(),
          call.meter_before.units()};
}

NaiveAward::Kind plain(AwardKind kind) {
  switch (kind) {
    case AwardKind::line: return NaiveAward::Kind::line;
    case AwardKind::envy: return NaiveAward::Kind::envy;
    case AwardKind::magic_card: return NaiveAward::Kind::magic;
    case AwardKind::lucky_bonus: return NaiveAward::Kind::lucky;
  }
  return NaiveAward::Kind::line;
}

NaiveAward plain(const Award& award) {
  NaiveAward plain;
  plain.kind = linkmeter::plain(award.kind);
  plain.link = award.link.value();
  plain.seat = award.seat.value();
  if (award.holder) plain.holder = award.holder->value();
  plain.line = award.line.text();
  if (award.level) plain.level = award.level->value();
  plain.whole = award.whole_meter;
  plain.amount = award.amount.units();
  if (award.claim) plain.claim = award.claim->value();
  plain.on_dealer = award.on_dealer;
  plain.call = award.hit;
  if (award.uncut) plain.uncut = award.uncut->units();
  if (award.waits_for) plain.waits_for = award.waits_for->value();
  if (award.source) plain.from = *award.source == PaymentSource::game_account ? 2 : 1;
  return plain;
}

template <class Naive>
Difference differ_lists(std::string_view what, const std::vector<Naive>& expected,
                        const std::vector<Naive>& found) {
  const auto where = [what] { return std::string(what); };
  if (Difference no = within(where, differ("count", expected.size(), found.size()))) return no;
  for (std::size_t place = 0; place < expected.size(); ++place) {
    if (expected[place] == found[place]) continue;
    return within(where,
                  differ(std::to_string(place + 1), text(expected[place]), text(found[place])));
  }
  return std::nullopt;
}

template <class Core>
auto plain_list(const std::vector<Core>& list) {
  std::vector<decltype(plain(list.front()))> plains;
  for (const Core& one : list) plains.push_back(plain(one));
  return plains;
}

// The entry repeats the command unchanged.
template <class Said, class Fact>
Difference differ_said(const Verdict& expected, const Fact& fact) {
  const Said* said = expected.said ? std::get_if<Said>(&*expected.said) : nullptr;
  if (said == nullptr) return "nothing like it was said";
  if (said->round != fact.round || said->by != fact.by) return "another round or badge";
  if constexpr (requires { fact.chips; }) {
    if (said->chips != fact.chips) return "other chips";
  }
  if constexpr (requires { fact.hands; }) {
    if (said->hands != fact.hands || said->board != fact.board) return "other hands or board";
  }
  if constexpr (requires { fact.dealer; }) {
    if (said->dealer != fact.dealer) return "another dealer's hand";
    if (said->draw != fact.draw) return "another draw";
  }
  if constexpr (requires { fact.pot; }) {
    if (said->pot != fact.pot || said->showdown != fact.showdown) return "another pot";
  }
  if constexpr (requires { fact.reason; }) {
    if (said->reason != fact.reason) return "another reason";
  }
  return std::nullopt;
}

struct DifferFact {
  const Verdict& expected;

  Difference settled(const std::vector<JackpotHit>& calls, const std::vector<Award>& awards) const {
    if (Difference no = differ_lists("call", expected.calls, plain_list(calls))) return no;
    return differ_lists("award", expected.awards, plain_list(awards));
  }
  // The awards to take back are a set: no rule orders them.
  Difference reversed(const std::vector<Award>& found) const {
    const auto sorted = [](std::vector<NaiveAward> awards) {
      std::sort(awards.begin(), awards.end(),
                [](const auto& one, const auto& other) { return text(one) < text(other); });
      return awards;
    };
    return differ_lists("reversed", sorted(expected.reversed), sorted(plain_list(found)));
  }
  Difference wagers(const std::vector<PlacedWager>& found) const {
    return differ_lists("wager", expected.wagers, plain_list(found));
  }

  Difference operator()(const FloorOpened&) const { return "the floor opened again"; }
  Difference operator()(const RoundLocked& fact) const {
    if (Difference no = differ_said<LockRound>(expected, fact)) return no;
    return wagers(fact.wagers);
  }
  Difference operator()(const CountMismatched& fact) const {
    if (Difference no = differ_said<LockRound>(expected, fact)) return no;
    if (Difference no = differ("chips expected", expected.chips, fact.chips_expected)) return no;
    return wagers(fact.wagers);
  }
  Difference operator()(const CountResolved& fact) const {
    if (Difference no = differ_said<ResolveCount>(expected, fact)) return no;
    return wagers(fact.wagers);
  }
  Difference operator()(const HandsShown& fact) const {
    if (Difference no = differ_said<ShowHands>(expected, fact)) return no;
    return settled(fact.hits, fact.awards);
  }
  Difference operator()(const HandCorrected& fact) const {
    const auto* said = expected.asked ? std::get_if<CorrectHand>(&expected.asked->act) : nullptr;
    if (said == nullptr) return "nobody corrected a hand";
    if (said->round != fact.round || said->seat != fact.seat) return "another round or seat";
    if (said->cards != fact.cards || said->folded != fact.folded) return "another hand";
    if (said->reason != fact.reason || said->note != fact.note) return "another reason";
    if (expected.old_cards != fact.old_cards || expected.old_folded != fact.old_folded) {
      return "another old hand";
    }
    if (Difference no = first_of({differ("by", expected.badge, fact.by.text()),
                                  differ("corrects", expected.corrects, fact.corrects.value()),
                                  reversed(fact.reversed)})) {
      return no;
    }
    if (Difference no = rejected(fact.rejected)) return no;
    return settled(fact.hits, fact.awards);
  }
  // In any order: the claims, and what happened to their hits.
  Difference rejected(const RejectedClaims& found) const {
    const auto sorted = [](std::vector<std::uint64_t> list) {
      std::sort(list.begin(), list.end());
      return list;
    };
    const auto numbers = [&sorted](const std::vector<ClaimNumber>& claims) {
      std::vector<std::uint64_t> list;
      for (const ClaimNumber claim : claims) list.push_back(claim.value());
      return sorted(list);
    };
    if (sorted(expected.rejected) != numbers(found.claims)) return "other claims are rejected";
    std::vector<std::uint64_t> put_off = expected.put_off;
    std::erase_if(put_off, [this](std::uint64_t call) {
      return std::find(expected.undone.begin(), expected.undone.end(), call) !=
             expected.undone.end();
    });
    if (sorted(expected.undone) != numbers(found.hits.undone)) return "other calls are undone";
    if (sorted(put_off) != numbers(found.hits.deferred)) return "other calls are put off";
    return std::nullopt;
  }
  template <class Said, class Fact>
  Difference put_right(const Fact& fact) const {
    const auto* said = expected.asked ? std::get_if<Said>(&expected.asked->act) : nullptr;
    if (said == nullptr) return "nobody corrected it";
    if (said->round != fact.round) return "another round";
    if (said->reason != fact.reason || said->note != fact.note) return "another reason";
    if (Difference no = first_of({differ("by", expected.badge, fact.by.text()),
                                  differ("corrects", expected.corrects, fact.corrects.value())})) {
      return no;
    }
    if (Difference no = rejected(fact.rejected)) return no;
    return settled(fact.hits, fact.awards);
  }
  Difference operator()(const DealerCorrected& fact) const {
    if (expected.old_cards != fact.old_cards || expected.old_board != fact.old_board ||
        expected.old_draw != fact.old_draw) {
      return "another old hand of the dealer";
    }
    const CorrectDealer* said =
        expected.asked ? std::get_if<CorrectDealer>(&expected.asked->act) : nullptr;
    if (said != nullptr && fact.cards != said->cards.value_or(fact.old_cards)) {
      return "another hand of the dealer";
    }
    if (said != nullptr && fact.board != said->board.value_or(fact.old_board)) {
      return "another board";
    }
    if (Difference no = reversed(fact.reversed)) return no;
    return put_right<CorrectDealer>(fact);
  }
  Difference operator()(const PotCorrected& fact) const { return put_right<CorrectPot>(fact); }
  Difference operator()(const HandVoided& fact) const {
    if (Difference no = differ_said<VoidRound>(expected, fact)) return no;
    if (Difference no = reversed(fact.reversed)) return no;
    if (Difference no = rejected(fact.rejected)) return no;
    return wagers(fact.returned);
  }
  Difference operator()(const RoundClosed& fact) const {
    return differ_said<CloseRound>(expected, fact);
  }
  Difference operator()(const RoundVoided& fact) const {
    if (Difference no = differ_said<VoidRound>(expected, fact)) return no;
    if (Difference no = reversed(fact.reversed)) return no;
    if (Difference no = rejected(fact.rejected)) return no;
    return wagers(fact.returned);
  }
  Difference operator()(const PotPlayed& fact) const {
    if (Difference no = differ_said<PlayPot>(expected, fact)) return no;
    const Exact share = expected.wagers.empty() ? 0 : Exact{expected.wagers.front().cents};
    if (Difference no = differ_money("contribution", share * exact_cent, fact.contribution)) {
      return no;
    }
    return settled(fact.hits, fact.awards);
  }
  Difference operator()(const MessageRefused& fact) const {
    return differ("refusal", name(expected.refusal), name(fact.refusal));
  }
  template <class OfPeople>
  Difference operator()(const OfPeople& fact) const {
    return difference_of_act(expected, fact);
  }
};

Difference differ_pool(const NaivePool& naive, const PoolBalances& pool) {
  return first_of({differ_money("amount", naive.held, pool.held),
                   differ_money("withheld", naive.withheld, pool.withheld),
                   differ_money("pending", naive.pending, pool.pending),
                   differ_money("paid", naive.paid, pool.paid),
                   differ_money("contributed", naive.contributed, pool.contributed),
                   differ_money("seeded", naive.seeded, pool.seeded),
                   differ_money("overflowed", naive.overflowed, pool.overflowed),
                   differ_money("corrected", naive.corrected, pool.corrected),
                   differ_money("transferred", naive.transferred, pool.transferred)});
}

}  // namespace

Difference difference_of_book(const NaiveBook& naive, const LinkBalances& book) {
  if (Difference no = differ("levels", naive.levels.size(), book.levels.size())) return no;
  for (std::size_t place = 0; place < naive.levels.size(); ++place) {
    const NaivePool& pool = naive.levels[place];
    const LevelBalances& found = book.levels[place];
    Difference no =
        within([place] { return "level " + std::to_string(place); },
               first_of({differ_pool(pool, found.pool), differ("hits", pool.hits, found.hits),
                         differ("partial hits", pool.partial_hits, found.partial_hits)}));
    if (no) return no;
  }
  if (naive.reserve.hits != 0) return "the reserve was hit";
  if (Difference no = differ("suspended", naive.suspended, book.suspended)) return no;
  if (Difference no = differ("notice", naive.notice, book.pending_adjustment)) return no;
  if (Difference no = differ("stopped", naive.stopped, !book.ending.collects())) return no;
  if (Difference no = differ("gone", naive.gone, book.ending.has_ended())) return no;
  const auto reserve = [] { return std::string("reserve"); };
  if (Difference no = within(reserve, differ_pool(naive.reserve, book.reserve))) return no;
  if (Difference no = differ("tables", naive.counts.size(), book.tables.size())) return no;
  for (std::size_t place = 0; place < naive.counts.size(); ++place) {
    const NaiveCount& count = naive.counts[place];
    const TableCount& found = book.tables[place];
    Difference no = within(
        [place] { return "table " + std::to_string(place); },
        first_of(
            {differ("place", count.table, found.table.value()),
             differ("rounds", count.rounds, found.rounds),
             differ("wagers", count.wagers, found.wagers),
             differ_money("handle", count.handle, found.handle),
             differ_money("by an attendant", count.by_attendant, found.paid.by_attendant),
             differ_money("by the device", count.by_device, found.paid.by_device),
             differ_money("in all", count.by_attendant + count.by_device, found.paid.in_all)}));
    if (no) return no;
  }
  return std::nullopt;
}

namespace {

Difference differ_round(const NaiveRound& naive, const Round& round) {
  std::vector<int> voided;
  for (const Seat seat : round.voided) voided.push_back(seat.value());
  std::set<int> shown;
  for (const SeatShown& one : round.shown) {
    shown.insert(one.hand.seat.value());
    const auto known = naive.hands.find(one.hand.seat.value());
    if (known == naive.hands.end()) return "a hand that nobody saw";
    const NaiveShown& hand = known->second;
    if (hand.cards != one.hand.cards || hand.folded != one.hand.folded) return "another hand";
    if (hand.entry != one.entry.value()) return "a hand of another entry";
  }
  if (naive.shown != shown) return "other seats are shown";
  std::array<int, Card::index_count> times{};
  for (const auto& [index, seen] : naive.cards) times.at(static_cast<std::size_t>(index)) = seen;
  for (std::uint8_t index = 0; index < Card::index_count; ++index) {
    if (times[index] != round.cards.count(Card::from_index(index))) return "other cards are known";
  }
  if (naive.draw != round.draw) return "another draw";
  if (naive.dealer != round.dealer.cards || naive.board != round.dealer.board) {
    return "another hand of the dealer, or another board";
  }
  if (naive.voided != std::set<int>(voided.begin(), voided.end())) return "other hands are void";
  if (Difference no = differ("awards that stand", naive.all.size(), round.all_awards().size())) {
    return no;
  }
  return first_of({differ("blocked", naive.blocked, round.blocked),
                   differ("dealer shown", naive.dealer_shown, round.dealer_shown),
                   differ("was blocked", naive.was_blocked, round.count_differed),
                   differ_lists("wager", naive.wagers, plain_list(round.wagers))});
}

Difference differ_desk(const NaiveTable& naive, const TableSession& session) {
  Difference no = first_of({differ("number", naive.last_number, session.last_number().value()),
                            differ("ended", naive.ended_count, session.ended_count()),
                            differ("open", naive.rounds.size(), session.rounds().size()),
                            differ("frozen", naive.frozen, session.frozen()),
                            differ("frozen by", naive.frozen_by, session.frozen_by().text())});
  if (no) return no;
  for (const Round& round : session.rounds()) {
    const auto found = naive.rounds.find(round.id.text());
    if (found == naive.rounds.end()) return "round " + round.id.text() + " is open";
    no = within([&found] { return found->first; }, differ_round(found->second, round));
    if (no) return no;
  }
  return std::nullopt;
}

}  // namespace

Difference difference(const Verdict& expected, const Entry& entry) {
  if (expected.kind != Verdict::Kind::entry) return "an entry where there must be none";
  if (Difference no = differ("entry", expected.entry, entry.number.value())) return no;
  const std::string found(name(entry.fact));
  if (expected.fact != found) {
    const auto* refused = std::get_if<MessageRefused>(&entry.fact);
    const auto* act = std::get_if<CommandRejected>(&entry.fact);
    const Refusal why = refused != nullptr ? refused->refusal
                        : act != nullptr   ? act->refusal
                                           : Refusal::none;
    return "expected " + expected.fact + " (" + std::string(name(expected.refusal)) + "), found " +
           found + " (" + std::string(name(why)) + ")";
  }
  return std::visit(DifferFact{expected}, entry.fact);
}

Difference difference(const Verdict& expected, const Decision& said) {
  if (const auto* entry = std::get_if<Entry>(&said)) return difference(expected, *entry);
  if (const auto* answer = std::get_if<Answer>(&said)) {
    if (expected.kind != Verdict::Kind::repeat) return "answered as a repeat, which it is not";
    if (Difference no = differ("entry of the answer", expected.entry, answer->entry.value())) {
      return no;
    }
    return differ("refusal of the answer", name(expected.refusal), name(answer->refusal));
  }
  if (expected.kind != Verdict::Kind::turned_away) {
    return "expected " + expected.fact +
           ", turned away: " + std::string(name(std::get<Refusal>(said)));
  }
  return differ("turned away", name(expected.refusal), name(std::get<Refusal>(said)));
}

Difference difference(const NaiveModel& model, const State& state, std::size_t first_claim) {
  if (Difference no = differ("entries", model.entries(), state.last_entry().value())) return no;
  for (std::uint32_t link = 0; link < model.books().size(); ++link) {
    Difference no = within([&] { return state.floor().links[link].id.text(); },
                           difference_of_book(model.books()[link], state.link(LinkIndex(link))));
    if (no) return no;
  }
  for (std::uint32_t table = 0; table < model.tables().size(); ++table) {
    Difference no = within([&] { return model.tables()[table].id; },
                           differ_desk(model.tables()[table], state.session(TableIndex(table))));
    if (no) return no;
  }
  if (Difference no = differ("claims", model.claims().size(), state.claims().size())) return no;
  for (std::size_t place = first_claim; place < model.claims().size(); ++place) {
    Difference no = within([place] { return "claim " + std::to_string(place + 1); },
                           difference_of_claim(model.claims()[place], state.claims()[place]));
    if (no) return no;
  }
  if (Difference no = difference_of_people(model, state)) return no;
  if (Difference no = difference_of_days(model, state)) return no;
  if (Difference no =
          differ("parameters of entry", model.configuration(), state.configuration().value())) {
    return no;
  }
  if (first_claim != 0) return std::nullopt;
  for (std::uint32_t link = 0; link < model.books().size(); ++link) {
    const LinkBalances& book = state.link(LinkIndex(link));
    for (std::size_t level = 0; level < book.levels.size(); ++level) {
      if (Difference no = differ("calls that stand", model.calls(link, static_cast<int>(level)),
                                 book.levels[level].last_hit)) {
        return no;
      }
    }
  }
  return std::nullopt;
}

}  // namespace linkmeter
