#include <iostream>
#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/pin_entry.h"
#include "meters/state/claim.h"

namespace linkmeter::cli {

// Two requests with one PIN: two acts, each of which can be refused.
int pay(const Asker& asker, ClaimNumber number, std::optional<PaymentSource> source) {
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
    throw Fault(said + " has no slip that is to be paid: say --source, and one is issued");
  }
  const PaymentSource from = source ? *source : open->source;
  ControlRequest request{asker.by, read_pin(asker.by), {}, {}};
  SlipNumber slip = open == nullptr ? SlipNumber() : open->number;
  Json issued_with;  // null: it was issued before
  // Of what is not to be paid no slip is issued: the refusal is the payment's.
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
    Json told = reply_json(paid);
    told["slip"] = slip == SlipNumber() ? Json() : Json(slip.value());
    told["slip_entry"] = std::move(issued_with);
    print_json(told);
  }
  require_done(paid);
  if (!asker.json) std::cout << "entry " << paid.entry.value() << ": " << paid.text << '\n';
  return 0;
}

}  // namespace linkmeter::cli
