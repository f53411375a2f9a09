#include "controller/web/paytable_json.h"

#include <string>

#include "meters/values/amount.h"

namespace linkmeter {
namespace {

std::string pays_text(const Pays& pays, const LinkConfig& terms) {
  switch (pays.kind) {
    case Pays::Kind::meter:
      return text(pays.share) + " of " + terms.levels[pays.level.value()].id.text();
    case Pays::Kind::for_one: return std::to_string(pays.multiple) + " for 1";
    case Pays::Kind::to_one: return std::to_string(pays.multiple) + " to 1";
  }
  return "";
}

// Whether the link takes a wager that receives this Envy Bonus.
bool is_open_to(const LinkConfig& terms, const EnvyStep& step) {
  const auto least = terms.unit ? terms.unit : terms.minimum;
  const auto most = terms.unit ? terms.unit : terms.maximum;
  const bool is_below_most = !most || step.wager <= *most;
  return is_below_most && (step.or_more || !least || step.wager >= *least);
}

}  // namespace

void add_paytable(Json& link, const LinkConfig& terms, const LinkRules& rules) {
  Json lines = Json::array(), bonuses = Json::array(), envy = Json::array();
  for (const Line& line : rules.paytable.lines) {
    lines.push_back(Json{{"line", line.id.text()}, {"pays", pays_text(line.pays, terms)}});
  }
  for (const Bonus& bonus : rules.paytable.bonuses) {
    bonuses.push_back(Json{{"bonus", name(bonus.kind)},
                           {"pays", std::to_string(bonus.multiple) + " for 1"},
                           {"first_cards", bonus.first_cards}});
  }
  for (const EnvyLine& line : rules.paytable.envy) {
    Json by_wager = Json::array();
    for (const EnvyStep& step : line.by_wager) {
      if (!is_open_to(terms, step)) continue;
      by_wager.push_back(Json{{"wager", text_cents(step.wager)},
                              {"or_more", step.or_more},
                              {"amount", text_cents(step.amount)}});
    }
    if (by_wager.empty()) continue;
    envy.push_back(Json{{"line", line.line.text()}, {"by_wager", std::move(by_wager)}});
  }
  link["paytable"] = std::move(lines);
  link["bonuses"] = std::move(bonuses);
  link["envy"] = std::move(envy);
  link["payout_limit"] = cents_or_null(terms.payout_limit);
  link["payout_limit_covers_meter"] = terms.payout_limit && terms.payout_limit_caps_meter;
}

}  // namespace linkmeter
