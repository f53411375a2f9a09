#include "meters/codec/link_options.h"

#include <algorithm>

#include "meters/codec/enumeration.h"

namespace linkmeter {
namespace {

std::string options_in_words(const WagerRules& wager) {
  if (wager.options.empty()) return "it has none";
  return "it has " + enumeration(wager.options, [](const OptionRule& rule) {
           return std::string(name(rule.option));
         });
}

// "N for 1" of everything fixed that one wager can win at once: its best line and its bonuses.
std::int64_t largest_fixed_multiple(const Paytable& paytable) {
  std::int64_t largest = 0;
  for (const Line& line : paytable.lines) {
    if (line.pays.kind != Pays::Kind::meter) largest = std::max(largest, line.pays.multiple);
  }
  for (const Bonus& bonus : paytable.bonuses) largest += bonus.multiple;
  return largest;
}

}  // namespace

std::map<Option, bool> read_options(TomlTable& table, const WagerRules& wager) {
  std::map<Option, bool> options;
  for (const Option option : all_options) {
    const OptionRule* const rule = wager.find_option(option);
    if (rule != nullptr) {
      options[option] = table.boolean(name(option), Need::optional).value_or(rule->standard);
    } else if (table.has(name(option))) {
      table.refuse(name(option),
                   "is no option of " + wager.id.text() + "; " + options_in_words(wager),
                   wager.section);
    }
  }
  return options;
}

void apply_options(const std::map<Option, bool>& options, LinkTerms& terms, LinkRules& rules) {
  const auto chosen = [&](Option option, bool otherwise) {
    const auto found = options.find(option);
    return found == options.end() ? otherwise : found->second;
  };
  WagerRules& wager = rules.wager;
  wager.fold_forfeits = chosen(Option::fold_forfeits, wager.fold_forfeits);
  wager.folded_hand_gives_envy =
      chosen(Option::folded_hand_gives_envy, wager.folded_hand_gives_envy);
  wager.envy_of_non_bettors = chosen(Option::envy_of_non_bettors, wager.envy_of_non_bettors);
  terms.payout_limit_caps_meter = chosen(Option::payout_limit_caps_meter, false);

  Paytable& paytable = rules.paytable;
  std::erase_if(paytable.lines,
                [&](const Line& line) { return line.option && !chosen(*line.option, false); });
  std::erase_if(paytable.envy, [&](const EnvyLine& envy) {
    return std::none_of(paytable.lines.begin(), paytable.lines.end(),
                        [&](const Line& line) { return line.id == envy.line; });
  });
  std::erase_if(paytable.bonuses, [&](const Bonus& bonus) {
    return !chosen(bonus.kind == Bonus::Kind::magic_card ? Option::magic_card : Option::lucky_bonus,
                   false);
  });
}

void read_payout_limit(TomlTable& table, const WagerRules& wager, const Paytable& offered,
                       LinkTerms& terms) {
  if (!table.has("payout_limit")) {
    if (terms.payout_limit_caps_meter) {
      table.refuse("payout_limit_caps_meter", "is true, but the link has no payout_limit",
                   wager.payout_limit ? wager.payout_limit->section : wager.section);
    }
    return;
  }
  if (!wager.payout_limit) {
    table.refuse("payout_limit", "stands here, but the chapter limits no payout of this wager",
                 wager.section);
    return;
  }
  terms.payout_limit = table.amount("payout_limit", Need::required);
  const std::optional<Amount> least = terms.unit ? terms.unit : terms.minimum;
  if (!terms.payout_limit) return;
  const PayoutLimitRule& rule = *wager.payout_limit;
  if (*terms.payout_limit < rule.at_least) {
    table.refuse("payout_limit",
                 "is " + dollars(*terms.payout_limit) + "; the chapter asks at least " +
                     dollars(rule.at_least),
                 rule.section);
    return;
  }
  // Where the award of a meter is capped too, the minimum wager can win more; how much, only the
  // meter knows. The floor of the limit counts what the paytable fixes.
  const std::int64_t multiple = largest_fixed_multiple(offered);
  if (least && *terms.payout_limit < least->times(multiple)) {
    table.refuse("payout_limit",
                 "is " + dollars(*terms.payout_limit) + ", but the smallest wager of " +
                     dollars(*least) + " can win " + dollars(least->times(multiple)),
                 rule.section);
  }
}

}  // namespace linkmeter
