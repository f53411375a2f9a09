#include <iostream>
#include <string>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/integrity/startup.h"
#include "controller/store/audit.h"
#include "controller/store/data_folder.h"
#include "controller/store/own_node.h"
#include "controller/time/clock.h"
#include "meters/rules/decide.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/whole_state.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

// Whether other nodes have this journal, too, and go on with it.
bool is_replicated(const std::filesystem::path& data, const State& state) {
  const auto node = read_own_node(data);
  if (node && !(node->has_caught_up && may_write_alone(*node, state.writer()))) return true;
  return state.writer() && state.writer()->reason != WriterReason::left;
}

// Rebuilds the stored state from a journal that is whole, and suspends every link. Does nothing if
// the state is right. Throws Fault if the journal is not whole or a controller is running.
int rebuild(const std::filesystem::path& data) {
  require_own_folder(data);
  const auto journal = open_journal(data);
  AuditReport report =
      audit(*journal, Progress("audit", journal->head().entry.value(), "entries").callback());
  if (report.bad) {
    const auto node = read_own_node(data);
    throw Fault(data.string() + ": nothing can be rebuilt: " + text(report) +
                (node ? "; make this node again from a backup of another one: linkmeter restore "
                        "--from FOLDER --to DIR --node " +
                            node->name
                      : ""));
  }
  if (report.is_clean() && !report.other_version.empty()) {
    const auto made = rows_to_mend(journal->rows(), rows_of(*report.state));
    journal->commit({}, made);
    std::cout << report.other_version << ": rebuilt from " << report.entries_checked << " entries, "
              << made.size() << " rows written; no link is suspended by that\n";
    return 0;
  }
  if (report.is_clean()) {
    std::cout << "the stored state is what the entries give; nothing to rebuild\n";
    return 0;
  }
  const std::string why = report.wrong_state;
  State& state = *report.state;
  if (is_replicated(data, state)) {
    // An entry of its own would part this journal from the other nodes'.
    const auto rows = rows_to_mend(journal->rows(), rows_of(state));
    journal->commit({}, rows);
    std::cout << "rebuilt from " << report.entries_checked << " entries, " << rows.size()
              << " rows written (" << why << "); this is a node: only the writer appends entries, "
              << "so no link is suspended\n";
    return 0;
  }
  Clock clock(clock_terms(*journal, state.clock(), state.last_check()));
  std::vector<std::string> entries;
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) {
    const SelfSuspension suspension{LinkIndex(at), "the state was rebuilt from the journal: " + why,
                                    /*is_always_shown=*/true};
    const Decision decision = decide(state, FloorRules(), suspension, clock.now());
    const auto* entry = std::get_if<Entry>(&decision);
    if (entry == nullptr) continue;  // suspended for this reason already
    state.apply(*entry);
    entries.push_back(encode(*entry));
  }
  const auto rows = rows_to_mend(journal->rows(), rows_of(state));
  journal->commit(entries, rows);
  std::cout << "rebuilt from " << report.entries_checked << " entries, " << rows.size()
            << " rows written (" << why << "); every link is suspended until people resume it\n";
  return 0;
}

}  // namespace

void declare_rebuild(CLI::App& app, CommandBuilder& declare) {
  declare
      .command(app, "rebuild",
               "Rebuild a damaged state from a journal that is whole; suspends every link",
               [&given = declare.options] { return rebuild(given.from.data); })
      ->add_option("--data", declare.options.from.data, "The data folder, with no controller on it")
      ->required();
}

}  // namespace linkmeter::cli
