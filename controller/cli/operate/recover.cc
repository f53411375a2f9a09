// linkmeter recover: sets a manager's new PIN by recovery codes, and makes new codes for two
// managers (meters/state/recovery.h).
#include <array>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "controller/auth/pin.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/pin_entry.h"
#include "controller/cli/shell/text_table.h"
#include "meters/state/recovery.h"
#include "meters/values/limits.h"

namespace linkmeter::cli {

int recover(const OperatorClient& asker) {
  require_controller(asker.from);
  const std::size_t needed = codes_needed(current_state(*open_data(asker.from)).recovery());
  ControlRequest request{asker.by,  {}, random_pin(asker.by),
                         Recover{}, {}, read_recovery_codes(needed)};
  const ControlReply reply = answer_to(asker, request);
  const bool is_done = reply.refusal == Refusal::none;
  if (asker.json) {
    Json told = reply_json(reply);
    if (is_done) told["pin"] = request.new_pin;
    print_json(told);
  }
  require_done(reply);
  if (asker.json) return 0;
  std::cout << "entry " << reply.entry.value() << ": " << reply.text << '\n'
            << "PIN of " << asker.by.text() << ": " << request.new_pin << '\n'
            << "it must be changed before anything else: linkmeter person pin "
            << asker.from.option() << " --by " << asker.by.text() << '\n'
            << "the codes are used up; two managers make new ones: linkmeter recover --new-codes "
            << asker.from.option() << " --by BADGE\n";
  return 0;
}

namespace {

// Three codes, and their digests.
struct NewCodes {
  std::array<std::string, limits::recovery_codes_made> codes;
  std::vector<Digest> digests;

  NewCodes() {
    for (std::string& code : codes) {
      code = random_recovery_code();
      digests.push_back(recovery_digest(code));
    }
  }
};

// Sends the command, and prints the codes if it is accepted.
ControlReply ask_with(const OperatorClient& asker, const NewCodes& made, OperatorCommand act) {
  ControlReply reply =
      cli::answer_to(asker, {asker.by, cli::read_pin(asker.by), {}, std::move(act)});
  if (asker.json) {
    Json told = cli::reply_json(reply);
    if (reply.refusal == Refusal::none) told["recovery_codes"] = made.codes;
    cli::print_json(told);
  }
  cli::require_done(reply);
  if (asker.json) return reply;
  std::cout << "entry " << reply.entry.value() << ": " << reply.text << '\n';
  for (const std::string& code : made.codes) std::cout << "recovery code: " << code << '\n';
  return reply;
}

}  // namespace

int new_recovery_codes(const OperatorClient& asker) {
  require_controller(asker.from);
  const NewCodes made;
  const ControlReply reply = ask_with(asker, made, Propose{NewRecoveryCodes{made.digests}});
  if (asker.json) return 0;
  std::cout
      << "These codes become valid when the manager of the other department confirms them within "
         "two minutes.\nThe confirmation makes three codes for that manager, too: linkmeter "
         "confirm "
      << reply.proposal.value() << " " << asker.from.option() << " --by BADGE\n";
  return 0;
}

int confirm_recovery_codes(const OperatorClient& asker, const Proposal& proposal) {
  const NewCodes made;
  ask_with(asker, made, Confirm{proposal.number, summary(proposal.act), made.digests});
  if (asker.json) return 0;
  std::cout << "seal each of your codes apart from the others, where the other manager does not "
               "come; two of yours and two of the other manager's recover a manager\n";
  return 0;
}

}  // namespace linkmeter::cli
