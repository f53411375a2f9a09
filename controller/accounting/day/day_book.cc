#include "controller/accounting/day/day_book.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "controller/store/journal_reader.h"
#include "controller/time/calendar.h"
#include "meters/facts/settled.h"
#include "meters/rules/validate.h"
#include "meters/values/limits.h"
#include "meters/values/rate.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

[[noreturn]] void refuse_entry(const std::string& why) {
  throw Fault("the journal cannot be reckoned: " + why + "; run: linkmeter audit --data DIR");
}

// A damaged journal can hold amounts whose sum overflows: that is reported.
void add_checked(Amount& sum, Amount amount) {
  std::int64_t total = 0;
  if (__builtin_add_overflow(sum.units(), amount.units(), &total)) {
    refuse_entry("its amounts are larger than money");
  }
  sum = Amount::from_units(total);
}

bool has_same_places(const Floor& one, const Floor& other) {
  return one.tables.size() == other.tables.size() &&
         std::equal(one.links.begin(), one.links.end(), other.links.begin(), other.links.end(),
                    [](const LinkConfig& left, const LinkConfig& right) {
                      return left.levels.size() == right.levels.size();
                    });
}

bool reads_floor(const Reading& reading, const Floor& floor) {
  return std::equal(reading.begin(), reading.end(), floor.links.begin(), floor.links.end(),
                    [](const LinkReading& link, const LinkConfig& terms) {
                      return link.book.levels.size() == terms.levels.size() &&
                             link.shown.size() == terms.levels.size() &&
                             link.book.tables.size() == terms.tables.size();
                    });
}

// An old entry may not name the source: then the kind of wager decides.
PaymentSource paid_from(const Award& award, const LinkConfig& terms) {
  return award.source.value_or(terms.unit ? PaymentSource::table_inventory
                                          : PaymentSource::game_account);
}

// The single pass over a gaming day's entries that fills its book.
class DayScan {
 public:
  // `book` has the day's opening, and the floor in force at the day's first entry. `claims`: those
  // open then.
  DayScan(DayBook& book, OpenClaims claims)
      : book_(book), claims_(std::move(claims)), hits_verified_(claims_.verified()) {
    if (!reads_floor(book.opening, book.floor)) refuse_entry("a reading of other links");
    for (const LinkConfig& terms : book.floor.links) {
      LinkDay link;
      link.flow = LinkBalances::opened(terms);
      link.levels.resize(terms.levels.size());
      for (const TableIndex table : terms.tables) {
        TableDay day;
        day.table = table;
        day.contributed.resize(terms.levels.size() + 1);
        link.tables.push_back(std::move(day));
      }
      book.links.push_back(std::move(link));
    }
    book.messages.resize(book.floor.tables.size());
  }

  // REQUIRES: every entry of the day, in order. Throws Fault if it cannot be an entry of this
  // floor.
  void add(const Entry& entry, const Digest& hash) {
    if (has_ended_) refuse_entry("a gaming day ends twice");
    entry_ = &entry;
    if (entry.origin) {
      const std::size_t table = entry.origin->table.value();
      if (table >= book_.messages.size()) refuse_entry("a message of no table");
      ++book_.messages[table];
    }
    claims_.note(entry);
    std::visit(*this, entry.fact);
    count_awards();
    post();
    claims_.settle(entry);
    if (auto event = day_event(entry, book_.floor)) book_.events.push_back(std::move(*event));
    book_.head = hash;
  }
  // REQUIRES: after the last entry.
  void finish() {
    if (!has_ended_) refuse_entry("a gaming day does not end where the state says");
    book_.claims = claims_.list();
  }

