#include "controller/accounting/explain/explanation.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "controller/accounting/export/posting_row.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/view/display_names.h"
#include "meters/facts/settled.h"
#include "meters/values/int128.h"
#include "meters/values/rate.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

// The parts of a flow, by their names in JSON.
constexpr std::array<std::pair<const char*, Amount PoolMovements::*>, 9> flow_parts{
    {{"contributed", &PoolMovements::contributed},
     {"withheld", &PoolMovements::withheld},
     {"overflowed", &PoolMovements::overflowed},
     {"seeded", &PoolMovements::seeded},
     {"from_reserve", &PoolMovements::from_reserve},
     {"awarded", &PoolMovements::awarded},
     {"returned", &PoolMovements::returned},
     {"corrected", &PoolMovements::corrected},
     {"transferred", &PoolMovements::transferred}}};

PoolMovements flow_of_hit(const JackpotHit& hit, Pool pool) {
  PoolMovements flow;
  flow.from_reserve = pool.is_reserve() ? -hit.from_reserve : hit.from_reserve;
  if (pool.is_reserve()) return flow;
  flow.awarded = -hit.amount;
  flow.seeded = hit.reseeded;
  return flow;
}

// The postings of one pool balance, except for what a hit or a rejection moved between the reserve
// and a meter. That is the remainder.
PoolMovements flow_of_postings(const Entry& entry, LinkIndex link, Pool pool) {
  PoolMovements flow;
  Amount held;
  const bool rejects = !settled(entry).rejected.empty();
  for (const Posting& posting : entry.postings) {
    if (posting.link != link || posting.pool != pool) continue;
    switch (posting.account) {
      case Account::meter:
      case Account::reserve: held += posting.amount; break;
      case Account::withheld: flow.withheld -= posting.amount; break;
      // A hit adds to `pending`, and a rejection takes it away. A payment takes away from `pending`
      // what it adds to `paid`, so the two cancel.
      case Account::pending:
      case Account::paid:
        (rejects && posting.amount < Amount() ? flow.returned : flow.awarded) -= posting.amount;
        break;
      case Account::wagers: flow.contributed -= posting.amount; break;
      case Account::seed_funding: flow.seeded -= posting.amount; break;
      case Account::corrections: flow.corrected -= posting.amount; break;
      case Account::transfers: flow.transferred -= posting.amount; break;
      case Account::overflow: flow.overflowed -= posting.amount; break;
    }
  }
  flow.from_reserve = held - flow.sum();
  return flow;
}

// What an entry posts to a pool: first what does not belong to a hit, then each hit, in order.
struct PoolMovement {
  PoolMovements flow;
  const JackpotHit* hit = nullptr;  // nullptr: the first step
  std::uint32_t number = 0;         // of the hit in its entry, from 1
};

std::vector<PoolMovement> steps_of(const Entry& entry, LinkIndex link, Pool pool) {
  std::vector<PoolMovement> steps{{flow_of_postings(entry, link, pool), nullptr, 0}};
  std::uint32_t number = 0;
  for (const JackpotHit& hit : *settled(entry).hits) {
    ++number;
    if (hit.link != link || (!pool.is_reserve() && hit.level != pool.level_index())) continue;
    steps.push_back({flow_of_hit(hit, pool), &hit, number});
    steps.front().flow.add(steps.back().flow, -1);
  }
  return steps;
}

// A hit of a meter, as its entry records it.
struct FoundHit {
  EntryNumber entry;
  std::uint32_t number = 0;
  bool whole = false;
  std::vector<ClaimNumber> claims;
};

std::vector<ClaimNumber> claims_of_hit(const Entry& entry, const PoolMovement& step) {
  std::vector<ClaimNumber> claims;
  for (const Award& award : *settled(entry).awards) {
    const bool is_of_hit = award.level && award.link == step.hit->link &&
                           *award.level == step.hit->level && award.hit == step.number;
    if (is_of_hit && award.claim) claims.push_back(*award.claim);
  }
  return claims;
}

Amount contributed_by(Amount handle, Rate rate) {
  return handle < Amount() ? -contribution(-handle, rate) : contribution(handle, rate);
}

