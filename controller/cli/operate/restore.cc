#include "controller/cli/operate/restore.h"

#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/view/json.h"
#include "meters/rules/decide_restoration.h"
#include "meters/values/hex.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

std::string restoration_line(const Restoration& one) {
  const std::string became =
      one.is_accepted() ? "accepted with entry " + std::to_string(one.accepted.value())
                        : "not accepted: every link is suspended, and no table is taken up";
  return "entry " + std::to_string(one.entry.value()) + ": restored at " +
         utc_text(one.fact.restored_at) + " from a backup of " + utc_text(one.fact.backup_made_at) +
         ", up to entry " + std::to_string(one.fact.ended_with.value()) + " " + hex(one.fact.hash) +
         "; " + became;
}

Json restoration_json(const Restoration& one) {
  return Json{{"entry", one.entry.value()},
              {"ended_with", one.fact.ended_with.value()},
              {"ended_with_hash", hex(one.fact.hash)},
              {"restored_at", text(one.fact.restored_at)},
              {"backup_made_at", text(one.fact.backup_made_at)},
              {"accepted", one.is_accepted() ? Json(one.accepted.value()) : Json()}};
}

int show_history(const Source& from, bool as_json) {
  const State state = current_state(*open_data(from));
  Json all = Json::array();
  for (const Restoration& one : state.restorations()) {
    if (!as_json) std::cout << restoration_line(one) << '\n';
    all.push_back(restoration_json(one));
  }
  if (as_json) {
    std::cout << all.dump(2) << '\n';
  } else if (state.restorations().empty()) {
    std::cout << "this journal was never restored from a backup\n";
  }
  return 0;
}

// What the journal says is what is proposed: nobody types it.
int accept_history(const OperatorClient& asker, const CommandOptions& options) {
  require_controller(asker.from);
  const State state = current_state(*open_data(asker.from));
  const Restoration* restoration = options.number == 0
                                       ? waiting_restoration(state)
                                       : find_restoration(state, EntryNumber(options.number));
  if (restoration == nullptr) {
    throw Fault(options.number == 0 ? "no restored history waits to be accepted"
                                    : "entry " + std::to_string(options.number) +
                                          " says no restoration: linkmeter history show");
  }
  AcceptHistory accept = restoration->to_accept();
  accept.note = options.note;
  return ask(asker, Propose{std::move(accept)});
}

}  // namespace

void declare_history(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& history =
      *CommandBuilder::group(app, "history", "Backups that this journal was restored from");
  declare.reading(history, "show", "Every one, and whether two managers have accepted it",
                  [&options] { return show_history(options.from, options.json); });
  CLI::App* accept =
      declare.asking(history, "accept", "Propose that history goes on from a restored backup",
                     [&options](const OperatorClient& by) { return accept_history(by, options); });
  accept
      ->add_option("--entry", options.number,
                   "The entry that says the restoration (default: the one that waits)")
      ->transform(a_number(1));
  accept->add_option("--note", options.note, "In your words");
  accept->footer(
      "What people did after the backup is gone from the books; the paper of it is to be\n"
      "reconciled before the day is closed. The manager of the other department confirms it:\n"
      "linkmeter confirm. Then the links operate as they did, and each table says again by\n"
      "itself what it said after the backup.");
}

}  // namespace linkmeter::cli
