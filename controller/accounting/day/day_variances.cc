#include "controller/accounting/day/day_variances.h"

#include <algorithm>
#include <array>
#include <utility>

#include "controller/accounting/day/fund_day.h"
#include "controller/view/place_names.h"
#include "meters/values/amount.h"
#include "meters/values/time_text.h"

namespace linkmeter {
namespace {

// The fields of a pool that postings make, as an item names them; the meter itself goes without.
struct PoolField {
  const char* name;
  Amount PoolBalances::*amount;
};
constexpr std::array<PoolField, 9> pool_fields{{{"", &PoolBalances::held},
                                                {"withheld", &PoolBalances::withheld},
                                                {"pending", &PoolBalances::pending},
                                                {"paid", &PoolBalances::paid},
                                                {"contributed", &PoolBalances::contributed},
                                                {"seeded", &PoolBalances::seeded},
                                                {"corrected", &PoolBalances::corrected},
                                                {"transferred", &PoolBalances::transferred},
                                                {"overflowed", &PoolBalances::overflowed}}};

// "1.00, paid -1.00": parts that are not zero; "" if there are none.
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

// Every comparison of one day, each into the same list.
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
      add({"control",
           "control",
           {},
           {},
           {},
           text_exact(book_.posted),
           "the postings of the day do not sum to zero"});
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
    for (const PoolField& field : pool_fields) {
      balance.add(field.name, closing.*field.amount - opening.*field.amount - flow.*field.amount,
                  text_exact);
    }
    add_at("balance", link, pool, balance.text(),
           "the readings differ by more than the sum of the day's postings");
    const Amount above = flow.contributed - day.expected;
    add_at("rate", link, pool, above == Amount() ? "" : text_exact(above),
           "contributed " + text_exact(flow.contributed) + ", handle by the rates in force " +
               text_exact(day.expected));
  }

  void compare_sign(LinkIndex link, LevelIndex level) {
    const Pool pool = Pool::level(level);
    const LinkReading& end = book_.closing[link.value()];
    if (const auto above = shown_above(end, level)) {
      add_at("sign", link, pool, text_cents(*above),
             "the signs had last been told " + text_cents(*end.shown[level.value()]) +
                 ", the meter was " + text_exact(end.book.pool(pool).held));
    }
    for (const TakenReading& reading : book_.readings) compare_seen(reading, link, level);
  }

