#include "controller/view/day_fact_json.h"

#include <utility>

#include "controller/time/time_text.h"
#include "controller/view/place_names.h"
#include "meters/values/hex.h"

namespace linkmeter {
namespace {

Json pool_json(std::string name, const PoolBalances& pool) {
  return Json{{"level", std::move(name)},
              {"amount", text_exact(pool.held)},
              {"withheld", text_exact(pool.withheld)},
              {"pending", text_exact(pool.pending)},
              {"paid", text_exact(pool.paid)},
              {"contributed", text_exact(pool.contributed)},
              {"seeded", text_exact(pool.seeded)},
              {"corrected", text_exact(pool.corrected)},
              {"transferred", text_exact(pool.transferred)},
              {"overflowed", text_exact(pool.overflowed)}};
}

Json counts_json(const std::vector<LinkCount>& counts, const Floor& floor) {
  Json list = Json::array();
  for (const LinkCount& count : counts) {
    list.push_back(Json{{"link", link_name(floor, count.link)},
                        {"rounds", count.rounds},
                        {"wagers", count.wagers},
                        {"handle", text_cents(count.handle)}});
  }
  return list;
}

}  // namespace

Json reading_json(const Reading& reading, const Floor& floor) {
  Json list = Json::array();
  for (std::uint32_t at = 0; at < reading.size(); ++at) {
    const LinkIndex place(at);
    const LinkReading& link = reading[at];
    Json levels = Json::array();
    for (std::size_t level = 0; level < link.book.levels.size(); ++level) {
      const LevelBalances& book = link.book.levels[level];
      Json one = pool_json(
          pool_name(floor, place, Pool::level(LevelIndex(static_cast<std::uint8_t>(level)))),
          book.pool);
      one["hits"] = book.hits;
      one["partial_hits"] = book.partial_hits;
      one["shown"] = cents_or_null(link.shown[level]);
      levels.push_back(std::move(one));
    }
    Json tables = Json::array();
    for (const TableCount& count : link.book.tables) {
      tables.push_back(Json{{"table", table_name(floor, count.table)},
                            {"rounds", count.rounds},
                            {"wagers", count.wagers},
                            {"handle", text_cents(count.handle)},
                            {"attendant_paid", text_cents(count.paid.by_attendant)},
                            {"device_paid", text_cents(count.paid.by_device)},
                            {"progressive_paid", text_cents(count.paid.in_all)}});
    }
    list.push_back(Json{{"link", link_name(floor, place)},
                        {"suspended", text_or_null(link.book.suspended)},
                        {"levels", std::move(levels)},
                        {"reserve", pool_json("reserve", link.book.reserve)},
                        {"tables", std::move(tables)}});
  }
  return list;
}

void tell_day_fact(const DayEnded& ended, const Floor& floor, Json& entry) {
  entry["day"] = text(ended.day);
  entry["ends_at"] = text(ended.ends_at);
  entry["reading"] = reading_json(ended.reading, floor);
}

void tell_day_fact(const ReadingTaken& taken, const Floor& floor, Json& entry) {
  entry["reading"] = reading_json(taken.reading, floor);
  Json seen = Json::array();
  for (const SeenAmount& one : taken.seen) {
    seen.push_back(Json{{"link", link_name(floor, one.link)},
                        {"level", pool_name(floor, one.link, Pool::level(one.level))},
                        {"amount", text_cents(one.amount)}});
  }
  entry["seen"] = std::move(seen);
  entry["note"] = taken.note;
  entry["by"] = taken.by.text();
}

void tell_day_fact(const CountersReported& told, const Floor& floor, Json& entry) {
  entry["table"] = table_name(floor, told.table);
  entry["from_message"] = told.from.value();
  entry["up_to_message"] = told.up_to.value();
  entry["told"] = counts_json(told.told, floor);
  entry["counted"] = counts_json(told.counted, floor);
}

void tell_day_fact(const CountRecorded& count, const Floor& floor, Json& entry) {
  entry["day"] = text(count.day);
  entry["kind"] = name(count.kind);
  entry["link"] = link_name(floor, count.link);
  entry["table"] = count.table ? Json(table_name(floor, *count.table)) : Json();
  entry["amount"] = text_cents(count.amount);
  entry["note"] = count.note;
  entry["witness"] = count.witness.text();
  entry["by"] = count.by.text();
  if (!count.notice.empty()) entry["notice"] = count.notice;
  if (!count.recording.empty()) entry["recording"] = count.recording;
}

void tell_day_fact(const FundMoved& moved, const Floor& floor, Json& entry) {
  entry["day"] = text(moved.day);
  entry["link"] = link_name(floor, moved.link);
  entry["tables"] = Json::array();
  for (const TableIndex table : moved.tables) {
    entry["tables"].push_back(table_name(floor, table));
  }
  entry["verified"] = moved.verified ? Json(text_cents(*moved.verified)) : Json();
  entry["note"] = moved.note;
  entry["carried_by"] = moved.carried_by.text();
  entry["accounted_by"] = moved.accounted_by.text();
  entry["by"] = moved.by.text();
}

void tell_day_fact(const DisplayAdjusted& adjusted, const Floor& floor, Json& entry) {
  entry["link"] = link_name(floor, adjusted.link);
  entry["shown"] = text_cents(adjusted.shown);
  entry["kept"] = text_cents(adjusted.kept);
  entry["note"] = adjusted.note;
  entry["witness"] = adjusted.witness.text();
  entry["by"] = adjusted.by.text();
}

void tell_day_fact(const VarianceExplained& explained, const Floor&, Json& entry) {
  entry["day"] = text(explained.day);
  entry["item"] = explained.item;
  entry["difference"] = explained.difference;
  entry["note"] = explained.note;
  entry["corrected_by"] = explained.corrected_by ? Json(explained.corrected_by->value()) : Json();
  entry["by"] = explained.by.text();
}

void tell_day_fact(const DaySigned& first, const Floor&, Json& entry) {
  entry["day"] = text(first.day);
  entry["report"] = hex(first.report);
  entry["by"] = first.by.text();
}

void tell_day_fact(const DayClosed& closed, const Floor&, Json& entry) {
  entry["day"] = text(closed.day);
  entry["report"] = hex(closed.report);
  entry["by"] = closed.by.text();
}

}  // namespace linkmeter
