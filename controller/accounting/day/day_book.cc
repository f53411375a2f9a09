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

  DayBookBuilder scan(book, std::move(claims));
  constexpr std::uint64_t told_every = 10'000;
  std::uint64_t count = 0;
  read_between(journal, book.first, book.last, [&](const Entry& entry, const Digest& hash) {
    scan.note(entry, hash);
    if (progress && ++count % told_every == 0) progress(count);
    if (auto changed = configuration_of(entry)) configuration = std::move(changed);
  });
  scan.finish();
  book.zone = times_of(*configuration).zone;
  return book;
}

namespace {

[[noreturn]] void refuse_entry(const std::string& why) {
  throw Fault("the journal cannot be reckoned: " + why + "; run: linkmeter audit --data DIR");
}

// Sums of what a journal says are checked before they are made: a damaged one is named.
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

PaymentSource paid_from(const Award& award, const LinkConfig& terms) {
  // What an old entry does not say, the wager's kind does.
  return award.source.value_or(terms.unit ? PaymentSource::table_inventory
                                          : PaymentSource::game_account);
}

}  // namespace

// What each fact brings besides its postings.
struct DayBookBuilder::Noting {
  DayBookBuilder& scan;
  const Entry& entry;

  [[nodiscard]] TableIndex table() const {
    if (!entry.origin || entry.origin->table.value() >= scan.book_.floor.tables.size()) {
      refuse_entry("a round of no table");
    }
    return entry.origin->table;
  }
  [[nodiscard]] bool is_late() const {
    return scan.book_.begins_at && entry.origin->sent_at < *scan.book_.begins_at;
  }

  void count(const std::vector<PlacedWager>& wagers) const {
    std::set<LinkIndex> late;
    for (const PlacedWager& wager : wagers) {
      scan.count(table(), wager, 1);
      if (!is_late()) continue;
      TableDay& day = scan.table(wager.link, table());
      add_checked(day.late_handle, wager.amount);
      if (late.insert(wager.link).second) ++day.late_rounds;
    }
  }
  // What the entry says of awards, whatever kind of fact it holds. Envy that is owed counts when it
  // is paid.
  void count_awards() const {
    const Settled said = settled(entry);
    const auto claim = [&] {
      if (const auto* validated = std::get_if<ClaimValidated>(&entry.fact)) return validated->claim;
      const auto* rejected = std::get_if<ClaimRejected>(&entry.fact);
      if (rejected == nullptr) refuse_entry("a round of no table");
      return rejected->claim;
    };
    const bool is_counted =
        !said.awards->empty() || !said.envy_paid->empty() || !said.reversed->empty();
    if (!is_counted) return;
    const TableIndex at = said.table ? *said.table : scan.claims_.find(claim()).table;
    for (const Award& award : *said.awards) {
      if (!award.waits_for) scan.count_paid(at, award, 1);
    }
    for (const Award& award : *said.envy_paid) scan.count_paid(at, award, 1);
    for (const Award& award : *said.reversed) scan.count_paid(at, award, -1);
  }

