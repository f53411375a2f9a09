// Sets a manager's new PIN by recovery codes, and makes new codes for two managers
// (meters/state/recovery.h).
#include <array>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "controller/auth/pin.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/pin_entry.h"
#include "meters/state/recovery.h"
#include "meters/values/limits.h"

namespace linkmeter::cli {

namespace {

// Gives the manager `asker.by` a new PIN for recovery codes.
int recover(const OperatorClient& asker) {
  require_controller(asker.from);
  const std::size_t needed = codes_needed(current_state(*open_data(asker.from)).recovery());
  const ControlRequest request{asker.by,  {}, random_pin(asker.by),
                               Recover{}, {}, read_recovery_codes(needed)};
  send(asker, request, Json{{"pin", request.new_pin}});
  if (asker.json) return 0;
  std::cout << "PIN of " << asker.by.text() << ": " << request.new_pin << '\n'
            << "it must be changed before anything else: linkmeter person pin "
            << asker.from.option() << " --by " << asker.by.text() << '\n'
            << "the codes are used up; two managers make new ones: linkmeter recover --new-codes "
            << asker.from.option() << " --by BADGE\n";
  return 0;
}

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
ControlReply send_with(const NewCodes& made, const OperatorClient& asker, OperatorCommand act) {
  ControlReply reply = send(asker, {asker.by, read_pin(asker.by), {}, std::move(act)},
                            Json{{"recovery_codes", made.codes}});
  if (asker.json) return reply;
  for (const std::string& code : made.codes) std::cout << "recovery code: " << code << '\n';
  return reply;
}

int new_recovery_codes(const OperatorClient& asker) {
  require_controller(asker.from);
  const NewCodes made;
  const ControlReply reply = send_with(made, asker, Propose{NewRecoveryCodes{made.digests}});
  if (asker.json) return 0;
  std::cout
      << "These codes become valid when the manager of the other department confirms them within "
         "two minutes.\nThe confirmation makes three codes for that manager, too: linkmeter "
         "confirm "
      << reply.proposal.value() << " " << asker.from.option() << " --by BADGE\n";
  return 0;
}

}  // namespace

int confirm_recovery_codes(const OperatorClient& asker, const Proposal& proposal) {
  const NewCodes made;
  send_with(made, asker, Confirm{proposal.number, summary(proposal.act), made.digests});
  if (asker.json) return 0;
  std::cout << "seal each of your codes apart from the others, where the other manager does not "
               "come; two of yours and two of the other manager's recover a manager\n";
  return 0;
}

void declare_recovery(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  bool& is_for_new_codes = declare.own<bool>();
  CLI::App* added = declare.reading(
      app, "recover", "Set a new PIN for a manager who cannot sign in, with recovery codes",
      [&declare, &given, &is_for_new_codes] {
        if (is_for_new_codes) return new_recovery_codes(declare.client());
        return recover({given.from, Badge(given.badge), given.json});
      });
  CLI::Option* badge = added->add_option("--badge", given.badge, "The manager who is recovered");
  CLI::Option* codes = added->add_flag("--new-codes", is_for_new_codes,
                                       "Propose new recovery codes; older ones are void then");
  CLI::Option* by = added->add_option("--by", given.by, "Your badge, for --new-codes");
  codes->needs(by);
  by->needs(codes);
  takes_one_of(added, {badge, codes});
  badge->needs(added->get_option("--data"));
  added->footer(
      "--badge needs --data: recovery codes work only on the controller's machine.\n"
      "init printed three codes; two of them recover one manager, and are used up. Of codes that\n"
      "two managers made, two of each are needed. Type them, or put them into\n"
      "$LINKMETER_RECOVERY_CODES with spaces between them, or on standard input, one per line.\n"
      "Every link is suspended, and the manager changes the PIN before anything\n"
      "else. Wrong codes are entries, and each one makes the next try wait, an hour at most.");
}

}  // namespace linkmeter::cli
