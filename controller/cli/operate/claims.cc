#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/pin_entry.h"
#include "controller/store/config_history.h"
#include "controller/view/claim_json.h"
#include "meters/state/claim.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

Json claims_json(const Journal& journal, const State& state) {
  const Configuration configuration = configuration_in_force(journal, state);
  const auto resolved = resolve_again(configuration.floor_text, configuration.catalogue_texts);
  const auto* file = std::get_if<FloorFile>(&resolved);  // for the rules of payment
  Json all = Json::array();
  for (const Claim& claim : state.claims()) {
    all.push_back(
        claim_json(state, claim, file == nullptr ? nullptr : &file->rules.link(claim.link)));
  }
  return all;
}

void print_claims(const Json& claims) {
  print_table(claims, {left("claim"), left("state"), left("link"), left("table"), left("round"),
                       left("seat"), left("line"), left("level"), right("call"),
                       right("of", "stood"), left("sent", "sent_at"), left("raised", "raised_at"),
                       right("amount", "amount", money_cell)});
  for (const Json& claim : claims) {
    for (const Json& other : claim.at("near")) {
      if (other.at("claim") < claim.at("claim")) continue;
      std::cout << "claim " << plain_cell(claim.at("claim")) << " and claim "
                << plain_cell(other.at("claim")) << " within 2 s: " << plain_cell(other.at("why"))
                << '\n';
    }
  }
}

// Pays a claim on its open slip. Without one, issues a slip first, from `source`: two requests with
// one PIN. Each can be refused.
int pay(const OperatorClient& asker, ClaimNumber number, std::optional<PaymentSource> source) {
  require_controller(asker.from);
  const State state = current_state(*open_data(asker.from));
  const Claim* claim = state.find_claim(number);
  const Slip* open = claim == nullptr ? nullptr : state.open_slip(*claim);
  if (open == nullptr && !source) {
    const std::string said = "claim " + std::to_string(number.value());
    if (claim == nullptr) throw Fault("there is no " + said);
    switch (claim->state) {
      case ClaimState::raised:
        throw Fault(said + " is not validated yet: linkmeter claim validate " +
                    std::to_string(number.value()));
      case ClaimState::paid: throw Fault(said + " is paid already");
      case ClaimState::rejected: throw Fault(said + " is rejected");
      case ClaimState::validated: break;
    }
    throw Fault(said + " has no open slip: give --source to issue one");
  }
  const PaymentSource from = source ? *source : open->source;
  ControlRequest request{asker.by, read_pin(asker.by), {}, {}};
  SlipNumber slip = open == nullptr ? SlipNumber() : open->number;
  Json issued_with;  // the entry; null: the slip was issued before
  // No slip is issued if the payment will be refused; then the payment's refusal is reported.
  const Person* person = state.find_person(asker.by);
  const bool is_to_be_issued = open == nullptr && claim != nullptr &&
                               claim->state == ClaimState::validated && person != nullptr &&
                               person->has(Right::pay_claims);
  if (is_to_be_issued) {
    request.act = IssueSlip{number, from};
    const ControlReply issued = answer_to(asker, request);
    if (asker.json && issued.refusal != Refusal::none) print_json(reply_json(issued));
    require_done(issued);
    if (!asker.json) std::cout << "entry " << issued.entry.value() << ": " << issued.text << '\n';
    slip = issued.slip;
    issued_with = issued.entry.value();
  }
  request.act = PayClaim{number, from, slip};
  const ControlReply paid = answer_to(asker, request);
  if (asker.json) {
    Json json = reply_json(paid);
    json["slip"] = slip == SlipNumber() ? Json() : Json(slip.value());
    json["slip_entry"] = std::move(issued_with);
    print_json(json);
  }
  require_done(paid);
  if (!asker.json) std::cout << "entry " << paid.entry.value() << ": " << paid.text << '\n';
  return 0;
}

}  // namespace

void declare_claim_list(CLI::App& app, CommandBuilder& declare) {
  declare.showing(app, "claims", "List every claim and its state", claims_json, print_claims);
}

void declare_claim_steps(CLI::App& group, CommandBuilder& declare) {
  CommandOptions& options = declare.options;
  const auto takes_claim = [&declare](CLI::App* command) {
    declare.takes_number(command, "claim", "The claim's number");
  };
  CLI::App* validate =
      declare.act(group, "validate", "Confirm that the cards make the line: the claim may be paid",
                  [](const CommandOptions& given) {
                    return ValidateClaim{ClaimNumber(given.number), Badge(given.notified)};
                  });
  takes_claim(validate);
  validate->add_option("--notified", options.notified,
                       "For a Bad Beat: the badge of the person in security or finance who was "
                       "notified to bring the money (§ 553.20(f)(2))");
  CLI::App* reject =
      declare.act(group, "reject", "Reject a claim: the amount goes back to the meter",
                  [](const CommandOptions& given) {
                    return RejectClaim{ClaimNumber(given.number),
                                       parse_reject_reason(given.reason).value(), given.note};
                  });
  takes_claim(reject);
  declare.takes_reason(reject, parse_reject_reason,
                       "hand_misread, cards_missing, wager_not_made, round_irregular, "
                       "equipment_fault, game_protection");
  declare.takes_note(reject);
  takes_claim(declare.act(
      group, "countersign", "Give the second signature, where the house requires one",
      [](const CommandOptions& given) { return CountersignClaim{ClaimNumber(given.number)}; }));
  CLI::App* paying = declare.asking(
      group, "pay", "Pay a validated claim on its slip; without a slip, issue one first",
      [&options](const OperatorClient& by) {
        return pay(by, ClaimNumber(options.number), parse_payment_source(options.source));
      });
  takes_claim(paying);
  declare.takes_payment_source(paying)->required(false);
}

void declare_claims(CLI::App& app, CommandBuilder& declare) {
  declare_claim_steps(
      CommandBuilder::group(app, "claim", "Validate, reject, countersign or pay a claim"), declare);
}

}  // namespace linkmeter::cli