bool has_same_counts(const LevelBalances& left, const LevelBalances& right) {
  return left.hits == right.hits && left.partial_hits == right.partial_hits &&
         left.last_hit == right.last_hit && left.pool.seeded == right.pool.seeded &&
         left.pool.pending == right.pool.pending && left.pool.paid == right.pool.paid;
}

// What a pool received in gaming days that have ended, from the readings at their beginning and end
// alone. Day N is the Nth that ended.
//
// Law: the readings explain a day only if they show that nothing but accruals and voids touched the
// pool, under one set of terms; otherwise its entries must be read (is_quiet).
class PoolDays {
 public:
  // Both must outlive this. Days that end after `asked.at` are never quiet. Throws Fault.
  PoolDays(const Journal& journal, const ExplainBasis& basis, const ExplainRequest& request)
      : journal_(journal), basis_(basis), asked_(request) {
    // Every configuration names the one before it.
    for (EntryNumber next = basis_.configuration; next != EntryNumber();) {
      const Entry entry = entry_at(journal_, next);
      if (auto found = configuration_of(entry)) configurations_[next] = std::move(found->floor);
      const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
      const auto* change =
          confirmed == nullptr ? nullptr : std::get_if<ChangeParameters>(&confirmed->act);
      next = change != nullptr && change->since < next ? change->since : EntryNumber();
    }
  }

  // At the end of the day. REQUIRES: it has ended. Throws Fault.
  const LinkReading& reading(std::size_t day) {
    const auto found = readings_.find(day);
    if (found != readings_.end()) return found->second;
    const EntryNumber ended = basis_.days[day].ended;
    const Entry entry = entry_at(journal_, ended);
    const auto* fact = std::get_if<DayEnded>(&entry.fact);
    if (fact == nullptr || asked_.link.value() >= fact->reading.size()) {
      throw Fault("entry " + std::to_string(ended.value()) + " is not the reading of a day");
    }
    return readings_.emplace(day, fact->reading[asked_.link.value()]).first->second;
  }

  // Whether the two readings explain the whole day. Never for the first day or an open one.
  bool is_quiet(std::size_t day) {
    if (day == 0 || day >= basis_.days.size()) return false;
    const EntryNumber ended = basis_.days[day].ended;
    if (ended > asked_.at || has_other_terms(basis_.days[day - 1].ended, ended)) return false;
    const LinkBalances& begin = reading(day - 1).book;
    const LinkBalances& end = reading(day).book;
    for (std::size_t at = 0; at < begin.levels.size(); ++at) {
      const LevelIndex level(static_cast<std::uint8_t>(at));
      if (is_ours(level) && !has_same_counts(begin.levels[at], end.levels[at])) return false;
    }
    if (has_claims(day)) return false;
    const PoolMovements came = flow(day);
    PoolMovements quiet;
    quiet.contributed = came.contributed;
    quiet.withheld = came.withheld;
    quiet.overflowed = came.overflowed;
    Amount by_tables;
    for (const TableShare& table : tables(day)) by_tables += table.contributed;
    return came == quiet && by_tables == came.contributed;
  }

  // REQUIRES: the day has ended, and is not the first.
  PoolMovements flow(std::size_t day) {
    const PoolBalances& begin = reading(day - 1).book.pool(asked_.pool);
    const PoolBalances& end = reading(day).book.pool(asked_.pool);
    PoolMovements flow;
    flow.contributed = end.contributed - begin.contributed;
    flow.withheld = end.withheld - begin.withheld;
    flow.overflowed = begin.overflowed - end.overflowed;
    flow.seeded = end.seeded - begin.seeded;
    flow.awarded = begin.pending + begin.paid - end.pending - end.paid;
    flow.corrected = end.corrected - begin.corrected;
    flow.transferred = end.transferred - begin.transferred;
    flow.from_reserve = end.held - begin.held - flow.sum();
    return flow;
  }

  // What each table contributed. REQUIRES: also that the terms did not change in the day.
  std::vector<TableShare> tables(std::size_t day) {
    const LinkBalances& begin = reading(day - 1).book;
    const LinkBalances& end = reading(day).book;
    const auto terms = std::prev(configurations_.upper_bound(basis_.days[day].ended));
    const LinkConfig& link = terms->second.link(asked_.link);
    const Rate rate = asked_.pool.is_reserve()
                          ? link.reserve_rate
                          : link.levels[asked_.pool.level_index().value()].rate;
    std::vector<TableShare> tables;
    for (std::size_t at = 0; at < end.tables.size() && at < begin.tables.size(); ++at) {
      const Amount handle = end.tables[at].handle - begin.tables[at].handle;
      if (handle == Amount()) continue;
      tables.push_back({end.tables[at].table, contributed_by(handle, rate)});
    }
    return tables;
  }

