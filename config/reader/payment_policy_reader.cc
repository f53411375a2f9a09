#include "config/reader/payment_policy_reader.h"

#include <chrono>
#include <optional>

#include "config/reader/timezone.h"
#include "meters/values/gaming_day.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

void read_step(TomlTable& table, Floor& floor) {
  SignatureStep step;
  const std::optional<Amount> from = table.amount("from", Need::required);
  for (const TomlText& word : table.texts("roles", Need::required)) {
    const std::optional<Role> role = parse_role(word.text);
    if (role && may_countersign(*role)) {
      step.roles.insert(*role);
    } else {
      table.refuse("roles", "holds \"" + word.text +
                                "\"; a second signature is a floorperson's or a "
                                "table_games_manager's");
    }
  }
  if (table.is_empty_array("roles")) table.refuse("roles", "is empty; nobody could sign");
  table.finish();
  if (!from) return;
  step.from = *from;
  const auto& before = floor.second_signature;
  if (!before.empty() && step.from <= before.back().from) {
    table.refuse("from", "is $" + text_cents(step.from) +
                             ", not above that of the step before it; the ladder rises");
  }
  floor.second_signature.push_back(std::move(step));
}

void read_threshold(TomlTable& table, const std::string& timezone, Floor& floor) {
  const std::optional<std::string> since = table.text("since", Need::required);
  const std::optional<Amount> amount = table.amount("amount", Need::required);
  const auto ratio = table.integer("ratio", Need::required, 0, limits::multiple_max);
  table.finish();
  if (!since || !amount || !ratio) return;
  const auto day = parse_gaming_day(*since);
  if (!day) {
    table.refuse("since", "is \"" + *since + "\"; it is a day, \"2026-01-01\"");
    return;
  }
  const std::chrono::sys_days date{std::chrono::days(day->number())};
  const auto begins = midnight(timezone, date);
  if (!begins) {
    table.refuse("since", "is \"" + *since +
                              "\"; this system's tz database does not say when that " +
                              "day begins in " + timezone);
    return;
  }
  TaxThreshold threshold{*begins, *since, *amount, *ratio};
  const auto& before = floor.taxable;
  if (!before.empty() && threshold.since <= before.back().since) {
    table.refuse("since", "is \"" + *since + "\", not after the one before it; they rise");
  }
  floor.taxable.push_back(std::move(threshold));
}

}  // namespace

void read_payment_policy(TomlTable& house, const std::string& timezone, Floor& floor) {
  const auto read = [&house](std::string_view key, const auto& read_one) {
    std::vector<TomlTable> all = house.tables(key, Need::optional);
    if (all.size() > limits::payment_policy_steps_max) {
      house.refuse(key,
                   "has more than " + std::to_string(limits::payment_policy_steps_max) + " steps");
      return;
    }
    for (TomlTable& one : all) read_one(one);
  };
  read("second_signature", [&floor](TomlTable& one) { read_step(one, floor); });
  read("taxable", [&](TomlTable& one) { read_threshold(one, timezone, floor); });
}

}  // namespace linkmeter
