#include "meters/facts/day_facts.h"

#include "meters/values/enum_names.h"

namespace linkmeter {

namespace {

constexpr EnumNames<CountKind::poker_box, CountKind::chips> count_names{"poker_box", "fund_kept",
                                                                        "chips"};

}  // namespace

std::string_view name(CountKind kind) { return count_names.of(kind); }

std::optional<CountKind> parse_count_kind(std::string_view text) { return count_names.parse(text); }

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
