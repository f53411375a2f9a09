#include "controller/accounting/day/day_variances.h"

#include <algorithm>
#include <utility>

#include "controller/accounting/day/fund_day.h"
#include "controller/view/display_names.h"
#include "controller/view/entry_json.h"
#include "meters/values/amount.h"
#include "meters/values/time_text.h"

namespace linkmeter {
namespace {

// Joins the differences that are not zero: "1.00, paid -1.00"; "": no difference.
class Differences {
 public:
  void add(const char* what, Amount amount, std::string (*told)(Amount)) {
    if (amount == Amount()) return;
    say(*what == '\0' ? told(amount) : std::string(what) + " " + told(amount));
  }
  void add(std::int64_t count, const char* what) {
    if (count == 0) return;
    say(std::to_string(count) + " " + what + (count == 1 || count == -1 ? "" : "s"));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void say(const std::string& part) { text_ += (text_.empty() ? "" : ", ") + part; }
  std::string text_;
};

std::int64_t count_change(std::uint64_t one, std::uint64_t other) {
  return static_cast<std::int64_t>(one - other);
}

// Makes every comparison of one day and collects the items.
class Comparing {
 public:
  Comparing(const DayBook& book, const DayAttestations& statements)
      : book_(book), statements_(statements) {}

  std::vector<DayItem> all() && {
    for (std::uint32_t at = 0; at < book_.links.size(); ++at) compare_link(LinkIndex(at));
    for (std::uint32_t at = 0; at < book_.reconciliations.size(); ++at)
      compare_counters(TableIndex(at));
    for (const OpenClaim& claim : book_.claims) tell(claim);
    for (const DayEvent& event : book_.events) tell(event);
    if (book_.posted != Amount()) {
      add("control", {}, text_exact(book_.posted), "the postings of the day do not sum to zero");
    }
    return std::move(items_);
  }

 private:
  void compare_link(LinkIndex link) {
    const LinkDay& day = book_.links[link.value()];
    for (std::size_t level = 0; level < day.levels.size(); ++level) {
      const LevelIndex place(static_cast<std::uint8_t>(level));
      compare_pool(link, Pool::level(place), day.levels[level]);
      compare_sign(link, place);
    }
    compare_pool(link, Pool::reserve(), day.reserve);
    for (std::size_t at = 0; at < day.tables.size(); ++at) {
      compare_table(link, day.tables[at], book_.opening[link.value()].book.tables[at],
                    book_.closing[link.value()].book.tables[at]);
      compare_counts(link, day.tables[at]);
    }
    if (book_.floor.link(link).pot) compare_fund(link);
  }

  void compare_pool(LinkIndex link, Pool pool, const PoolDay& day) {
    const PoolBalances& opening = book_.opening[link.value()].book.pool(pool);
    const PoolBalances& closing = book_.closing[link.value()].book.pool(pool);
    const PoolBalances& flow = book_.links[link.value()].flow.pool(pool);
    Differences balance;
    for (const auto& [name, amount] : pool_amounts) {
      balance.add(amount == &PoolBalances::held ? "" : name,
                  closing.*amount - opening.*amount - flow.*amount, text_exact);
    }
    add("balance", {link, pool}, balance.text(),
        "the readings differ by more than the sum of the day's postings");
    const Amount above = flow.contributed - day.expected;
    add("rate", {link, pool}, above == Amount() ? "" : text_exact(above),
        "contributed " + text_exact(flow.contributed) + ", handle by the rates in force " +
            text_exact(day.expected));
  }

  void compare_sign(LinkIndex link, LevelIndex level) {
    const Pool pool = Pool::level(level);
    const LinkReading& end = book_.closing[link.value()];
    if (const auto above = shown_above(end, level)) {
      add("sign", {link, pool}, text_cents(*above),
          "the signs had last been told " + text_cents(*end.shown[level.value()]) +
              ", the meter was " + text_exact(end.book.pool(pool).held));
    }
    for (const TakenReading& reading : book_.readings) compare_seen(reading, link, level);
  }

