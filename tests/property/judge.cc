#include "tests/property/judge.h"

#include <algorithm>
#include <set>

namespace linkmeter {

namespace {

using Difference = std::optional<std::string>;

template <class Left, class Right>
Difference differ(const std::string& what, const Left& expected, const Right& found) {
  if (expected == found) return std::nullopt;
  const auto text = [](const auto& value) {
    if constexpr (requires { std::string(value); }) {
      return std::string(value);
    } else {
      return exact_text(Exact{static_cast<Exact>(value)} * 100'000'000);
    }
  };
  return what + ": expected " + text(expected) + ", found " + text(found);
}

Difference differ_money(const std::string& what, Exact expected, Amount found) {
  if (expected == Exact{found.units()}) return std::nullopt;
  return what + ": expected " + exact_text(expected) + ", found " + exact_text(found.units());
}

std::string text(const NaiveWager& wager) {
  return "seat " + std::to_string(wager.seat) + " link " + std::to_string(wager.link) + " " +
         exact_text(Exact{wager.cents} * exact_cent);
}

std::string text(const NaiveCall& call) {
  return "link " + std::to_string(call.link) + " level " + std::to_string(call.level) +
         (call.whole ? " whole " : " part ") + exact_text(call.amount);
}

std::string text(const NaiveAward& award) {
  return std::string(award.is_envy ? "envy" : "line") + " link " + std::to_string(award.link) +
         " seat " + std::to_string(award.seat) + " holder " + std::to_string(award.holder) + " " +
         award.line + " level " + std::to_string(award.level) + (award.whole ? " whole " : " ") +
         exact_text(award.amount) + " claim " + std::to_string(award.claim);
}

NaiveWager plain(const PlacedWager& wager) {
  // A fraction of a cent is not lost: it shows as a wager of its own.
  const std::int64_t units = wager.amount.units();
  return {wager.seat.value(), wager.link.value(),
          units % exact_cent == 0 ? units / exact_cent : -units};
}

NaiveCall plain(const MeterCall& call) {
  return {call.link.value(), call.level.value(), call.whole, call.amount.units()};
}

NaiveAward plain(const Award& award) {
  NaiveAward plain;
  plain.is_envy = award.kind == AwardKind::envy;
  plain.link = award.link.value();
  plain.seat = award.seat.value();
  if (award.holder) plain.holder = award.holder->value();
  plain.line = award.line.text();
  if (award.level) plain.level = award.level->value();
  plain.whole = award.whole_meter;
  plain.amount = award.amount.units();
  if (award.claim) plain.claim = award.claim->value();
  return plain;
}

template <class Naive>
Difference differ_lists(const std::string& what, const std::vector<Naive>& expected,
                        const std::vector<Naive>& found) {
  if (Difference no = differ(what + ": how many", expected.size(), found.size())) return no;
  for (std::size_t place = 0; place < expected.size(); ++place) {
    const std::string which = what + " " + std::to_string(place + 1);
    if (Difference no = differ(which, text(expected[place]), text(found[place]))) return no;
  }
  return std::nullopt;
}

template <class Core>
auto plain_list(const std::vector<Core>& list) {
  std::vector<decltype(plain(list.front()))> plains;
  for (const Core& one : list) plains.push_back(plain(one));
  return plains;
}

// The rules order the awards of one link; between the links of one seat they say nothing, so that
// awards are compared link by link. The claims' numbers hold the order over all links.
std::vector<NaiveAward> by_link(std::vector<NaiveAward> awards) {
  std::stable_sort(
      awards.begin(), awards.end(),
      [](const NaiveAward& left, const NaiveAward& right) { return left.link < right.link; });
  return awards;
}

struct DifferFact {
  const Verdict& expected;

  Difference settled(const std::vector<MeterCall>& calls, const std::vector<Award>& awards) const {
    if (Difference no = differ_lists("call", expected.calls, plain_list(calls))) return no;
    return differ_lists("award", by_link(expected.awards), by_link(plain_list(awards)));
  }
  Difference wagers(const std::vector<PlacedWager>& found) const {
    return differ_lists("wager", expected.wagers, plain_list(found));
  }