 private:
  [[nodiscard]] bool is_ours(LevelIndex level) const {
    return asked_.pool.is_reserve() || level == asked_.pool.level_index();
  }
  [[nodiscard]] bool has_other_terms(EntryNumber before, EntryNumber ended) const {
    const auto after = configurations_.upper_bound(before);
    return after != configurations_.end() && after->first <= ended;
  }
  // The counts of two readings hide a hit and its rejection; claims do not.
  [[nodiscard]] bool has_claims(std::size_t day) const {
    const DayRecord& ended = basis_.days[day];
    const DayRecord& before = basis_.days[day - 1];
    return std::any_of(basis_.claims.begin(), basis_.claims.end(), [&](const Claim& claim) {
      if (claim.link != asked_.link || !claim.level || !is_ours(*claim.level)) return false;
      return (before.ended < claim.entry && claim.entry <= ended.ended) ||
             (claim.state == ClaimState::rejected && before.ends_at <= claim.rejected_at &&
              claim.rejected_at <= ended.ends_at);
    });
  }

  const Journal& journal_;
  const ExplainBasis& basis_;
  ExplainRequest asked_;
  std::map<EntryNumber, Floor> configurations_;  // by the entry they took effect with
  std::map<std::size_t, LinkReading> readings_;
};

class Explaining {
 public:
  Explaining(const Journal& journal, const ExplainBasis& basis, const ExplainRequest& request,
             const std::function<void(std::uint64_t)>& progress)
      : journal_(journal), basis_(basis), asked_(request), progress_(progress) {
    said_.link = request.link;
    said_.pool = request.pool;
    said_.claim = request.claim;
    if (request.claim) aim_at_claim();
    said_.at = asked_.at;
    if (said_.is_fixed()) return;
    days_.emplace(journal, basis, asked_);
  }

  Explanation make() {
    if (said_.is_fixed()) return std::move(said_);
    const std::size_t last = segment_of(asked_.at);
    const std::size_t first = find_start(last);
    Amount counted = first == 0 ? Amount() : days_->reading(first - 1).book.pool(asked_.pool).held;
    for (std::size_t at = first; at <= last; ++at) {
      if (at > first && !asked_.with_rounds && days_->is_quiet(at)) {
        take_readings(at);
        counted = days_->reading(at).book.pool(asked_.pool).held;
      } else {
        counted = scan(at, counted);
      }
    }
    said_.balance = counted;
    if (!asked_.claim && asked_.at == basis_.last_entry) {
      said_.balance = basis_.held;
    }
    if (meter_before_ != Amount()) said_.balance = meter_before_;
    if (said_.sum() != said_.balance) {
      throw Fault("the parts of the meter come to " + text_exact(said_.sum()) + ", and it is " +
                  text_exact(said_.balance) + "; run: linkmeter audit --data DIR");
    }
    find_earlier();
    return std::move(said_);
  }

 private:
  void aim_at_claim() {
    const Claim* claim = basis_.find_claim(*asked_.claim);
    if (claim == nullptr) {
      throw Fault("there is no claim " + std::to_string(asked_.claim->value()));
    }
    said_.link = asked_.link = claim->link;
    asked_.at = claim->entry;
    if (claim->level) said_.pool = asked_.pool = Pool::level(*claim->level);
    read(claim->entry, claim->entry, [&](const Entry& entry) {
      said_.payout = claim_payout(entry, *claim);
      const Settled outcome = settled(entry);
      for (const Award& award : *outcome.awards) {
        if (award.claim == asked_.claim) stop_before_ = award.hit;
      }
      if (stop_before_ == 0 || stop_before_ > outcome.hits->size()) return;
      meter_before_ = (*outcome.hits)[stop_before_ - 1].meter_before;
    });
    if (!said_.payout) throw Fault("the entry of the claim has no award of it");
    if (stop_before_ == 0 && claim->level)
      throw Fault("the claim's entry is too old to tell its call");
  }

