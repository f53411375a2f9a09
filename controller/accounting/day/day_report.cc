#include "controller/accounting/day/day_report.h"

#include <algorithm>
#include <string>
#include <utility>

#include "controller/accounting/day/day_attestations.h"
#include "controller/accounting/day/day_book.h"
#include "controller/accounting/day/day_variances.h"
#include "controller/accounting/day/fund_day.h"
#include "controller/view/display_names.h"
#include "controller/view/json.h"
#include "controller/view/meters_json.h"
#include "meters/values/amount.h"
#include "meters/values/hex.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

std::int64_t gone_up(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(to - from);
}

// 24. A fraction only if clocks change by less than an hour, or if the house changed the time at
// which its days begin.
Json hours_between(Timestamp begin, Timestamp end) {
  constexpr std::int64_t hour = 3'600'000'000;
  const std::int64_t length = end.microseconds() - begin.microseconds();
  if (length % hour == 0) return length / hour;
  return static_cast<double>(length) / static_cast<double>(hour);
}

// The JSON of the report: keys in a fixed order, and only what the book, the attestations and the
// items contain.
class Reporting {
 public:
  Reporting(const DayBook& book, const DayAttestations& statements,
            const std::vector<DayItem>& items)
      : book_(book), statements_(statements), items_(items) {}

  [[nodiscard]] Json report() const {
    Json links = Json::array();
    for (std::uint32_t at = 0; at < book_.links.size(); ++at) links.push_back(link(LinkIndex(at)));
    return Json{
        {"report", "linkmeter-day 1"},
        {"house", book_.floor.house},
        {"day", text(book_.day)},
        {"zone", text_or_null(book_.zone)},
        {"begins_at", book_.begins_at ? Json(text(*book_.begins_at)) : Json()},
        {"ends_at", text(book_.ends_at)},
        {"hours", book_.begins_at ? hours_between(*book_.begins_at, book_.ends_at) : Json()},
        {"entries", Json{{"first", book_.first.value()},
                         {"last", book_.last.value()},
                         {"head", hex(book_.head)}}},
        {"links", std::move(links)},
        {"claims_pending", claims()},
        {"counts", counts()},
        {"readings", readings()},
        {"counters", counters()},
        {"events", events()},
        {"items", items()},
        {"control", Json{{"postings", book_.postings}, {"sum", text_exact(book_.posted)}}}};
  }

 private:
  [[nodiscard]] std::string name_of(LinkIndex place) const { return link_name(book_.floor, place); }
  [[nodiscard]] std::string name_of(TableIndex place) const {
    return table_name(book_.floor, place);
  }
  [[nodiscard]] std::string name_of(LinkIndex link, Pool pool) const {
    return pool_name(book_.floor, link, pool);
  }

  [[nodiscard]] Json link(LinkIndex place) const {
    const LinkDay& day = book_.links[place.value()];
    Json levels = Json::array();
    for (std::size_t at = 0; at < day.levels.size(); ++at) {
      levels.push_back(level(place, LevelIndex(static_cast<std::uint8_t>(at))));
    }
    Json tables = Json::array();
    for (std::size_t at = 0; at < day.tables.size(); ++at) tables.push_back(table(place, at));
    Json json{{"link", name_of(place)},
              {"wager", book_.floor.link(place).wager.text()},
              {"suspended", text_or_null(book_.closing[place.value()].book.suspended)},
              {"levels", std::move(levels)},
              {"reserve", reserve(place)},
              {"fixed_awards", Json{{"count", day.fixed.count},
                                    {"amount", text_cents(day.fixed.amount)},
                                    {"reversed_count", day.fixed.reversed_count},
                                    {"reversed", text_cents(day.fixed.reversed)},
                                    {"claim_count", day.fixed.claim_count},
                                    {"claimed", text_cents(day.fixed.claimed)}}},
              {"tables", std::move(tables)}};
    if (book_.floor.link(place).pot) json["fund"] = FundDay(book_, statements_, place).json();
    // The bytes of a signed report never change, so a link that collects has no new keys.
    const LinkLifecycle& ending = book_.closing[place.value()].book.ending;
    if (!ending.collects()) add_lifecycle(json, ending, book_.floor);
    return json;
  }