  // The amount that signs were sent above the meter. A sign may show less: it counts up to the
  // meter.
  static std::optional<Amount> shown_above(const LinkReading& reading, LevelIndex level) {
    const auto& shown = reading.shown[level.value()];
    const Amount most = shown_at_most(reading.book.levels[level.value()].pool.held);
    if (!shown || *shown <= most) return std::nullopt;
    return *shown - most;
  }

  void compare_seen(const TakenReading& reading, LinkIndex link, LevelIndex level) {
    const LinkReading& at = reading.taken.reading[link.value()];
    const Amount meter = at.book.levels[level.value()].pool.held;
    const Amount told = at.shown[level.value()].value_or(shown_at_most(meter));
    Differences differences;
    std::string words = "at a reading by " + reading.taken.by.text();
    if (const auto above = shown_above(at, level)) {
      differences.add("told", *above, text_cents);
      words +=
          " the signs had been told " + text_cents(told) + ", the meter was " + text_exact(meter);
    }
    for (const SeenAmount& seen : reading.taken.seen) {
      if (seen.link != link || seen.level != level || seen.amount == told) continue;
      differences.add("", seen.amount - told, text_cents);
      words +=
          " a sign showed " + text_cents(seen.amount) + ", it had been told " + text_cents(told);
    }
    const Place place{link, Pool::level(level)};
    add("sign", place, differences.text(), std::move(words),
        name_of(place) + number_of(reading.entry));
  }

  void compare_table(LinkIndex link, const TableDay& day, const TableCount& opening,
                     const TableCount& closing) {
    Differences counts;
    counts.add(count_change(closing.wagers, opening.wagers) - day.wagers, "wager");
    counts.add("", closing.handle - opening.handle - day.handle, text_cents);
    add("count", {link, {}, day.table}, counts.text(),
        "the readings differ by more than the day's rounds");

    const PaidCount &was = opening.paid, &is = closing.paid;
    Differences paid;
    const auto apart = [](const PaidCount& count) {
      return count.by_attendant + count.by_device - count.in_all;
    };
    paid.add("", apart(is) - apart(was), text_cents);
    paid.add("attendant", is.by_attendant - was.by_attendant - day.paid.by_attendant, text_cents);
    paid.add("device", is.by_device - was.by_device - day.paid.by_device, text_cents);
    paid.add("in all", is.in_all - was.in_all - day.paid.in_all, text_cents);
    add("paid", {link, {}, day.table}, paid.text(),
        "attendant " + text_cents(is.by_attendant) + " and device " + text_cents(is.by_device) +
            " are held against " + text_cents(is.in_all) +
            " in all, and against what the day's awards paid");

    if (day.late_rounds == 0) return;
    Differences late;
    late.add(static_cast<std::int64_t>(day.late_rounds), "round");
    late.add("", day.late_handle, text_cents);
    add("late", {link, {}, day.table}, late.text(),
        "locked before " + text(*book_.begins_at) + " by the table's clock, delivered after it");
  }

  // The boxes of a fund that had stopped collecting before the day are empty.
  [[nodiscard]] bool has_boxes(LinkIndex link) const {
    return book_.floor.link(link).pot && book_.opening[link.value()].book.ending.collects();
  }

  // Boxes and chips.
  void compare_counts(LinkIndex link, const TableDay& day) {
    const Place place{link, {}, day.table};
    const auto* box = statements_.find(CountKind::poker_box, link, day.table);
    if (box != nullptr) {
      add("box", place, unless_zero(box->fact.amount - day.handle),
          "counted " + text_cents(box->fact.amount) + ", contributed " + text_cents(day.handle));
    } else if (day.pots > 0 && has_boxes(link)) {
      add("box_missing", place, text_cents(day.handle),
          "nobody has counted the box; contributed " + text_cents(day.handle));
    }
    const auto* chips = statements_.find(CountKind::chips, link, day.table);
    if (chips == nullptr) return;
    add("chips", place, unless_zero(chips->fact.amount - day.handle),
        "counted " + text_cents(chips->fact.amount) + ", wagered " + text_cents(day.handle));
  }

