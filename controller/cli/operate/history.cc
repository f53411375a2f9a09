#include <iostream>
#include <string>
#include <utility>

#include "controller/cli/shell/command.h"
#include "meters/rules/decide_restoration.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

Json history_json(const Journal&, const State& state) {
  Json all = Json::array();
  for (const Restoration& one : state.restorations()) {
    all.push_back(Json{{"entry", one.entry.value()},
                       {"ended_with", one.fact.ended_with.value()},
                       {"ended_with_hash", hex(one.fact.hash)},
                       {"restored_at", text(one.fact.restored_at)},
                       {"backup_made_at", text(one.fact.backup_made_at)},
                       {"accepted", one.is_accepted() ? Json(one.accepted.value()) : Json()}});
  }
  return all;
}

void print_history(const Json& all) {
  const auto utc = [](const Json& moment) {
    return utc_text(parse_moment(plain_cell(moment)).value());
  };
  for (const Json& one : all) {
    std::cout << "entry " << one.at("entry") << ": restored at " << utc(one.at("restored_at"))
              << " from a backup of " << utc(one.at("backup_made_at")) << ", up to entry "
              << one.at("ended_with") << " " << plain_cell(one.at("ended_with_hash")) << "; ";
    if (one.at("accepted").is_null()) {
      std::cout << "not accepted: every link is suspended, and no table is taken up\n";
    } else {
      std::cout << "accepted with entry " << one.at("accepted") << '\n';
    }
  }
  if (all.empty()) std::cout << "this journal was never restored from a backup\n";
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

void declare_history(CLI::App& app, CommandBuilder& declare) {
  CLI::App& history =
      CommandBuilder::group(app, "history", "The backups from which this journal was restored");
  declare.showing(history, "show", "List the restorations, and whether two managers accepted them",
                  history_json, print_history);
  CLI::App* accept = declare.asking(
      history, "accept", "Propose to accept a restored history",
      [&given = declare.options](const OperatorClient& by) { return accept_history(by, given); });
  accept
      ->add_option("--entry", declare.options.number,
                   "The entry of the restoration (default: the one that waits)")
      ->transform(a_number(1));
  declare.takes_note(accept);
  accept->footer(
      "The journal has lost what people did after the backup: reconcile their papers before you\n"
      "close the day. The manager of the other department confirms it: linkmeter confirm. Then\n"
      "the links operate as before, and each table sends again what it sent after the backup.");
}

}  // namespace linkmeter::cli