  [[nodiscard]] Json level(LinkIndex link, LevelIndex place) const {
    const Pool pool = Pool::level(place);
    const LevelConfig& terms = book_.floor.link(link).levels[place.value()];
    const LevelBalances& opening = book_.opening[link.value()].book.levels[place.value()];
    const LevelBalances& closing = book_.closing[link.value()].book.levels[place.value()];
    const PoolBalances& flow = book_.links[link.value()].flow.pool(pool);
    const PoolDay& day = book_.links[link.value()].levels[place.value()];
    return Json{{"level", terms.id.text()},
                {"opening", text_exact(opening.pool.held)},
                {"contributed", text_exact(flow.contributed)},
                {"seeded", text_exact(flow.seeded)},
                {"corrected", text_exact(flow.corrected)},
                {"transferred", text_exact(flow.transferred)},
                {"from_reserve", text_exact(day.from_reserve)},
                {"overflowed", text_exact(flow.overflowed)},
                {"awarded", text_exact(day.awarded)},
                {"returned", text_exact(day.returned)},
                {"closing", text_exact(closing.pool.held)},
                {"withheld_opening", text_exact(opening.pool.withheld)},
                {"withheld_closing", text_exact(closing.pool.withheld)},
                {"pending_opening", text_exact(opening.pool.pending)},
                {"pending_closing", text_exact(closing.pool.pending)},
                {"paid", text_exact(flow.paid)},
                {"hits", gone_up(opening.hits, closing.hits)},
                {"partial_hits", gone_up(opening.partial_hits, closing.partial_hits)},
                {"reseed", text_exact(terms.reseed)},
                {"liability", text_exact(std::max(closing.pool.held - terms.reseed, Amount()))},
                {"shown", cents_or_null(book_.closing[link.value()].shown[place.value()])}};
  }

  [[nodiscard]] Json reserve(LinkIndex link) const {
    const PoolBalances& opening = book_.opening[link.value()].book.reserve;
    const PoolBalances& closing = book_.closing[link.value()].book.reserve;
    const LinkDay& day = book_.links[link.value()];
    return Json{{"opening", text_exact(opening.held)},
                {"contributed", text_exact(day.flow.reserve.contributed)},
                {"overflow", text_exact(-day.flow.reserve.overflowed)},
                {"corrected", text_exact(day.flow.reserve.corrected)},
                {"transferred", text_exact(day.flow.reserve.transferred)},
                {"to_levels", text_exact(-day.reserve.from_reserve)},
                {"closing", text_exact(closing.held)},
                {"withheld_opening", text_exact(opening.withheld)},
                {"withheld_closing", text_exact(closing.withheld)},
                {"liability", text_exact(std::max(closing.held, Amount()))}};
  }

  [[nodiscard]] Json table(LinkIndex link, std::size_t at) const {
    const TableDay& day = book_.links[link.value()].tables[at];
    const TableCount& opening = book_.opening[link.value()].book.tables[at];
    const TableCount& closing = book_.closing[link.value()].book.tables[at];
    Json contributed = Json::object();
    for (std::size_t level = 0; level + 1 < day.contributed.size(); ++level) {
      const LevelIndex place(static_cast<std::uint8_t>(level));
      contributed[name_of(link, Pool::level(place))] = text_exact(day.contributed[level]);
    }
    contributed["reserve"] = text_exact(day.contributed.back());
    return Json{{"table", name_of(day.table)},
                {"rounds", gone_up(opening.rounds, closing.rounds)},
                {"wagers", day.wagers},
                {"handle", text_cents(day.handle)},
                {"contributed", std::move(contributed)},
                {"attendant_paid", text_cents(day.paid.by_attendant)},
                {"device_paid", text_cents(day.paid.by_device)},
                {"progressive_paid", text_cents(day.paid.in_all)},
                {"attendant_paid_ever", text_cents(closing.paid.by_attendant)},
                {"device_paid_ever", text_cents(closing.paid.by_device)},
                {"progressive_paid_ever", text_cents(closing.paid.in_all)}};
  }

  [[nodiscard]] Json claims() const {
    constexpr std::int64_t second = 1'000'000;
    return json_list(book_.claims, [&](const OpenClaim& claim) {
      return Json{
          {"claim", claim.number.value()},
          {"link", name_of(claim.link)},
          {"table", name_of(claim.table)},
          {"line", claim.line.text()},
          {"amount", text_cents(claim.amount)},
          {"raised_at", text(claim.raised_at)},
          {"age_s", (book_.ends_at.microseconds() - claim.raised_at.microseconds()) / second},
          {"state", name(claim.state)}};
    });
  }

  // The amount that a count is compared with; null: the floor has no such link or table.
  [[nodiscard]] Json expected(const CountRecorded& count) const {
    if (count.link.value() >= book_.links.size()) return nullptr;
    if (count.kind == CountKind::fund_kept) {
      return text_cents(displayed(book_.closing[count.link.value()]));
    }
    for (const TableDay& day : book_.links[count.link.value()].tables) {
      if (count.table == day.table) return text_cents(day.handle);
    }
    return nullptr;
  }