  void compare_fund(LinkIndex link) {
    for (FundItem& item : FundDay(book_, statements_, link).items()) {
      add(item.kind, {link}, std::move(item.difference), std::move(item.words));
    }
  }

  void compare_counters(TableIndex table) {
    const CounterReconciliation& telling = book_.reconciliations[table.value()];
    const Place place{{}, {}, table};
    if (!telling.last()) {
      const std::uint64_t messages = book_.messages[table.value()];
      if (messages == 0) return;
      add("counters_missing", place,
          std::to_string(messages) + (messages == 1 ? " message" : " messages"),
          "the table has not told what it counted");
      return;
    }
    if (telling.has_restarted()) {
      add("counters_anew", place, "from message " + std::to_string(telling.last()->from.value()),
          "the table began to count anew: what it counted before is not held against the "
          "journal's");
    }
    for (const CounterDifference& apart : telling.moved()) {
      add("counters", {apart.link, {}, table}, text(apart),
          "the table has counted otherwise than the journal",
          name_of(place) + name_of({apart.link}));
    }
  }

  void tell(const OpenClaim& claim) {
    std::optional<Pool> level;
    if (claim.level) level = Pool::level(*claim.level);
    add("claim", {claim.link, level, claim.table}, text_cents(claim.amount),
        claim.line.text() + ", " + std::string(name(claim.state)) + " at the end of the day",
        number_of(claim.number));
  }

  void tell(const DayEvent& event) {
    const std::string entry = number_of(event.entry);
    if (event.link) {
      const Place place{event.link};
      add("suspended", place, event.difference, "the link suspended itself",
          name_of(place) + entry);
    } else if (event.kind == "history_restored") {
      add("restored", {}, event.difference,
          "a backup was restored: what tables said since they say again, what people did is on "
          "paper alone",
          entry);
    } else {
      add("clock", {}, event.difference, "the clock was set", entry);
    }
  }

  // Where an item belongs.
  struct Place {
    std::optional<LinkIndex> link = {};
    std::optional<Pool> level = {};
    std::optional<TableIndex> table = {};
  };
  // "/C4-MEGA/mega"
  [[nodiscard]] std::string name_of(const Place& place) const {
    std::string name;
    if (place.link) name += "/" + link_name(book_.floor, *place.link);
    if (place.level) name += "/" + pool_name(book_.floor, *place.link, *place.level);
    if (place.table) name += "/" + table_name(book_.floor, *place.table);
    return name;
  }
  template <class Number>
  static std::string number_of(Number number) {
    return "/" + std::to_string(number.value());
  }
  // `name`: what follows the kind in the item's name. Without a difference there is no item.
  void add(const char* kind, const Place& place, std::string difference, std::string words,
           const std::string& name) {
    if (difference.empty()) return;
    DayItem item{kind + name,     kind, place.link, place.level, place.table, std::move(difference),
                 std::move(words)};
    item.explained = statements_.find(item.item, item.difference);
    items_.push_back(std::move(item));
  }
  void add(const char* kind, const Place& place, std::string difference, std::string words) {
    add(kind, place, std::move(difference), std::move(words), name_of(place));
  }
  static std::string unless_zero(Amount amount) {
    return amount == Amount() ? "" : text_cents(amount);
  }

  const DayBook& book_;
  const DayAttestations& statements_;
  std::vector<DayItem> items_;
};

}  // namespace

std::vector<DayItem> day_variances(const DayBook& book, const DayAttestations& statements) {
  return Comparing(book, statements).all();
}

}  // namespace linkmeter
