#include "controller/cli/operate/restore.h"

#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "controller/view/json.h"
#include "meters/rules/decide_restoration.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"
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
    print_json(all);
  } else if (state.restorations().empty()) {
    std::cout << "this journal was never restored from a backup\n";
  }
  return 0;
}

// Proposes what the journal recorded; it is not typed in.
int accept_history(const OperatorClient& asker, const CommandOptions& options) {
  require_controller(asker.from);
  const State state = current_state(*open_data(asker.from));
  const Restoration* restoration = options.number == 0
                                       ? waiting_restoration(state)
                                       : find_restoration(state, EntryNumber(options.number));
  if (restoration == nullptr) {
    throw Fault(options.number == 0 ? "no restored history waits to be accepted"
                                    : "entry " + std::to_string(options.number) +
                                          " records no restoration: linkmeter history show");
  }
  AcceptHistory accept = restoration->to_accept();
  accept.note = options.note;
  return ask(asker, Propose{std::move(accept)});
}

}  // namespace

void declare_history(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& history =
      *CommandBuilder::group(app, "history", "The backups from which this journal was restored");
  declare.reading(history, "show", "List the restorations, and whether two managers accepted them",
                  [&options] { return show_history(options.from, options.json); });
  CLI::App* accept =
      declare.asking(history, "accept", "Propose to accept a restored history",
                     [&options](const OperatorClient& by) { return accept_history(by, options); });
  accept
      ->add_option("--entry", options.number,
                   "The entry of the restoration (default: the one that waits)")
      ->transform(a_number(1));
  accept->add_option("--note", options.note, "In your words");
  accept->footer(
      "The journal has lost what people did after the backup: reconcile their papers before you\n"
      "close the day. The manager of the other department confirms it: linkmeter confirm. Then\n"
      "the links operate as before, and each table sends again what it sent after the backup.");
}

}  // namespace linkmeter::cli
