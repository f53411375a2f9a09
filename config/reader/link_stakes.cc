#include "config/reader/link_stakes.h"

#include <algorithm>

#include "config/reader/enumeration.h"
#include "meters/values/limits.h"

namespace linkmeter {
namespace {

// The amount of a wager; nullopt if it is missing or could not be one.
std::optional<Amount> read_wager_amount(TomlTable& table, std::string_view key) {
  const std::optional<Amount> amount = table.amount(key, Need::optional);
  if (amount && (*amount <= Amount() || *amount > limits::wager_max)) {
    table.refuse(key, "is " + dollars(*amount) + "; a wager is " + dollars(Amount::cents(1)) +
                          " to " + dollars(limits::wager_max));
    return std::nullopt;
  }
  return amount;
}

bool is_for_exact_wagers(const EnvyLine& envy) {
  return std::none_of(envy.by_wager.begin(), envy.by_wager.end(),
                      [](const EnvyStep& step) { return step.or_more; });
}

// Why the wagers of a link must be of one unit: the section that says so, nullptr if they need not.
const std::string* section_of_unit(const Paytable& paytable) {
  for (const LevelRule& rule : paytable.levels) {
    if (rule.seed_for_one || rule.seed_for_one_min) return &rule.section;
  }
  for (const EnvyLine& envy : paytable.envy) {
    if (is_for_exact_wagers(envy)) return &envy.section;
  }
  return nullptr;
}

void check_envy(TomlTable& table, const Paytable& paytable, Amount unit) {
  for (const EnvyLine& envy : paytable.envy) {
    const bool listed = std::any_of(envy.by_wager.begin(), envy.by_wager.end(),
                                    [&](const EnvyStep& step) { return step.covers(unit); });
    if (listed || !is_for_exact_wagers(envy)) continue;
    table.refuse(
        "unit",
        "is " + dollars(unit) + "; the chapter has Envy Bonuses for wagers of " +
            enumeration(envy.by_wager, [](const EnvyStep& step) { return dollars(step.wager); }),
        envy.section);
    return;
  }
}

}  // namespace

void read_stakes(TomlTable& table, const WagerRules& wager, const Paytable& paytable,
                 LinkConfig& terms) {
  if (wager.placement == Placement::pot) {
    for (const std::string_view key : {"unit", "minimum", "maximum"}) {
      if (table.has(key)) table.refuse(key, "is for wagers; pots have none", wager.section);
    }
    return;
  }
  terms.unit = read_wager_amount(table, "unit");
  terms.minimum = read_wager_amount(table, "minimum");
  terms.maximum = read_wager_amount(table, "maximum");
  const std::string* const section = section_of_unit(paytable);
  if (table.has("unit")) {
    for (const std::string_view key : {"minimum", "maximum"}) {
      if (table.has(key)) table.refuse(key, "stands beside unit; a link has one or the other");
    }
    if (terms.unit) check_envy(table, paytable, *terms.unit);
    return;
  }
  if (section != nullptr) {
    table.refuse("unit", "is missing; seeds or Envy Bonuses of the chapter follow the wager",
                 *section);
  } else if (!table.has("minimum") && !table.has("maximum")) {
    table.refuse("unit", "is missing; give unit, or minimum and maximum");
  } else {
    for (const std::string_view key : {"minimum", "maximum"}) {
      if (!table.has(key)) table.refuse(key, "is missing beside its counterpart");
    }
  }
  if (terms.minimum && terms.maximum && *terms.minimum > *terms.maximum) {
    table.refuse(
        "minimum",
        "is " + dollars(*terms.minimum) + ", above the maximum of " + dollars(*terms.maximum),
        wager.section);
  }
}

}  // namespace linkmeter
