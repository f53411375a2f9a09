#include "controller/accounting/evidence/backup.h"

#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/time/clock.h"
#include "meters/values/hex.h"
#include "proto/codec/head_text.h"

namespace linkmeter::cli {
namespace {

void print_copy(const BackupResult& made, const CommandOptions& options, const std::string& said) {
  if (options.json) {
    Json json{{"head", head_json(made.head)}, {"files", made.files}, {"bytes", made.bytes}};
    if (!options.node.empty()) json.update(node_json(options.from.data));
    print_json(json);
    return;
  }
  std::cout << said << ": " << made.files << " files, " << made.bytes << " bytes, up to entry "
            << made.head.entry.value() << ", head " << hex(made.head.hash) << '\n';
}

// From --data to the folder.
int backup(const CommandOptions& options) {
  report_leftovers(options.out);
  const BackupResult made =
      back_up(options.from.data, options.out, Clock().now(), StepProgress("done").callback());
  print_copy(made, options, options.out.string() + ": backed up");
  return 0;
}

// The other way: the folder is the backup.
int restore_backup(const CommandOptions& options) {
  report_leftovers(options.from.data);
  const BackupResult made = restore(options.out, options.from.data, options.node, Clock().now(),
                                    StepProgress("done").callback());
  print_copy(made, options, options.from.data.string() + ": restored and audited");
  if (!options.json && !options.node.empty()) {
    print_node(options.from.data);
  } else if (!options.json) {
    std::cout
        << "Later entries are not in it. The next controller that starts on it records that, and "
           "every "
           "link\nis suspended; no table is taken up before two managers accept it: linkmeter "
           "history accept --by BADGE\nThen each table sends again what it sent after "
        << text(made.head) << '\n';
  }
  return 0;
}

}  // namespace

void declare_backup(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  CLI::App* backup_command = declare.command(
      app, "backup", "Copy a data folder while its controller runs: journal, keys, slips, days",
      [&given] { return backup(given); });
  declare.takes_data(backup_command);
  backup_command->add_option("--to", given.out, "The new folder, on another disk")->required();
  declare.takes_json(backup_command);
  backup_command->footer("It contains the keys of the house: keep it as safe as those.");

  CLI::App* restore_command = declare.command(
      app, "restore",
      "Make a data folder from a backup; verifies every file and audits every entry",
      [&given] { return restore_backup(given); });
  restore_command->add_option("--from", given.out, "The backup's folder")->required();
  restore_command->add_option("--to", given.from.data, "The new data folder")->required();
  declare.takes_node(restore_command, "Make a node of this name, with a key pair of its own");
  declare.takes_json(restore_command);
}

}  // namespace linkmeter::cli