  void read(EntryNumber first, EntryNumber last, const std::function<void(const Entry&)>& visit) {
    read_between(journal_, first, last, [&](const Entry& entry, const Digest&) {
      ++said_.entries_read;
      if (progress_) progress_(said_.entries_read);
      visit(entry);
    });
  }

  // Segment N holds the entries of the Nth day that ended; the last segment those of the open day.
  [[nodiscard]] std::size_t segment_of(EntryNumber entry) const {
    const auto& days = basis_.days;
    return static_cast<std::size_t>(
        std::partition_point(days.begin(), days.end(),
                             [entry](const DayRecord& day) { return day.ended < entry; }) -
        days.begin());
  }
  [[nodiscard]] EntryNumber first_of(std::size_t segment) const {
    return segment == 0 ? EntryNumber(1) : basis_.days[segment - 1].ended.next();
  }
  [[nodiscard]] EntryNumber last_of(std::size_t segment) const {
    return segment == basis_.days.size() ? asked_.at
                                         : std::min(asked_.at, basis_.days[segment].ended);
  }

  void take_readings(std::size_t segment) {
    DayShare day{text(basis_.days[segment].day), first_of(segment),      last_of(segment),
                 days_->flow(segment),           days_->tables(segment), true};
    said_.flow.add(day.flow);
    said_.days.push_back(std::move(day));
    ++said_.days_by_readings;
  }

  // The segment of the last 100% award that was not undone. Counting begins there.
  std::size_t find_start(std::size_t last) {
    for (std::size_t at = last;; --at) {
      if (!days_->is_quiet(at)) {
        std::vector<FoundHit> hits = find_hits(at);
        std::reverse(hits.begin(), hits.end());
        for (const FoundHit& hit : hits) {
          const bool is_start = hit.whole && !is_undone(hit);
          found_.push_back(hit);
          if (is_start && !start_) start_ = hit;
        }
        if (start_) return at;
      }
      if (at == 0) return 0;
    }
  }
  std::vector<FoundHit> find_hits(std::size_t segment) {
    std::vector<FoundHit> hits;
    read(first_of(segment), last_of(segment), [&](const Entry& entry) {
      const Settled outcome = settled(entry);
      undone_.insert(outcome.undone.begin(), outcome.undone.end());
      if (outcome.hits->empty()) return;
      for (const PoolMovement& step : steps_of(entry, asked_.link, asked_.pool)) {
        if (step.hit == nullptr || is_beyond(entry.number, step)) continue;
        hits.push_back({entry.number, step.number, step.hit->whole, claims_of_hit(entry, step)});
      }
    });
    return hits;
  }
  [[nodiscard]] bool is_beyond(EntryNumber entry, const PoolMovement& step) const {
    return stop_before_ != 0 && entry == asked_.at && step.number >= stop_before_;
  }
  [[nodiscard]] bool is_undone(const FoundHit& hit) const {
    return std::any_of(hit.claims.begin(), hit.claims.end(),
                       [this](ClaimNumber claim) { return undone_.contains(claim); });
  }