  // What each fact adds besides its postings and awards.
  template <class Fact>
  void operator()(const Fact&) {}
  void operator()(const RoundLocked& locked) { count(locked.wagers); }
  void operator()(const CountResolved& resolved) { count(resolved.wagers); }
  void operator()(const RoundVoided& voided) { take_back(voided.returned); }
  void operator()(const HandVoided& voided) { take_back(voided.returned); }
  void operator()(const PotPlayed& pot) {
    ++table(pot.link, sender()).pots;
    if (pot.contribution > Amount()) count({PlacedWager{Seat(), pot.link, pot.contribution}});
  }
  // The seats that share a hit are validated one after the other. The first validation verifies the
  // Bad Beat.
  void operator()(const ClaimValidated& validated) {
    const OpenClaim& claim = claims_.find(validated.claim);
    LinkDay& day = link(claim.link);
    if (!book_.floor.link(claim.link).pot) return;
    if (hits_verified_.insert(claim.entry).second) {
      day.bad_beat_verified = entry_->number;
      day.bad_beat_notified = {};
    }
    if (!validated.notified.empty()) day.bad_beat_notified = validated.notified;
  }
  void operator()(const DisplayAdjusted& adjusted) {
    link(adjusted.link).displays.push_back({entry_->number, entry_->recorded_at, adjusted});
  }
  void operator()(const ClaimPaid& paid) {
    const OpenClaim& claim = claims_.find(paid.claim);
    if (link(claim.link).levels.empty()) return;  // no progressive
    table(claim.link, claim.table).paid.add(paid.source, claim.amount);
  }
  void operator()(const ReadingTaken& taken) {
    if (!reads_floor(taken.reading, book_.floor)) refuse_entry("a reading of other links");
    for (const SeenAmount& seen : taken.seen) {
      if (seen.level.value() >= link(seen.link).levels.size()) refuse_entry("a sign of no level");
    }
    book_.readings.push_back({entry_->number, entry_->recorded_at, taken});
  }
  void operator()(const DayEnded& ended) {
    if (ended.day != book_.day || !reads_floor(ended.reading, book_.floor)) {
      refuse_entry("a reading of other links");
    }
    book_.ends_at = ended.ends_at;
    book_.closing = ended.reading;
    has_ended_ = true;
  }
  void operator()(const ActConfirmed& confirmed) {
    const auto* change = std::get_if<ChangeParameters>(&confirmed.act);
    if (change == nullptr) return;
    if (!has_same_places(book_.floor, change->floor)) refuse_entry("a floor of other links");
    book_.floor = change->floor;
  }

 private:
  [[nodiscard]] LinkDay& link(LinkIndex index) {
    if (index.value() >= book_.links.size()) refuse_entry("a wager on no link");
    return book_.links[index.value()];
  }
  [[nodiscard]] TableDay& table(LinkIndex index, TableIndex table) {
    std::vector<TableDay>& all = link(index).tables;
    const auto found = std::find_if(all.begin(), all.end(),
                                    [table](const TableDay& day) { return day.table == table; });
    if (found == all.end()) refuse_entry("a wager at a table of other links");
    return *found;
  }
  // The table whose message the entry is.
  [[nodiscard]] TableIndex sender() const {
    if (!entry_->origin || entry_->origin->table.value() >= book_.floor.tables.size()) {
      refuse_entry("a round of no table");
    }
    return entry_->origin->table;
  }

  void count(const std::vector<PlacedWager>& wagers) {
    std::set<LinkIndex> late;
    for (const PlacedWager& wager : wagers) {
      count(wager, 1);
      if (!book_.begins_at || entry_->origin->sent_at >= *book_.begins_at) continue;
      TableDay& day = table(wager.link, sender());
      add_checked(day.late_handle, wager.amount);
      if (late.insert(wager.link).second) ++day.late_rounds;
    }
  }
  void take_back(const std::vector<PlacedWager>& returned) {
    for (const PlacedWager& wager : returned) count(wager, -1);
  }
  void count(const PlacedWager& wager, int times) {
    const TableIndex at = sender();
    if (wager.amount < Amount() || wager.amount > limits::wager_max ||
        !wager.amount.is_whole_cents()) {
      refuse_entry("a wager with an impossible amount");
    }
    TableDay& day = table(wager.link, at);
    day.wagers += times;
    add_checked(day.handle, times < 0 ? -wager.amount : wager.amount);
    LinkDay& of = link(wager.link);
    const LinkConfig& terms = book_.floor.link(wager.link);
    const auto expect = [&](PoolDay& pool, Rate rate) {
      const Amount gain = contribution(wager.amount, rate);
      add_checked(pool.expected, times < 0 ? -gain : gain);
    };
    for (std::size_t level = 0; level < of.levels.size(); ++level) {
      expect(of.levels[level], terms.levels[level].rate);
    }
    expect(of.reserve, terms.reserve_rate);
  }

  // Awards of any kind of fact. Envy that is owed counts when it is paid.
  void count_awards() {
    const Settled outcome = settled(*entry_);
    const bool is_counted =
        !outcome.awards->empty() || !outcome.envy_paid->empty() || !outcome.reversed->empty();
    if (!is_counted) return;
    const TableIndex at = outcome.table ? *outcome.table : claims_.find(decided_claim()).table;
    for (const Award& award : *outcome.awards) {
      if (!award.waits_for) count_paid(at, award, 1);
    }
    for (const Award& award : *outcome.envy_paid) count_paid(at, award, 1);
    for (const Award& award : *outcome.reversed) count_paid(at, award, -1);
  }
  // The claim that the entry validates or rejects.
  [[nodiscard]] ClaimNumber decided_claim() const {
    if (const auto* yes = std::get_if<ClaimValidated>(&entry_->fact)) return yes->claim;
    if (const auto* no = std::get_if<ClaimRejected>(&entry_->fact)) return no->claim;
    refuse_entry("a round of no table");
  }
  void count_paid(TableIndex at, const Award& award, int times) {
    LinkDay& of = link(award.link);
    if (!award.level) {
      FixedDay& fixed = of.fixed;
      add_checked(award.claim ? fixed.claimed
                  : times < 0 ? fixed.reversed
                              : fixed.amount,
                  award.amount);
      ++(award.claim ? fixed.claim_count : times < 0 ? fixed.reversed_count : fixed.count);
    }
    if (award.claim || of.levels.empty()) return;
    table(award.link, at)
        .paid.add(paid_from(award, book_.floor.link(award.link)), award.amount, times);
  }

