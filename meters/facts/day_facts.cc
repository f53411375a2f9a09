#include "meters/facts/day_facts.h"

namespace linkmeter {

std::string_view name(CountKind kind) {
  switch (kind) {
    case CountKind::poker_box: return "poker_box";
    case CountKind::fund_kept: return "fund_kept";
    case CountKind::chips: return "chips";
  }
  return "";
}

std::optional<CountKind> parse_count_kind(std::string_view text) {
  for (const CountKind kind : {CountKind::poker_box, CountKind::fund_kept, CountKind::chips}) {
    if (name(kind) == text) return kind;
  }
  return std::nullopt;
}

std::string signed_item(const CountRecorded& count) {
  std::string item = "count " + std::to_string(static_cast<int>(count.kind)) + " " +
                     std::to_string(count.link.value());
  if (count.table) item += " " + std::to_string(count.table->value());
  return item;
}

std::string signed_item(const FundMoved& moved) {
  return "move " + std::to_string(moved.link.value());
}

std::string signed_item(const VarianceExplained& explained) { return "explain " + explained.item; }

}  // namespace linkmeter