  // Counts the segment's entries. `held`: the balance before them. Returns the balance after them.
  Amount scan(std::size_t segment, Amount held) {
    DayShare day{day_text(basis_.days, last_of(segment)), first_of(segment), last_of(segment)};
    std::map<TableIndex, TableShare> tables;
    read(first_of(segment), last_of(segment), [&](const Entry& entry) {
      for (const PoolMovement& step : steps_of(entry, asked_.link, asked_.pool)) {
        if (is_beyond(entry.number, step)) break;
        take(entry, step, held, day, tables);
        held += step.flow.sum();
      }
    });
    for (auto& [place, table] : tables) day.tables.push_back(std::move(table));
    if (said_.since == EntryNumber()) return held;
    day.first = std::max(day.first, said_.since);
    said_.flow.add(day.flow);
    said_.days.push_back(std::move(day));
    return held;
  }
  void take(const Entry& entry, const PoolMovement& step, Amount held, DayShare& day,
            std::map<TableIndex, TableShare>& tables) {
    if (said_.since == EntryNumber()) {
      begin(entry, step, held);
      return;
    }
    day.flow.add(step.flow);
    if (step.flow.contributed != Amount() && entry.origin) {
      TableShare& table = tables.try_emplace(entry.origin->table).first->second;
      table.table = entry.origin->table;
      table.contributed += step.flow.contributed;
      if (asked_.with_rounds) {
        table.rounds.push_back({entry.number, round_of(entry), step.flow.contributed});
      }
    }
    note(entry, step);
  }
  // Begins the window if this is its award, or the opening.
  void begin(const Entry& entry, const PoolMovement& step, Amount held) {
    const bool is_opening = !start_ && entry.number == EntryNumber(1);
    const bool is_start = start_ && start_->entry == entry.number && step.hit != nullptr &&
                          step.number == start_->number;
    if (!is_opening && !is_start) return;
    said_.since = entry.number;
    said_.since_at = entry.recorded_at;
    said_.seeded = step.flow.seeded;
    if (is_opening) return;
    said_.is_since_award = true;
    said_.award = step.hit->amount;
    said_.kept = held + (asked_.pool.is_reserve() ? step.flow.from_reserve : step.flow.awarded);
    if (!asked_.pool.is_reserve()) said_.from_reserve = step.flow.from_reserve;
  }
  static RoundId round_of(const Entry& entry) {
    if (const auto* locked = std::get_if<RoundLocked>(&entry.fact)) return locked->round;
    if (const auto* resolved = std::get_if<CountResolved>(&entry.fact)) return resolved->round;
    const Settled outcome = settled(entry);
    return outcome.round == nullptr ? RoundId() : *outcome.round;
  }
  void note(const Entry& entry, const PoolMovement& step) {
    PoolEvent event{entry.number, entry.recorded_at, "", step.flow.sum(), {}};
    if (step.hit != nullptr) {
      event.kind = step.hit->whole ? "award" : "share";
      event.claims = claims_of_hit(entry, step);
    } else if (Settled outcome = settled(entry); !outcome.rejected.empty()) {
      event.kind = "rejected";
      event.claims = std::move(outcome.rejected);
    } else if (step.flow.corrected != Amount()) {
      event.kind = "correction";
    } else if (step.flow.transferred != Amount()) {
      event.kind = "transfer";
    }
    tell_other(entry, step, event);
    // The rejection concerns another pool, or the hit did not touch the reserve. A void that
    // rejects claims also returns contributions, which are not counted here.
    PoolMovements moved = step.flow;
    moved.contributed = moved.withheld = Amount();
    const bool is_nothing =
        moved == PoolMovements{} && (event.kind == "rejected" || asked_.pool.is_reserve());
    if (!event.kind.empty() && !is_nothing) said_.events.push_back(std::move(event));
  }

  // Names the other side of a transfer, or of an ending, which empties the pools of a link.
  void tell_other(const Entry& entry, const PoolMovement& step, PoolEvent& event) const {
    const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
    if (confirmed == nullptr) return;
    if (const auto* transfer = std::get_if<TransferMeter>(&confirmed->act)) {
      const bool is_source = step.flow.transferred < Amount();
      event.other = is_source ? transfer->to.text() + " " + transfer->to_level.text()
                              : transfer->from.text() + " " + transfer->from_level.text();
    } else if (const auto* end = std::get_if<Discontinue>(&confirmed->act)) {
      const bool is_source = basis_.link == end->link;
      if (is_source && step.flow != PoolMovements{}) event.kind = "discontinued";
      if (!is_source) {
        event.other = end->link.text();
      } else if (!end->to.empty()) {
        event.other = end->to.text() + " " + end->to_level.text();
      }
    }
  }

