#include <iostream>
#include <variant>

#include "controller/cli/commands.h"
#include "controller/cli/near_claims.h"
#include "controller/cli/or_null.h"
#include "controller/cli/text_table.h"
#include "controller/configuration_text.h"
#include "controller/moment_text.h"
#include "meters/claim_need.h"

namespace linkmeter::cli {

namespace {

Json moment_json(Timestamp moment) {
  return moment == Timestamp() ? Json(nullptr) : Json(text(moment));
}

std::string level_text(const Floor& floor, const Claim& claim) {
  return claim.level ? floor.link(claim.link).levels[claim.level->value()].id.text() : "";
}

// What the chapter asks before the claim may be paid: who validates it, where it may not be paid
// from, whose cards stay on the table. Null where the rules cannot be resolved by this release.
void add_payment_rules(const LinkRules* rules, const Claim& claim, Json& told) {
  for (const char* key : {"verified_by", "not_from", "cards_stay", "section"}) told[key] = nullptr;
  if (rules == nullptr) return;
  told["verified_by"] = name(rules->wager.verified_by);
  told["cards_stay"] = name(rules->wager.cards_stay);
  told["not_from"] = Json::array();
  if (claim.level) {
    for (const PaymentSource source : rules->wager.meter_award_not_from) {
      told["not_from"].push_back(name(source));
    }
  }
  told["section"] = rules->paytable.section;
  for (const Line& line : rules->paytable.lines) {
    if (line.id == claim.line) told["section"] = line.section;
  }
}

// Old entries do not say what the meter stood at.
bool says_stood(const Claim& claim) { return claim.level && claim.stood >= claim.amount; }

Json near_json(const Floor& floor, const Claim& claim, const std::vector<const Claim*>& near) {
  Json all = Json::array();
  for (const Claim* other : near) {
    all.push_back(Json{{"claim", other->number.value()},
                       {"entry", other->entry.value()},
                       {"table", floor.table(other->table).id.text()},
                       {"seat", other->seat.value()},
                       {"call", other->call},
                       {"amount", text_cents(other->amount)},
                       {"sent_at", moment_json(other->sent_at)},
                       {"raised_at", moment_json(other->raised_at)},
                       {"order", order_of(*other, claim)},
                       {"why", why_in_order(*other, claim)}});
  }
  return all;
}

// The slip that it is to be paid on, or was; null: none, or only void ones.
const Slip* slip_of(const State& state, const Claim& claim) {
  const Slip* last = claim.slips.empty() ? nullptr : state.find_slip(claim.slips.back());
  return last == nullptr || last->state == SlipState::voided ? nullptr : last;
}

void add_slip(const State& state, const Claim& claim, Json& told) {
  const Slip* slip = slip_of(state, claim);
  told["countersigned_at"] = moment_json(claim.countersigned_at);
  told["countersigned_by"] = text_or_null(claim.countersigned_by);
  told["slip"] = slip == nullptr ? Json() : Json(slip->number.value());
  told["taxable"] = slip == nullptr ? Json() : Json(slip->taxable);
  told["keyed_line"] = text_or_null(claim.keyed);
  const ClaimNeed need = need_of(state, claim);
  told["needs"] = need == ClaimNeed::nothing ? Json() : Json(name(need));
}

Json claim_json(const State& state, const Claim& claim, const LinkRules* rules,
                const std::vector<const Claim*>& near) {
  const Floor& floor = state.floor();
  Json told{{"claim", claim.number.value()},
            {"entry", claim.entry.value()},
            {"link", floor.link(claim.link).id.text()},
            {"table", floor.table(claim.table).id.text()},
            {"asset", floor.table(claim.table).asset},
            {"round", claim.round.text()},
            {"seat", claim.seat.value()},
            {"line", claim.line.text()},
            {"on", claim.on_dealer ? Json("dealer") : Json(nullptr)},
            {"level", claim.level ? Json(level_text(floor, claim)) : Json(nullptr)},
            {"amount", text_cents(claim.amount)},
            {"call", claim.level ? Json(claim.call) : Json(nullptr)},
            {"stood", says_stood(claim) ? Json(text_exact(claim.stood)) : Json(nullptr)},
            {"state", name(claim.state)},
            {"source", claim.source ? Json(name(*claim.source)) : Json(nullptr)},
            {"sent_at", moment_json(claim.sent_at)},
            {"raised_at", moment_json(claim.raised_at)},
            {"validated_at", moment_json(claim.validated_at)},
            {"validated_by", text_or_null(claim.validated_by)},
            {"paid_at", moment_json(claim.paid_at)},
            {"paid_by", text_or_null(claim.paid_by)},
            {"rejected_at", moment_json(claim.rejected_at)},
            {"rejected_by", text_or_null(claim.rejected_by)},
            {"reject_reason", claim.reject_reason ? Json(name(*claim.reject_reason)) : Json()},
            {"reject_note", claim.reject_note.empty() ? Json() : Json(claim.reject_note)}};
  add_slip(state, claim, told);
  told["near"] = near_json(floor, claim, near);
  add_payment_rules(rules, claim, told);
  return told;
}

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
    amount.cells.push_back(dollars(claim.amount));
    call.cells.push_back(claim.level ? std::to_string(claim.call) : "");
    stood.cells.push_back(says_stood(claim) ? text_exact(claim.stood) : "");
    sent.cells.push_back(text(claim.sent_at));
    raised.cells.push_back(text(claim.raised_at));
  }
  for (const std::string& told : table_lines({number, stands, link, table, round, seat, line, level,
                                              call, stood, sent, raised, amount})) {
    std::cout << told << '\n';
  }
  const NearClaims near(state.claims());
  for (const Claim& claim : state.claims()) {
    for (const Claim* other : near.of(claim)) {
      if (other->number < claim.number) continue;
      std::cout << "claim " << claim.number.value() << " and claim " << other->number.value()
                << " within 2 s: " << why_in_order(*other, claim) << '\n';
    }
  }
}

}  // namespace

int claims(const std::filesystem::path& data, bool as_json) {
  const auto journal = open_data(data);
  const State state = current_state(*journal);
  if (!as_json) {
    print_table(state);
    return 0;
  }
  Json all = Json::array();
  const NearClaims near(state.claims());
  const Configuration configuration = configuration_in_force(*journal, state);
  const auto resolved = resolve_again(configuration.floor_text, configuration.catalogue_texts);
  const FloorFile* file = std::get_if<FloorFile>(&resolved);
  for (const Claim& claim : state.claims()) {
    const LinkRules* rules = file == nullptr ? nullptr : &file->rules.link(claim.link);
    all.push_back(claim_json(state, claim, rules, near.of(claim)));
  }
  std::cout << all.dump(2) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
