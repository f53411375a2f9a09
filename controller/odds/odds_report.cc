#include "controller/odds/odds_report.h"

#include "controller/odds/dealer_draw.h"
#include "meters/values/invariant.h"

namespace linkmeter::odds {

namespace {

void fill_figures(const WagerRules& wager, OddsReport& sheet) {
  if (!is_dealer_side_only(wager)) {
    sheet.figures = figures_of(wager, sheet.paytable, sheet.chances, sheet.terms);
    sheet.envy = envy_returns(sheet.paytable, sheet.chances);
  }
  sheet.bonuses = bonus_returns(wager, sheet.paytable, sheet.terms);
}

}  // namespace

bool is_dealer_side_only(const WagerRules& wager) {
  return wager.hand == HandKind::twenty_against_dealer;
}

OddsReport counted_report(const WagerRules& wager, const Paytable& paytable,
                          const OddsInputs& terms, const HandCounts& counts) {
  INVARIANT(is_countable(wager.hand));
  OddsReport sheet;
  sheet.paytable = without_options(paytable);
  sheet.terms = terms;
  sheet.total = counts.total();
  sheet.hands = hands_per_line(counts, sheet.paytable);
  for (const std::uint64_t hands : sheet.hands) {
    sheet.chances.push_back(ratio(hands, *sheet.total));
  }
  fill_figures(wager, sheet);
  return sheet;
}

OddsReport drawn_report(const WagerRules& wager, const Paytable& paytable,
                        const OddsInputs& terms) {
  OddsReport sheet;
  sheet.paytable = without_options(paytable);
  sheet.terms = terms;
  sheet.chances = dealer_chances(wager.hand, sheet.paytable, dealer_hands(terms.decks));
  fill_figures(wager, sheet);
  return sheet;
}

}  // namespace linkmeter::odds