  void find_earlier() {
    std::set<EntryNumber, std::greater<>> entries;  // the latest first
    for (const FoundHit& hit : found_) entries.insert(hit.entry);
    for (const Claim& claim : basis_.claims) entries.insert(claim.entry);
    for (const EntryNumber at : entries) {
      if (said_.earlier.size() >= Explanation::earlier_max) break;
      if (at > said_.since) continue;
      read(at, at, [this](const Entry& entry) { tell_earlier(entry); });
    }
  }
  // The first one that is listed is the award that the window begins with.
  void tell_earlier(const Entry& entry) {
    std::vector<PoolMovement> steps = steps_of(entry, asked_.link, asked_.pool);
    std::reverse(steps.begin(), steps.end());
    for (const PoolMovement& step : steps) {
      if (step.hit == nullptr) continue;
      if (start_ && entry.number == start_->entry && step.number > start_->number) continue;
      const JackpotHit& hit = *step.hit;
      EarlierAward award{entry.number, entry.recorded_at,         hit.whole,
                         hit.amount,   hit.meter_before,          {},
                         false,        claims_of_hit(entry, step)};
      award.left = hit.meter_before - hit.amount + hit.reseeded + hit.from_reserve;
      award.is_rejected =
          !award.claims.empty() &&
          std::all_of(award.claims.begin(), award.claims.end(), [this](ClaimNumber claim) {
            const Claim* const raised = basis_.find_claim(claim);
            return raised != nullptr && raised->state == ClaimState::rejected;
          });
      said_.earlier.push_back(std::move(award));
    }
  }

  const Journal& journal_;
  const ExplainBasis& basis_;
  ExplainRequest asked_;
  const std::function<void(std::uint64_t)>& progress_;
  Explanation said_;
  std::uint32_t stop_before_ = 0;  // the hit of the last entry to stop before; 0: none
  Amount meter_before_;            // the meter before that hit; 0: not recorded
  std::optional<PoolDays> days_;
  std::vector<FoundHit> found_;
  std::set<ClaimNumber> undone_;
  std::optional<FoundHit> start_;
};

}  // namespace

Amount PoolMovements::sum() const {
  Amount all;
  for (const auto& [name, part] : flow_parts) all += this->*part;
  return all;
}

void PoolMovements::add(const PoolMovements& other, int sign) {
  for (const auto& [name, part] : flow_parts) {
    this->*part += sign < 0 ? -(other.*part) : other.*part;
  }
}

const Claim* ExplainBasis::find_claim(ClaimNumber number) const {
  const auto found = std::partition_point(
      claims.begin(), claims.end(), [number](const Claim& one) { return one.number < number; });
  return found != claims.end() && found->number == number ? &*found : nullptr;
}

ExplainBasis explain_basis(const State& state, const ExplainRequest& request) {
  LinkIndex link = request.link;
  Pool pool = request.pool;
  const Claim* const whose = request.claim ? state.find_claim(*request.claim) : nullptr;
  if (whose != nullptr && whose->level) {
    link = whose->link;
    pool = Pool::level(*whose->level);
  }
  ExplainBasis basis{
      state.last_entry(), state.configuration(), state.floor().link(link).id, {}, {}, {}};
  for (const DayRecord& day : state.days()) basis.days.push_back({day.day, day.ended, day.ends_at});
  for (const Claim& claim : state.claims()) {
    const bool is_ours = claim.link == link && claim.level &&
                         (pool.is_reserve() || *claim.level == pool.level_index());
    if (is_ours || claim.number == request.claim) basis.claims.push_back(claim);
  }
  const bool has_pool = whose == nullptr ? !request.claim : whose->level.has_value();
  if (has_pool) basis.held = state.link(link).pool(pool).held;
  return basis;
}

Explanation explain(const Journal& journal, const ExplainBasis& basis, ExplainRequest request,
                    const std::function<void(std::uint64_t)>& progress) {
  return Explaining(journal, basis, request, progress).make();
}

Explanation explain(const Journal& journal, const State& state, const ExplainRequest& request,
                    const std::function<void(std::uint64_t)>& progress) {
  return explain(journal, explain_basis(state, request), request, progress);
}

namespace {

std::string seat_text(Seat seat) { return "seat " + std::to_string(seat.value()); }

// The award before a payout limit reduced it.
Amount before_limit(const ClaimPayout& payout) {
  return payout.shares.size() == 1 ? payout.claim.uncut.value_or(payout.hit->amount)
                                   : payout.hit->amount;
}

std::string fixed_sentence(const ClaimPayout& payout) {
  const Amount amount = payout.claim.uncut.value_or(payout.claim.amount);
  const Amount wager = payout.claim.wager;
  std::string text = "a fixed award of " + text_cents(amount);
  if (wager <= Amount()) return text + ", which hangs on no wager";
  if (payout.kind == AwardKind::line && amount.units() % wager.units() == 0) {
    text += ": " + std::to_string(amount.units() / wager.units()) + " times";
  } else {
    text += ", on";
  }
  return text + " the wager of " + text_cents(wager);
}

std::string hit_sentence(const ClaimPayout& payout) {
  const JackpotHit& hit = *payout.hit;
  const Amount taken = before_limit(payout);
  const std::optional<int> percent = percent_of(hit, taken);
  const std::string part = percent ? std::to_string(*percent) + "%" : "a percentage";
  if (hit.meter_before == Amount()) {
    return part + " of the meter: " + text_cents(taken) +
           "; the entry is too old to say what the meter was";
  }
  return part + " of the meter, which stood at " + text_exact(hit.meter_before) +
         ", in whole cents: " + text_cents(taken);
}

}  // namespace