  template <class Fact>
  void operator()(const Fact&) const {}
  void operator()(const RoundLocked& locked) const { count(locked.wagers); }
  void operator()(const CountResolved& resolved) const { count(resolved.wagers); }
  void operator()(const RoundVoided& voided) const {
    for (const PlacedWager& wager : voided.returned) scan.count(table(), wager, -1);
  }
  void operator()(const HandVoided& voided) const {
    for (const PlacedWager& wager : voided.returned) scan.count(table(), wager, -1);
  }
  void operator()(const PotPlayed& pot) const {
    ++scan.table(pot.link, table()).pots;
    if (pot.contribution > Amount()) count({PlacedWager{Seat(), pot.link, pot.contribution}});
  }
  // The seats of a hit share it, and are verified one after the other: it is known with the first.
  void operator()(const ClaimValidated& validated) const {
    const OpenClaim& claim = scan.claims_.find(validated.claim);
    LinkDay& day = scan.link(claim.link);
    if (!scan.book_.floor.link(claim.link).pot) return;
    if (scan.hits_verified_.insert(claim.entry).second) {
      day.bad_beat_verified = entry.number;
      day.bad_beat_notified = {};
    }
    if (!validated.notified.empty()) day.bad_beat_notified = validated.notified;
  }
  void operator()(const DisplayAdjusted& adjusted) const {
    scan.link(adjusted.link).displays.push_back({entry.number, entry.recorded_at, adjusted});
  }
  void operator()(const ClaimPaid& paid) const {
    const OpenClaim& claim = scan.claims_.find(paid.claim);
    if (scan.link(claim.link).levels.empty()) return;  // no progressive
    TableDay& day = scan.table(claim.link, claim.table);
    day.paid.add(paid.source, claim.amount);
  }
  void operator()(const ReadingTaken& taken) const {
    if (!reads_floor(taken.reading, scan.book_.floor)) refuse_entry("a reading of other links");
    for (const SeenAmount& seen : taken.seen) {
      if (seen.level.value() >= scan.link(seen.link).levels.size()) {
        refuse_entry("a sign of no level");
      }
    }
    scan.book_.readings.push_back({entry.number, entry.recorded_at, taken});
  }
  void operator()(const DayEnded& ended) const {
    if (ended.day != scan.book_.day || !reads_floor(ended.reading, scan.book_.floor)) {
      refuse_entry("a reading of other links");
    }
    scan.book_.ends_at = ended.ends_at;
    scan.book_.closing = ended.reading;
    scan.has_ended_ = true;
  }
  void operator()(const ActConfirmed& confirmed) const {
    const auto* change = std::get_if<ChangeParameters>(&confirmed.act);
    if (change == nullptr) return;
    if (!has_same_places(scan.book_.floor, change->floor)) refuse_entry("a floor of other links");
    scan.book_.floor = change->floor;
  }
};

DayBookBuilder::DayBookBuilder(DayBook& book, OpenClaims claims)
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

LinkDay& DayBookBuilder::link(LinkIndex place) {
  if (place.value() >= book_.links.size()) refuse_entry("a wager on no link");
  return book_.links[place.value()];
}

TableDay& DayBookBuilder::table(LinkIndex place, TableIndex table) {
  std::vector<TableDay>& all = link(place).tables;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [table](const TableDay& day) { return day.table == table; });
  if (found == all.end()) refuse_entry("a wager at a table of other links");
  return *found;
}

void DayBookBuilder::count(TableIndex at, const PlacedWager& wager, int times) {
  if (wager.amount < Amount() || wager.amount > limits::wager_max ||
      !wager.amount.is_whole_cents()) {
    refuse_entry("a wager that is none");
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

void DayBookBuilder::count_paid(TableIndex at, const Award& award, int times) {
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

// The postings of one pool in one entry sum to what came in from the reserve, because everything
// else that a level gets or gives is booked at the level; so the reserve's sum to what it gave.
void DayBookBuilder::post(const Entry& entry) {
  if (const auto why = posting_violation(book_.floor, entry.postings)) refuse_entry(*why);
  const bool rejects = !settled(entry).rejected.empty();
  for (const Posting& posting : entry.postings) {
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
    if (posting.account == Account::wagers && entry.origin) {
      TableDay& at = table(posting.link, entry.origin->table);
      add_checked(posting.pool.is_reserve() ? at.contributed.back()
                                            : at.contributed[posting.pool.level_index().value()],
                  -posting.amount);
    }
  }
}

void DayBookBuilder::note(const Entry& entry, const Digest& hash) {
  if (has_ended_) refuse_entry("a gaming day ends twice");
  if (entry.origin) {
    if (entry.origin->table.value() >= book_.messages.size()) refuse_entry("a message of no table");
    ++book_.messages[entry.origin->table.value()];
  }
  claims_.note(entry);
  const Noting noting{*this, entry};
  std::visit(noting, entry.fact);
  noting.count_awards();
  post(entry);
  claims_.settle(entry);
  if (auto event = day_event(entry, book_.floor)) book_.events.push_back(std::move(*event));
  book_.head = hash;
}

void DayBookBuilder::finish() {
  if (!has_ended_) refuse_entry("a gaming day does not end where the state says");
  book_.claims = claims_.list();
}

}  // namespace linkmeter