  Difference operator()(const FloorOpened&) const { return "the floor opened again"; }
  Difference operator()(const RoundLocked& fact) const { return wagers(fact.wagers); }
  Difference operator()(const CountDiffered& fact) const {
    if (Difference no = differ("chips expected", expected.wagers.size(), fact.chips_expected)) {
      return no;
    }
    return wagers(fact.wagers);
  }
  Difference operator()(const CountResolved& fact) const { return wagers(fact.wagers); }
  Difference operator()(const HandsShown& fact) const { return settled(fact.calls, fact.awards); }
  Difference operator()(const RoundClosed&) const { return std::nullopt; }
  Difference operator()(const RoundVoided& fact) const { return wagers(fact.returned); }
  Difference operator()(const PotPlayed& fact) const {
    const Exact share = expected.wagers.empty() ? 0 : Exact{expected.wagers.front().cents};
    if (Difference no = differ_money("contribution", share * exact_cent, fact.contribution)) {
      return no;
    }
    return settled(fact.calls, fact.awards);
  }
  Difference operator()(const MessageRefused& fact) const {
    return differ("refusal", name(expected.refusal), name(fact.refusal));
  }
  Difference operator()(const ClaimValidated&) const { return std::nullopt; }
  Difference operator()(const ClaimPaid&) const { return std::nullopt; }
};

Difference differ_pool(const std::string& where, const NaivePool& naive, const PoolBook& pool) {
  const std::pair<const char*, std::pair<Exact, Amount>> figures[] = {
      {"amount", {naive.held, pool.held}},
      {"withheld", {naive.withheld, pool.withheld}},
      {"pending", {naive.pending, pool.pending}},
      {"paid", {naive.paid, pool.paid}},
      {"contributed", {naive.contributed, pool.contributed}},
      {"seeded", {naive.seeded, pool.seeded}},
      {"corrected", {0, pool.corrected}},
      {"transferred", {0, pool.transferred}}};
  for (const auto& [what, values] : figures) {
    if (Difference no = differ_money(where + " " + what, values.first, values.second)) return no;
  }
  return std::nullopt;
}

Difference differ_book(const std::string& where, const NaiveBook& naive, const LinkBook& book) {
  if (Difference no = differ(where + " levels", naive.levels.size(), book.levels.size())) return no;
  for (std::size_t place = 0; place < naive.levels.size(); ++place) {
    const std::string level = where + " level " + std::to_string(place);
    const NaivePool& pool = naive.levels[place];
    const LevelBook& found = book.levels[place];
    if (Difference no = differ_pool(level, pool, found.pool)) return no;
    if (Difference no = differ(level + " hits", pool.hits, found.hits)) return no;
    if (Difference no = differ(level + " partial hits", pool.partial_hits, found.partial_hits)) {
      return no;
    }
  }
  if (Difference no = differ_pool(where + " reserve", naive.reserve, book.reserve)) return no;
  if (Difference no = differ(where + " tables", naive.counts.size(), book.tables.size())) return no;
  for (std::size_t place = 0; place < naive.counts.size(); ++place) {
    const NaiveCount& count = naive.counts[place];
    const TableCount& found = book.tables[place];
    const std::string table = where + " table " + std::to_string(count.table);
    if (Difference no = differ(table, count.table, found.table.value())) return no;
    if (Difference no = differ(table + " rounds", count.rounds, found.rounds)) return no;
    if (Difference no = differ(table + " wagers", count.wagers, found.wagers)) return no;
    if (Difference no = differ_money(table + " handle", count.handle, found.handle)) return no;
  }
  return std::nullopt;
}

Difference differ_desk(const NaiveTable& naive, const Desk& desk) {
  const std::string& where = naive.id;
  if (Difference no = differ(where + " number", naive.last_number, desk.last_number().value())) {
    return no;
  }
  if (Difference no = differ(where + " ended", naive.ended_count, desk.ended_count())) return no;
  if (Difference no = differ(where + " open", naive.rounds.size(), desk.rounds().size())) return no;
  for (const Round& found : desk.rounds()) {
    const auto round = naive.rounds.find(found.id.text());
    if (round == naive.rounds.end()) return where + ": round " + found.id.text() + " is open";
    const std::string which = where + " " + round->first;
    const NaiveRound& one = round->second;
    std::set<int> shown;
    for (const Seat seat : found.shown) shown.insert(seat.value());
    if (Difference no = differ(which + " blocked", one.blocked, found.blocked)) return no;
    if (Difference no = differ(which + " dealer", one.dealer_shown, found.dealer_shown)) return no;
    if (Difference no = differ(which + " claim", one.claim_raised, found.claim_raised)) return no;
    if (one.shown != shown) return which + ": other seats are shown";
    if (Difference no = differ_lists(which, one.wagers, plain_list(found.wagers))) return no;
  }
  return std::nullopt;
}

Difference differ_claim(const std::string& which, const NaiveClaim& naive, const Claim& claim) {
  const NaiveAward& award = naive.award;
  if (Difference no = differ(which + " entry", naive.entry, claim.entry.value())) return no;
  if (Difference no = differ(which + " link", naive.link, claim.link.value())) return no;
  if (Difference no = differ(which + " table", naive.table, claim.table.value())) return no;
  if (Difference no = differ(which + " round", naive.round, claim.round.text())) return no;
  if (Difference no = differ(which + " seat", award.seat, claim.seat.value())) return no;
  if (Difference no = differ(which + " line", award.line, claim.line.text())) return no;
  const int level = claim.level ? claim.level->value() : -1;
  if (Difference no = differ(which + " level", award.level, level)) return no;
  if (Difference no = differ_money(which + " amount", award.amount, claim.amount)) return no;
  const std::string step = naive.step == NaiveClaim::Step::raised      ? "raised"
                           : naive.step == NaiveClaim::Step::validated ? "validated"
                                                                       : "paid";
  if (Difference no = differ(which + " state", step, name(claim.state))) return no;
  if (naive.source != claim.source) return which + ": another source";
  if (Difference no = differ(which + " by", naive.validated_by, claim.validated_by.text())) {
    return no;
  }
  return differ(which + " paid by", naive.paid_by, claim.paid_by.text());
}

}  // namespace

Difference difference(const Verdict& expected, const Entry& entry) {
  if (expected.kind != Verdict::Kind::entry) return "an entry where there must be none";
  if (Difference no = differ("entry", expected.entry, entry.number.value())) return no;
  const std::string found(name(entry.fact));
  if (expected.fact != found) {
    const auto* refused = std::get_if<MessageRefused>(&entry.fact);
    return "expected " + expected.fact + " (" + std::string(name(expected.refusal)) + "), found " +
           found + (refused == nullptr ? "" : " (" + std::string(name(refused->refusal)) + ")");
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
    return "expected " + expected.fact + ", turned away: " +
           std::string(name(std::get<Refusal>(said)));
  }
  return differ("turned away", name(expected.refusal), name(std::get<Refusal>(said)));
}

Difference difference(const NaiveModel& model, const State& state, std::size_t first_claim) {
  if (Difference no = differ("entries", model.entries(), state.last_entry().value())) return no;
  for (std::uint32_t link = 0; link < model.books().size(); ++link) {
    const std::string where = state.floor().link(LinkPlace(link)).id.text();
    if (Difference no = differ_book(where, model.books()[link], state.link(LinkPlace(link)))) {
      return no;
    }
  }
  for (std::uint32_t table = 0; table < model.tables().size(); ++table) {
    if (Difference no = differ_desk(model.tables()[table], state.desk(TablePlace(table)))) {
      return no;
    }
  }
  if (Difference no = differ("claims", model.claims().size(), state.claims().size())) return no;
  for (std::size_t place = first_claim; place < model.claims().size(); ++place) {
    const std::string which = "claim " + std::to_string(place + 1);
    if (Difference no = differ_claim(which, model.claims()[place], state.claims()[place])) {
      return no;
    }
  }
  return std::nullopt;
}

}  // namespace linkmeter