std::optional<ClaimPayout> claim_payout(const Entry& entry, const Claim& claim) {
  const Settled outcome = settled(entry);
  std::optional<ClaimPayout> payout;
  for (const Award& award : *outcome.awards) {
    if (award.claim != claim.number) continue;
    payout = ClaimPayout{claim, award.kind, award.holder, {}, {}};
    const std::vector<JackpotHit>& hits = *outcome.hits;
    if (award.level && award.hit >= 1 && award.hit <= hits.size()) {
      payout->hit = hits[award.hit - 1];
      for (const Award& other : *outcome.awards) {
        if (other.level && other.hit == award.hit) {
          payout->shares.push_back({other.seat, other.claim, other.amount});
        }
      }
    }
  }
  return payout;
}

std::optional<int> percent_of(const JackpotHit& hit, Amount before_limit) {
  constexpr int whole = 100;
  if (hit.whole) return whole;
  std::optional<int> found;
  for (int percent = 1; percent < whole; ++percent) {
    const Int128 part = Int128{hit.meter_before.units()} * percent / whole;
    if (part - part % Amount::units_per_cent != before_limit.units()) continue;
    if (found) return std::nullopt;
    found = percent;
  }
  return found;
}

std::vector<std::string> payout_sentences(const ClaimPayout& payout, const Floor& floor) {
  const Claim& claim = payout.claim;
  std::vector<std::string> all;
  std::string whose = seat_text(claim.seat) + " at " + table_name(floor, claim.table) + ", round " +
                      claim.round.text() + ", " + claim.line.text();
  if (payout.kind == AwardKind::envy) whose += ", envy";
  if (payout.kind != AwardKind::line && payout.kind != AwardKind::envy) {
    whose += ", " + std::string(name(payout.kind));
  }
  if (payout.holder) whose += " for the hand of " + seat_text(*payout.holder);
  if (claim.on_dealer) whose += ", won by the dealer's hand";
  all.push_back(std::move(whose));
  all.push_back(payout.hit ? hit_sentence(payout) : fixed_sentence(payout));
  if (payout.shares.size() > 1) {
    std::string shared = "shared by";
    for (const ClaimPayout::Share& share : payout.shares) {
      shared += std::string(&share == payout.shares.data() ? " " : ", ") + seat_text(share.seat) +
                ": " + text_cents(share.amount);
    }
    all.push_back(std::move(shared));
  }
  if (claim.uncut) {
    all.push_back("cut by the payout limit from " + text_cents(*claim.uncut) + " to " +
                  text_cents(claim.amount));
  }
  all.push_back("claim " + std::to_string(claim.number.value()) + " is " +
                text_cents(claim.amount) + ", " + std::string(name(claim.state)));
  return all;
}

