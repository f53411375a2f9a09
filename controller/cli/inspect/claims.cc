#include <iostream>
#include <variant>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "controller/store/config_history.h"
#include "controller/time/time_text.h"
#include "controller/view/claim_json.h"
#include "controller/view/format.h"
#include "controller/view/simultaneous_wins.h"

namespace linkmeter::cli {

namespace {

std::string level_text(const Floor& floor, const Claim& claim) {
  return claim.level ? floor.link(claim.link).levels[claim.level->value()].id.text() : "";
}

// Old entries do not say what the meter stood at.
bool says_stood(const Claim& claim) { return claim.level && claim.stood >= claim.amount; }

void print_table(const State& state) {
  Column number{"claim", true}, stands{"state", true}, link{"link", true}, table{"table", true},
      round{"round", true}, seat{"seat", true}, line{"line", true}, level{"level", true},
      amount{"amount"}, call{"call"}, stood{"of"}, sent{"sent", true}, raised{"raised", true};
  const Floor& floor = state.floor();
  for (const Claim& claim : state.claims()) {
    number.cells.push_back(std::to_string(claim.number.value()));
    stands.cells.emplace_back(name(claim.state));
    link.cells.push_back(floor.link(claim.link).id.text());
    table.cells.push_back(floor.table(claim.table).id.text());
    round.cells.push_back(claim.round.text());
    seat.cells.push_back(std::to_string(claim.seat.value()));
    line.cells.push_back(claim.line.text());
    level.cells.push_back(level_text(floor, claim));
    amount.cells.push_back(money_text(claim.amount));
    call.cells.push_back(claim.level ? std::to_string(claim.call) : "");
    stood.cells.push_back(says_stood(claim) ? text_exact(claim.stood) : "");
    sent.cells.push_back(text(claim.sent_at));
    raised.cells.push_back(text(claim.raised_at));
  }
  for (const std::string& told : table_lines({number, stands, link, table, round, seat, line, level,
                                              call, stood, sent, raised, amount})) {
    std::cout << told << '\n';
  }
  for (const Claim& claim : state.claims()) {
    for (const Claim* other : near_claims(state.claims(), claim)) {
      if (other->number < claim.number) continue;
      std::cout << "claim " << claim.number.value() << " and claim " << other->number.value()
                << " within 2 s: " << why_in_order(*other, claim) << '\n';
    }
  }
}

}  // namespace

int claims(const Source& from, bool as_json) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  if (!as_json) {
    print_table(state);
    return 0;
  }
  Json all = Json::array();
  const Configuration configuration = configuration_in_force(*journal, state);
  const auto resolved = resolve_again(configuration.floor_text, configuration.catalogue_texts);
  const FloorFile* file = std::get_if<FloorFile>(&resolved);
  for (const Claim& claim : state.claims()) {
    const LinkRules* rules = file == nullptr ? nullptr : &file->rules.link(claim.link);
    all.push_back(claim_json(state, claim, rules));
  }
  std::cout << all.dump(2) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
