#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "controller/cli/commands.h"
#include "controller/moment_text.h"

namespace linkmeter::cli {

namespace {

using Json = nlohmann::ordered_json;

Json moment_json(Timestamp moment) {
  return moment == Timestamp() ? Json(nullptr) : Json(text(moment));
}

Json badge_json(const Badge& badge) { return badge.empty() ? Json(nullptr) : Json(badge.text()); }

std::string level_text(const Floor& floor, const Claim& claim) {
  return claim.level ? floor.link(claim.link).levels[claim.level->value()].id.text() : "";
}

Json claim_json(const Floor& floor, const Claim& claim) {
  return Json{{"claim", claim.number.value()},
              {"entry", claim.entry.value()},
              {"link", floor.link(claim.link).id.text()},
              {"table", floor.table(claim.table).id.text()},
              {"asset", floor.table(claim.table).asset},
              {"round", claim.round.text()},
              {"seat", claim.seat.value()},
              {"line", claim.line.text()},
              {"level", claim.level ? Json(level_text(floor, claim)) : Json(nullptr)},
              {"amount", text_cents(claim.amount)},
              {"state", name(claim.state)},
              {"source", claim.source ? Json(name(*claim.source)) : Json(nullptr)},
              {"sent_at", moment_json(claim.sent_at)},
              {"raised_at", moment_json(claim.raised_at)},
              {"validated_at", moment_json(claim.validated_at)},
              {"validated_by", badge_json(claim.validated_by)},
              {"paid_at", moment_json(claim.paid_at)},
              {"paid_by", badge_json(claim.paid_by)}};
}

void print_table(const State& state) {
  std::cout << std::left << std::setw(7) << "claim" << std::setw(11) << "state" << std::setw(14)
            << "link" << std::setw(10) << "table" << std::setw(14) << "round" << std::setw(6)
            << "seat" << std::setw(18) << "line" << std::setw(8) << "level" << std::right
            << std::setw(16) << "amount" << '\n';
  for (const Claim& claim : state.claims()) {
    const Floor& floor = state.floor();
    std::cout << std::left << std::setw(7) << claim.number.value() << std::setw(11)
              << name(claim.state) << std::setw(14) << floor.link(claim.link).id.text()
              << std::setw(10) << floor.table(claim.table).id.text() << std::setw(14)
              << claim.round.text() << std::setw(6) << unsigned{claim.seat.value()} << std::setw(18)
              << claim.line.text() << std::setw(8) << level_text(floor, claim) << std::right
              << std::setw(16) << ("$" + text_cents(claim.amount)) << '\n';
  }
}

}  // namespace

int claims(const std::filesystem::path& data, bool as_json) {
  const State state = current_state(*open_data(data));
  if (!as_json) {
    print_table(state);
    return 0;
  }
  Json all = Json::array();
  for (const Claim& claim : state.claims()) all.push_back(claim_json(state.floor(), claim));
  std::cout << all.dump(2) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
