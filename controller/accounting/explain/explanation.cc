#include "controller/accounting/explain/explanation.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "controller/accounting/explain/pool_days.h"
#include "controller/accounting/export/export_text.h"
#include "controller/accounting/export/posting_row.h"
#include "controller/store/journal_reader.h"
#include "meters/facts/settled.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// One call, as its entry tells it.
struct FoundCall {
  EntryNumber entry;
  std::uint32_t number = 0;
  bool whole = false;
  std::vector<ClaimNumber> claims;
};

std::vector<ClaimNumber> claims_of_call(const Entry& entry, const PoolStep& step) {
  std::vector<ClaimNumber> claims;
  for (const Award& award : awards_of(entry)) {
    const bool is_of_call = award.level && award.link == step.call->link &&
                            *award.level == step.call->level && award.call == step.number;
    if (is_of_call && award.claim) claims.push_back(*award.claim);
  }
  return claims;
}

class Explaining {
 public:
  Explaining(const Journal& journal, const ExplainBasis& basis, const ExplainAsked& asked,
             const std::function<void(std::uint64_t)>& progress)
      : journal_(journal), basis_(basis), asked_(asked), progress_(progress) {
    said_.link = asked.link;
    said_.pool = asked.pool;
    said_.claim = asked.claim;
    if (asked.claim) aim_at_claim();
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
    if (stood_ != Amount()) said_.balance = stood_;
    if (said_.sum() != said_.balance) {
      throw Fault("the parts of the meter come to " + text_signed(said_.sum()) + ", and it is " +
                  text_signed(said_.balance) + "; run: linkmeter audit --data DIR");
    }
    find_earlier();
    return std::move(said_);
  }

 private:
  static std::string text_signed(Amount amount) { return dollars_text(amount.units()); }

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
      for (const Award& award : awards_of(entry)) {
        if (award.claim == asked_.claim) stop_before_ = award.call;
      }
      if (stop_before_ == 0 || stop_before_ > calls_of(entry).size()) return;
      stood_ = calls_of(entry)[stop_before_ - 1].stood;
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