namespace {

Json payout_json(const ClaimPayout& payout, const Floor& floor) {
  const Claim& claim = payout.claim;
  Json json{{"kind", name(payout.kind)},
            {"line", claim.line.text()},
            {"table", table_name(floor, claim.table)},
            {"round", claim.round.text()},
            {"seat", claim.seat.value()},
            {"holder", payout.holder ? Json(payout.holder->value()) : Json()},
            {"on", claim.on_dealer ? Json("dealer") : Json()},
            {"wager", claim.wager == Amount() ? Json() : Json(text_cents(claim.wager))},
            {"amount", text_cents(claim.amount)},
            {"uncut", cents_or_null(claim.uncut)},
            {"meter", nullptr},
            {"sentences", payout_sentences(payout, floor)}};
  if (!payout.hit) return json;
  const JackpotHit& hit = *payout.hit;
  const std::optional<int> percent = percent_of(hit, before_limit(payout));
  const auto share_json = [](const ClaimPayout::Share& share) {
    return Json{{"seat", share.seat.value()},
                {"claim", share.claim ? Json(share.claim->value()) : Json()},
                {"amount", text_cents(share.amount)}};
  };
  json["meter"] =
      Json{{"stood", hit.meter_before == Amount() ? Json() : Json(text_exact(hit.meter_before))},
           {"percent", percent ? Json(*percent) : Json()},
           {"taken", text_cents(hit.amount)},
           {"shares", json_list(payout.shares, share_json)}};
  return json;
}

Json day_share_json(const DayShare& day, const Floor& floor, bool with_rounds) {
  const auto round_json = [](const RoundShare& round) {
    return Json{{"round", round.round.text()},
                {"entry", round.entry.value()},
                {"contributed", text_exact(round.contributed)}};
  };
  const auto table_json = [&](const TableShare& table) {
    Json one{{"table", table_name(floor, table.table)},
             {"contributed", text_exact(table.contributed)}};
    if (with_rounds) one["rounds"] = json_list(table.rounds, round_json);
    return one;
  };
  return Json{{"day", text_or_null(day.day)},
              {"entries", Json::array({day.first.value(), day.last.value()})},
              {"contributed", text_exact(day.flow.contributed)},
              {"change", text_exact(day.flow.sum())},
              {"by", day.is_by_readings ? "readings" : "entries"},
              {"tables", json_list(day.tables, table_json)}};
}

Json since_json(const Explanation& explanation) {
  return Json{{"entry", explanation.since.value()},
              {"at", text(explanation.since_at)},
              {"kind", explanation.is_since_award ? "award" : "opening"},
              {"award", explanation.is_since_award ? Json(text_exact(explanation.award)) : Json()},
              {"kept", text_exact(explanation.kept)},
              {"seeded", text_exact(explanation.seeded)},
              {"from_reserve", text_exact(explanation.from_reserve)}};
}

Json parts_json(const PoolMovements& flow) {
  Json parts = Json::object();
  for (const auto& [name, part] : flow_parts) parts[name] = text_exact(flow.*part);
  return parts;
}

Json event_json(const PoolEvent& event) {
  return Json{{"entry", event.entry.value()},
              {"at", text(event.at)},
              {"kind", event.kind},
              {"amount", text_exact(event.amount)},
              {"claims", numbers_json(event.claims)},
              {"other", text_or_null(event.other)}};
}

Json earlier_json(const EarlierAward& award) {
  const bool is_told = award.meter_before != Amount();
  return Json{{"entry", award.entry.value()},
              {"at", text(award.at)},
              {"whole", award.whole},
              {"amount", text_cents(award.amount)},
              {"stood", is_told ? Json(text_exact(award.meter_before)) : Json()},
              {"left", is_told ? Json(text_exact(award.left)) : Json()},
              {"rejected", award.is_rejected},
              {"claims", numbers_json(award.claims)}};
}

}  // namespace

Json explanation_json(const Explanation& explanation, const Floor& floor, bool with_rounds) {
  Json json{{"link", link_name(floor, explanation.link)},
            {"level", pool_name(floor, explanation.link, explanation.pool)},
            {"entry", explanation.at.value()},
            {"claim", explanation.claim ? Json(explanation.claim->value()) : Json()},
            {"payout", explanation.payout ? payout_json(*explanation.payout, floor) : Json()},
            {"balance", text_exact(explanation.balance)},
            {"sum", text_exact(explanation.sum())},
            {"since", since_json(explanation)},
            {"parts", parts_json(explanation.flow)},
            {"days", json_list(explanation.days,
                               [&](const DayShare& day) {
                                 return day_share_json(day, floor, with_rounds);
                               })},
            {"events", json_list(explanation.events, event_json)},
            {"earlier_awards", json_list(explanation.earlier, earlier_json)},
            {"cost", Json{{"entries_read", explanation.entries_read},
                          {"days_by_readings", explanation.days_by_readings}}}};
  if (explanation.is_fixed()) {
    for (const char* key : {"level", "balance", "sum", "since", "parts"}) json[key] = nullptr;
  }
  return json;
}

}  // namespace linkmeter
