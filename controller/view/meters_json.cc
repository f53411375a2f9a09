#include "controller/view/meters_json.h"

#include "controller/view/display_names.h"
#include "controller/view/entry_json.h"

namespace linkmeter {
namespace {

Json level_json(const LevelConfig& terms, const LevelBalances& level) {
  return Json{{"level", terms.id.text()},
              {"amount", text_exact(level.pool.held)},
              {"withheld", text_exact(level.pool.withheld)},
              {"pending", text_exact(level.pool.pending)},
              {"paid", text_exact(level.pool.paid)},
              {"contributed", text_exact(level.pool.contributed)},
              {"seeded", text_exact(level.pool.seeded)},
              {"hits", level.hits},
              {"partial_hits", level.partial_hits},
              {"overflowed", text_exact(level.pool.overflowed)},
              {"limit", cents_or_null(terms.limit)},
              {"shown", text_cents(level.pool.held.whole_cents())},
              {"rate", text(terms.rate)},
              {"seed", text_cents(terms.seed)},
              {"reseed", text_cents(terms.reseed)}};
}

Json link_json(const State& state, const LinkConfig& terms, const LinkBalances& book) {
  Json link{{"link", terms.id.text()},
            {"wager", terms.wager.text()},
            {"paytable", text_or_null(terms.paytable)},
            {"status", book.suspended.empty() ? "operating" : "suspended"},
            {"reason", text_or_null(book.suspended)},
            {"pending_adjustment", book.pending_adjustment},
            {"unit", cents_or_null(terms.unit)},
            {"minimum", cents_or_null(terms.minimum)},
            {"maximum", cents_or_null(terms.maximum)},
            {"payout_limit", cents_or_null(terms.payout_limit)},
            {"reserve", text_exact(book.reserve.held)},
            {"reserve_rate", text(terms.reserve_rate)},
            {"reserve_contributed", text_exact(book.reserve.contributed)},
            {"reserve_withheld", text_exact(book.reserve.withheld)},
            {"levels", Json::array()},
            {"tables", table_counts_json(book.tables, state.floor())}};
  add_lifecycle(link, book.ending, state.floor());
  for (std::size_t level = 0; level < book.levels.size(); ++level) {
    link["levels"].push_back(level_json(terms.levels[level], book.levels[level]));
  }
  return link;
}

}  // namespace

Json meters_json(const State& state) {
  Json all{{"entry", state.last_entry().value()}, {"links", Json::array()}};
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    const LinkIndex link(index);
    all["links"].push_back(link_json(state, state.floor().link(link), state.link(link)));
  }
  return all;
}

std::string went_to_text(const LinkLifecycle& ending, const Floor& floor) {
  if (!ending.went_to) return "";
  const auto [link, pool] = *ending.went_to;
  return link_name(floor, link) + " " + pool_name(floor, link, pool);
}

void add_lifecycle(Json& link, const LinkLifecycle& ending, const Floor& floor) {
  link["collecting"] = ending.collects();
  link["discontinued"] = ending.has_ended();
  link["went_to"] = nullptr;
  if (!ending.went_to) return;
  const auto [to, pool] = *ending.went_to;
  link["went_to"] = Json{{"link", link_name(floor, to)}, {"level", pool_name(floor, to, pool)}};
}

}  // namespace linkmeter