  // Segment N is the entries of the Nth day that ended; after the last of them the open day.
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
    said_.flow += day.flow;
    said_.days.push_back(std::move(day));
    ++said_.days_by_readings;
  }

  // The segment of the last 100% award that stands, from which on everything is counted.
  std::size_t find_start(std::size_t last) {
    for (std::size_t at = last;; --at) {
      if (!days_->is_quiet(at)) {
        std::vector<FoundCall> calls = find_calls(at);
        std::reverse(calls.begin(), calls.end());
        for (const FoundCall& call : calls) {
          const bool is_start = call.whole && !is_undone(call);
          found_.push_back(call);
          if (is_start && !start_) start_ = call;
        }
        if (start_) return at;
      }
      if (at == 0) return 0;
    }
  }
  std::vector<FoundCall> find_calls(std::size_t segment) {
    std::vector<FoundCall> calls;
    read(first_of(segment), last_of(segment), [&](const Entry& entry) {
      const std::vector<ClaimNumber> undone = settled(entry).undone;
      undone_.insert(undone.begin(), undone.end());
      if (calls_of(entry).empty()) return;
      for (const PoolStep& step : steps_of(entry, asked_.link, asked_.pool)) {
        if (step.call == nullptr || is_beyond(entry.number, step)) continue;
        calls.push_back({entry.number, step.number, step.call->whole, claims_of_call(entry, step)});
      }
    });
    return calls;
  }
  [[nodiscard]] bool is_beyond(EntryNumber entry, const PoolStep& step) const {
    return stop_before_ != 0 && entry == asked_.at && step.number >= stop_before_;
  }
  [[nodiscard]] bool is_undone(const FoundCall& call) const {
    return std::any_of(call.claims.begin(), call.claims.end(),
                       [this](ClaimNumber claim) { return undone_.contains(claim); });
  }

  // Counts the segment's entries; the balance after them, from that before them.
  Amount scan(std::size_t segment, Amount held) {
    DayShare day{day_text(basis_.days, last_of(segment)), first_of(segment), last_of(segment)};
    std::map<TableIndex, TableShare> tables;
    read(first_of(segment), last_of(segment), [&](const Entry& entry) {
      for (const PoolStep& step : steps_of(entry, asked_.link, asked_.pool)) {
        if (is_beyond(entry.number, step)) break;
        take(entry, step, held, day, tables);
        held += step.flow.sum();
      }
    });
    for (auto& [place, table] : tables) day.tables.push_back(std::move(table));
    if (said_.since == EntryNumber()) return held;
    day.first = std::max(day.first, said_.since);
    said_.flow += day.flow;
    said_.days.push_back(std::move(day));
    return held;
  }
  void take(const Entry& entry, const PoolStep& step, Amount held, DayShare& day,
            std::map<TableIndex, TableShare>& tables) {
    if (said_.since == EntryNumber()) {
      begin(entry, step, held);
      return;
    }
    day.flow += step.flow;
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
  // Is this where the window begins?
  void begin(const Entry& entry, const PoolStep& step, Amount held) {
    const bool is_opening = !start_ && entry.number == EntryNumber(1);
    const bool is_start = start_ && start_->entry == entry.number && step.call != nullptr &&
                          step.number == start_->number;
    if (!is_opening && !is_start) return;
    said_.since = entry.number;
    said_.since_at = entry.recorded_at;
    said_.seeded = step.flow.seeded;
    if (is_opening) return;
    said_.is_since_award = true;
    said_.award = step.call->amount;
    said_.kept = held + (asked_.pool.is_reserve() ? step.flow.from_reserve : step.flow.awarded);
    if (!asked_.pool.is_reserve()) said_.from_reserve = step.flow.from_reserve;
  }
  static RoundId round_of(const Entry& entry) {
    if (const auto* locked = std::get_if<RoundLocked>(&entry.fact)) return locked->round;
    if (const auto* resolved = std::get_if<CountResolved>(&entry.fact)) return resolved->round;
    const Settled said = settled(entry);
    return said.round == nullptr ? RoundId() : *said.round;
  }
  void note(const Entry& entry, const PoolStep& step) {
    PoolEvent event{entry.number, entry.recorded_at, "", step.flow.sum(), {}};
    if (step.call != nullptr) {
      event.kind = step.call->whole ? "award" : "share";
      event.claims = claims_of_call(entry, step);
    } else if (Settled said = settled(entry); !said.rejected.empty()) {
      event.kind = "rejected";
      event.claims = std::move(said.rejected);
    } else if (step.flow.corrected != Amount()) {
      event.kind = "correction";
    } else if (step.flow.transferred != Amount()) {
      event.kind = "transfer";
    }
    tell_other(entry, step, event);
    // Another pool's rejection, or a call that left the reserve alone. A void that rejects claims
    // gives contributions back, too.
    PoolFlow moved = step.flow;
    moved.contributed = moved.withheld = Amount();
    const bool is_nothing =
        moved == PoolFlow{} && (event.kind == "rejected" || asked_.pool.is_reserve());
    if (!event.kind.empty() && !is_nothing) said_.events.push_back(std::move(event));
  }

  // The other end of a transfer or of an ending, in which a link's own pools are emptied.
  void tell_other(const Entry& entry, const PoolStep& step, PoolEvent& event) const {
    const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
    if (confirmed == nullptr) return;
    if (const auto* transfer = std::get_if<TransferMeter>(&confirmed->act)) {
      const bool is_source = step.flow.transferred < Amount();
      event.other = is_source ? transfer->to.text() + " " + transfer->to_level.text()
                              : transfer->from.text() + " " + transfer->from_level.text();
    } else if (const auto* end = std::get_if<Discontinue>(&confirmed->act)) {
      const bool is_source = basis_.link == end->link;
      if (is_source && step.flow != PoolFlow{}) event.kind = "discontinued";
      if (!is_source) {
        event.other = end->link.text();
      } else if (!end->to.empty()) {
        event.other = end->to.text() + " " + end->to_level.text();
      }
    }
  }

  void find_earlier() {
    std::set<EntryNumber, std::greater<>> entries;  // the latest first
    for (const FoundCall& call : found_) entries.insert(call.entry);
    for (const Claim& claim : basis_.claims) entries.insert(claim.entry);
    for (const EntryNumber at : entries) {
      if (said_.earlier.size() >= Explanation::earlier_max) break;
      if (at > said_.since) continue;
      read(at, at, [this](const Entry& entry) { tell_earlier(entry); });
    }
  }
  // The award that the window begins with is the first of them.
  void tell_earlier(const Entry& entry) {
    std::vector<PoolStep> steps = steps_of(entry, asked_.link, asked_.pool);
    std::reverse(steps.begin(), steps.end());
    for (const PoolStep& step : steps) {
      if (step.call == nullptr) continue;
      if (start_ && entry.number == start_->entry && step.number > start_->number) continue;
      const JackpotHit& call = *step.call;
      EarlierAward award{
          entry.number, entry.recorded_at,          call.whole, call.amount, call.stood, {},
          false,        claims_of_call(entry, step)};
      award.left = call.stood - call.amount + call.reseeded + call.from_reserve;
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
  ExplainAsked asked_;
  const std::function<void(std::uint64_t)>& progress_;
  Explanation said_;
  std::uint32_t stop_before_ = 0;  // of the last entry: this call and what comes after it; 0: none
  Amount stood_;                   // what that call says that the meter was; 0: it does not say
  std::optional<PoolDays> days_;
  std::vector<FoundCall> found_;
  std::set<ClaimNumber> undone_;
  std::optional<FoundCall> start_;
};

}  // namespace

const Claim* ExplainBasis::find_claim(ClaimNumber number) const {
  const auto found = std::partition_point(
      claims.begin(), claims.end(), [number](const Claim& one) { return one.number < number; });
  return found != claims.end() && found->number == number ? &*found : nullptr;
}

ExplainBasis explain_basis(const State& state, const ExplainAsked& asked) {
  LinkIndex link = asked.link;
  Pool pool = asked.pool;
  const Claim* const whose = asked.claim ? state.find_claim(*asked.claim) : nullptr;
  if (whose != nullptr && whose->level) {
    link = whose->link;
    pool = Pool::level(*whose->level);
  }
  ExplainBasis basis{
      state.last_entry(), state.configuration(), state.floor().link(link).id, {}, {}, {}};
  for (const DayRecord& day : state.days()) basis.days.push_back({day.day, day.ended, day.ends_at});
  for (const Claim& claim : state.claims()) {
    const bool is_ours = claim.link == link && claim.level &&
                         (pool.is_reserve() || *claim.level == pool.level_place());
    if (is_ours || claim.number == asked.claim) basis.claims.push_back(claim);
  }
  const bool has_pool = whose == nullptr ? !asked.claim : whose->level.has_value();
  if (has_pool) basis.held = state.link(link).pool(pool).held;
  return basis;
}

Explanation explain(const Journal& journal, const ExplainBasis& basis, ExplainAsked asked,
                    const std::function<void(std::uint64_t)>& progress) {
  return Explaining(journal, basis, asked, progress).make();
}

Explanation explain(const Journal& journal, const State& state, const ExplainAsked& asked,
                    const std::function<void(std::uint64_t)>& progress) {
  return explain(journal, explain_basis(state, asked), asked, progress);
}

}  // namespace linkmeter