  // What a pool's postings in one entry sum to came from the reserve, or went to it: everything
  // else that a level receives or gives is posted at the level on both sides.
  void post() {
    if (const auto why = posting_violation(book_.floor, entry_->postings)) refuse_entry(*why);
    const bool rejects = !settled(*entry_).rejected.empty();
    for (const Posting& posting : entry_->postings) {
      ++book_.postings;
      add_checked(book_.posted, posting.amount);
      LinkDay& day = link(posting.link);
      Amount balance = day.flow.balance(posting.account, posting.pool);
      add_checked(balance, posting.amount);
      day.flow.post(posting);
      PoolDay& pool = day.pool(posting.pool);
      add_checked(pool.from_reserve, posting.amount);
      if (posting.account == Account::pending || posting.account == Account::paid) {
        if (rejects && posting.amount < Amount()) {
          add_checked(pool.returned, -posting.amount);
        } else {
          add_checked(pool.awarded, posting.amount);
        }
      }
      if (posting.account == Account::wagers && entry_->origin) {
        TableDay& at = table(posting.link, entry_->origin->table);
        add_checked(posting.pool.is_reserve() ? at.contributed.back()
                                              : at.contributed[posting.pool.level_index().value()],
                    -posting.amount);
      }
    }
  }

  DayBook& book_;
  OpenClaims claims_;
  std::set<EntryNumber> hits_verified_;  // by the entry that raised their claims
  bool has_ended_ = false;
  const Entry* entry_ = nullptr;  // the one that is added
};

const DayRecord& ended_day(const std::vector<DayRecord>& days, GamingDay day) {
  const auto found = std::find_if(days.begin(), days.end(),
                                  [day](const DayRecord& record) { return record.day == day; });
  if (found != days.end()) return *found;
  throw Fault("the gaming day " + text(day) + " has not ended, or is before the journal");
}

Reading zero_reading(const Floor& floor) {
  Reading reading;
  for (const LinkConfig& terms : floor.links) {
    LinkReading link{LinkBalances::opened(terms)};
    link.shown.resize(terms.levels.size());
    reading.push_back(std::move(link));
  }
  return reading;
}

const DayEnded& day_end_in(const Entry& entry) {
  const auto* ended = std::get_if<DayEnded>(&entry.fact);
  if (ended != nullptr) return *ended;
  throw Fault("entry " + std::to_string(entry.number.value()) + " ends no gaming day");
}

}  // namespace

DayBook day_book(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                 const std::function<void(std::uint64_t)>& progress) {
  const DayRecord& record = ended_day(days, day);
  DayBook book;
  book.day = day;
  book.first = EntryNumber(1);
  book.last = record.ended;
  OpenClaims claims;
  std::optional<Configuration> configuration;
  if (&record != days.data()) {
    const DayRecord& before = *(&record - 1);
    const Entry entry = entry_at(journal, before.ended);
    book.first = before.ended.next();
    book.begins_at = day_end_in(entry).ends_at;
    book.opening = day_end_in(entry).reading;
    claims = OpenClaims::after(journal, before.ended, entry.recorded_at);
    configuration = configuration_at(journal, before.ended);
  } else {
    configuration = configuration_of(entry_at(journal, EntryNumber(1)));
    if (!configuration) throw Fault("entry 1 of the journal opens no floor");
    book.opening = zero_reading(configuration->floor);
    const HouseTimes times = times_of(*configuration);
    if (!times.zone.empty()) book.begins_at = Calendar(times.zone, times.start).begin(day);
  }
  book.floor = std::move(configuration->floor);

  DayScan scan(book, std::move(claims));
  constexpr std::uint64_t progress_interval = 10'000;
  std::uint64_t count = 0;
  read_between(journal, book.first, book.last, [&](const Entry& entry, const Digest& hash) {
    scan.add(entry, hash);
    if (progress && ++count % progress_interval == 0) progress(count);
    if (auto changed = configuration_of(entry)) configuration = std::move(changed);
  });
  scan.finish();
  book.zone = times_of(*configuration).zone;
  return book;
}

}  // namespace linkmeter
