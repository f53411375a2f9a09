#include "config/reader/link_options.h"

#include <algorithm>

#include "config/reader/enumeration.h"

namespace linkmeter {
namespace {

std::string options_in_words(const WagerRules& wager) {
  if (wager.options.empty()) return "it has none";
  return "it has " + enumeration(wager.options, [](const OptionRule& rule) {
           return std::string(name(rule.option));
         });
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

void apply_options(const std::map<Option, bool>& options, LinkConfig& terms, LinkRules& rules) {
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

}  // namespace linkmeter