  // More than the meter holds; nothing where a sign shows less, because it is on its way to it.
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
    if (differences.text().empty()) return;
    DayItem item = at_pool("sign", link, Pool::level(level), differences.text(), std::move(words));
    item.item += "/" + std::to_string(reading.entry.value());
    add(std::move(item));
  }

  void compare_table(LinkIndex link, const TableDay& day, const TableCount& opening,
                     const TableCount& closing) {
    Differences counts;
    counts.add(count_change(closing.wagers, opening.wagers) - day.wagers, "wager");
    counts.add("", closing.handle - opening.handle - day.handle, text_cents);
    add_at("count", link, day.table, counts.text(),
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
    add_at("paid", link, day.table, paid.text(),
           "attendant " + text_cents(is.by_attendant) + " and device " + text_cents(is.by_device) +
               " are held against " + text_cents(is.in_all) +
               " in all, and against what the day's awards paid");

    if (day.late_rounds == 0) return;
    Differences late;
    late.add(static_cast<std::int64_t>(day.late_rounds), "round");
    late.add("", day.late_handle, text_cents);
    add_at("late", link, day.table, late.text(),
           "locked before " + text(*book_.begins_at) + " by the table's clock, delivered after it");
  }

  // A fund that collected no more when the day began has nothing in its boxes.
  [[nodiscard]] bool has_boxes(LinkIndex link) const {
    return book_.floor.link(link).pot && book_.opening[link.value()].book.ending.collects();
  }

  // Boxes and chips.
  void compare_counts(LinkIndex link, const TableDay& day) {
    const auto* box = statements_.find(CountKind::poker_box, link, day.table);
    if (box != nullptr) {
      add_at("box", link, day.table, unless_zero(box->fact.amount - day.handle),
             "counted " + text_cents(box->fact.amount) + ", contributed " + text_cents(day.handle));
    } else if (day.pots > 0 && has_boxes(link)) {
      add_at("box_missing", link, day.table, text_cents(day.handle),
             "nobody has counted the box; contributed " + text_cents(day.handle));
    }
    const auto* chips = statements_.find(CountKind::chips, link, day.table);
    if (chips == nullptr) return;
    add_at("chips", link, day.table, unless_zero(chips->fact.amount - day.handle),
           "counted " + text_cents(chips->fact.amount) + ", wagered " + text_cents(day.handle));
  }

  void compare_fund(LinkIndex link) {
    const std::string id = link_name(book_.floor, link);
    for (FundItem& item : FundDay(book_, statements_, link).items()) {
      add({std::string(item.kind) + "/" + id,
           item.kind,
           link,
           {},
           {},
           std::move(item.difference),
           std::move(item.words)});
    }
  }

  void compare_counters(TableIndex table) {
    const CounterReconciliation& telling = book_.reconciliations[table.value()];
    const std::string id = table_name(book_.floor, table);
    if (!telling.last()) {
      const std::uint64_t messages = book_.messages[table.value()];
      if (messages == 0) return;
      add({"counters_missing/" + id,
           "counters_missing",
           {},
           {},
           table,
           std::to_string(messages) + (messages == 1 ? " message" : " messages"),
           "the table has not told what it counted"});
      return;
    }
    if (telling.is_anew()) {
      add({"counters_anew/" + id,
           "counters_anew",
           {},
           {},
           table,
           "from message " + std::to_string(telling.last()->from.value()),
           "the table began to count anew: what it counted before is not held against the "
           "journal's"});
    }
    for (const CounterDifference& apart : telling.moved()) {
      if (apart.is_nothing()) continue;
      std::string item = "counters/" + id;
      item.append("/").append(link_name(book_.floor, apart.link));
      add({std::move(item),
           "counters",
           apart.link,
           {},
           table,
           text(apart),
           "the table has counted otherwise than the journal"});
    }
  }

  void tell(const OpenClaim& claim) {
    std::optional<Pool> level;
    if (claim.level) level = Pool::level(*claim.level);
    add({"claim/" + std::to_string(claim.number.value()), "claim", claim.link, level, claim.table,
         text_cents(claim.amount),
         claim.line.text() + ", " + std::string(name(claim.state)) + " at the end of the day"});
  }

  void tell(const DayEvent& event) {
    if (event.difference.empty()) return;
    const std::string entry = std::to_string(event.entry.value());
    if (event.link) {
      std::string item = "suspended/" + link_name(book_.floor, *event.link);
      item.append("/").append(entry);
      add({std::move(item),
           "suspended",
           event.link,
           {},
           {},
           event.difference,
           "the link suspended itself"});
    } else if (event.kind == "history_restored") {
      add({"restored/" + entry,
           "restored",
           {},
           {},
           {},
           event.difference,
           "a backup was restored: what tables said since they say again, what people did is on "
           "paper alone"});
    } else {
      add({"clock/" + entry, "clock", {}, {}, {}, event.difference, "the clock was set"});
    }
  }

  [[nodiscard]] DayItem at_pool(const char* kind, LinkIndex link, Pool pool, std::string difference,
                                std::string words) const {
    return {std::string(kind) + "/" + link_name(book_.floor, link) + "/" +
                pool_name(book_.floor, link, pool),
            kind,
            link,
            pool,
            {},
            std::move(difference),
            std::move(words)};
  }
  void add_at(const char* kind, LinkIndex link, Pool pool, std::string difference,
              std::string words) {
    if (difference.empty()) return;
    add(at_pool(kind, link, pool, std::move(difference), std::move(words)));
  }
  void add_at(const char* kind, LinkIndex link, TableIndex table, std::string difference,
              std::string words) {
    if (difference.empty()) return;
    add({std::string(kind) + "/" + link_name(book_.floor, link) + "/" +
             table_name(book_.floor, table),
         kind,
         link,
         {},
         table,
         std::move(difference),
         std::move(words)});
  }
  void add(DayItem item) {
    item.explained = statements_.find(item.item, item.difference);
    items_.push_back(std::move(item));
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