  [[nodiscard]] Json counts() const {
    return json_list(statements_.counts, [&](const auto& one) {
      const auto& [entry, at, count] = one;
      const auto* last = statements_.find(count.kind, count.link, count.table);
      return Json{{"entry", entry.value()},
                  {"at", text(at)},
                  {"kind", name(count.kind)},
                  {"link", name_of(count.link)},
                  {"table", count.table ? Json(name_of(*count.table)) : Json()},
                  {"amount", text_cents(count.amount)},
                  {"expected", expected(count)},
                  {"counts", last != nullptr && last->entry == entry},
                  {"note", count.note},
                  {"witness", count.witness.text()},
                  {"by", count.by.text()}};
    });
  }

  [[nodiscard]] Json readings() const {
    return json_list(book_.readings, [&](const TakenReading& reading) {
      const auto seen = [&](const SeenAmount& one) {
        const LinkReading& link = reading.taken.reading[one.link.value()];
        const std::size_t level = one.level.value();
        return Json{{"link", name_of(one.link)},
                    {"level", name_of(one.link, Pool::level(one.level))},
                    {"amount", text_cents(one.amount)},
                    {"told", cents_or_null(link.shown[level])},
                    {"meter", text_exact(link.book.levels[level].pool.held)}};
      };
      return Json{{"entry", reading.entry.value()},
                  {"at", text(reading.at)},
                  {"seen", json_list(reading.taken.seen, seen)},
                  {"note", reading.taken.note},
                  {"by", reading.taken.by.text()}};
    });
  }

  [[nodiscard]] Json counters() const {
    Json list = Json::array();
    for (std::uint32_t at = 0; at < book_.reconciliations.size(); ++at) {
      const CounterReconciliation& telling = book_.reconciliations[at];
      if (!telling.last()) continue;
      const CountersReported& last = *telling.last();
      list.push_back(Json{{"table", name_of(TableIndex(at))},
                          {"told", telling.count()},
                          {"entry", telling.entry().value()},
                          {"at", text(telling.at())},
                          {"from_message", last.from.value()},
                          {"up_to_message", last.up_to.value()}});
    }
    return list;
  }

  [[nodiscard]] Json events() const {
    return json_list(book_.events, [](const DayEvent& event) {
      return Json{{"kind", event.kind},
                  {"entry", event.entry.value()},
                  {"at", text(event.at)},
                  {"words", event.words}};
    });
  }

  [[nodiscard]] Json items() const {
    return json_list(items_, [&](const DayItem& item) {
      Json explained;
      if (item.explained != nullptr) {
        const VarianceExplained& fact = item.explained->fact;
        explained =
            Json{{"note", fact.note},
                 {"by", fact.by.text()},
                 {"at", text(item.explained->at)},
                 {"corrected_by", fact.corrected_by ? Json(fact.corrected_by->value()) : Json()}};
      }
      return Json{{"item", item.item},
                  {"kind", item.kind},
                  {"link", item.link ? Json(name_of(*item.link)) : Json()},
                  {"level", item.level ? Json(name_of(*item.link, *item.level)) : Json()},
                  {"table", item.table ? Json(name_of(*item.table)) : Json()},
                  {"difference", item.difference},
                  {"words", item.words},
                  {"open", item.explained == nullptr},
                  {"explained", std::move(explained)}};
    });
  }

  const DayBook& book_;
  const DayAttestations& statements_;
  const std::vector<DayItem>& items_;
};

}  // namespace

DayReport day_report(const Journal& journal, const std::vector<DayRecord>& days, GamingDay day,
                     EntryNumber as_of, const std::function<void(std::uint64_t)>& progress) {
  const auto record = std::find_if(days.begin(), days.end(),
                                   [day](const DayRecord& one) { return one.day == day; });
  if (record == days.end() || record->ended > as_of) {
    throw Fault("the gaming day " + text(day) + " has not ended, or is before the journal");
  }
  DayBook book = day_book(journal, days, day, progress);
  book.reconciliations = reconciliations_of(journal, days, day, as_of, book.floor.tables.size());
  const DayAttestations statements = day_attestations(journal, *record, as_of);
  const std::vector<DayItem> items = day_variances(book, statements);
  DayReport report;
  // Texts from outside may hold invalid UTF-8: it is replaced, never an error.
  report.json = Reporting(book, statements, items)
                    .report()
                    .dump(-1, ' ', false, Json::error_handler_t::replace);
  report.digest = sha256(report.json);
  report.finding.report = report.digest;
  for (const DayItem& item : items) {
    report.finding.items.emplace(
        item.item, DayFinding::Item{item.difference, item.explained == nullptr, item.is_claim()});
  }
  return report;
}

}  // namespace linkmeter
