// linkmeter recover: a manager's new PIN for two recovery codes, and new codes of two managers
// (meters/recovery.h).
#include <array>
#include <iostream>
#include <string>

#include "controller/cli/asking.h"
#include "controller/cli/commands.h"
#include "controller/cli/pin_entry.h"
#include "controller/pin.h"
#include "meters/limits.h"

namespace linkmeter::cli {

int recover(const Asker& asker) {
  static_cast<void>(asker.from.folder());  // the codes are taken nowhere else
  require_controller(asker.from);
  ControlRequest request{asker.by, {}, random_pin(asker.by), Recover{}, {}, read_recovery_codes()};
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
            << "it opens nothing but its own change: linkmeter person pin " << asker.from.option()
            << " --by " << asker.by.text() << '\n'
            << "the codes are used up; two managers make new ones: linkmeter recover --new-codes "
            << asker.from.option() << " --by BADGE\n";
  return 0;
}

int new_recovery_codes(const Asker& asker) {
  require_controller(asker.from);
  std::array<std::string, limits::recovery_codes_made> codes;
  NewRecoveryCodes made;
  for (std::string& code : codes) {
    code = random_recovery_code();
    made.codes.push_back(recovery_digest(code));
  }
  const ControlReply reply =
      answer_to(asker, {asker.by, read_pin(asker.by), {}, Propose{std::move(made)}});
  const bool is_done = reply.refusal == Refusal::none;
  if (asker.json) {
    Json told = reply_json(reply);
    if (is_done) told["recovery_codes"] = codes;
    print_json(told);
  }
  require_done(reply);
  if (asker.json) return 0;
  std::cout << "entry " << reply.entry.value() << ": " << reply.text << '\n';
  for (const std::string& code : codes) std::cout << "recovery code: " << code << '\n';
  std::cout << "they are valid once the manager of the other department confirms them, within two "
               "minutes: linkmeter confirm "
            << reply.proposal.value() << " " << asker.from.option() << " --by BADGE\n";
  return 0;
}

}  // namespace linkmeter::cli
