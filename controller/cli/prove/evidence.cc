#include "controller/cli/prove/evidence.h"

#include "controller/cli/shell/declaring.h"
#include "meters/values/gaming_day.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {
namespace {

void declare_backup(CLI::App& app, EvidenceOptions& asked, std::function<int()>& work) {
  CLI::App* backup_command = app.add_subcommand(
      "backup", "Copy a data folder while its controller runs: journal, keys, slips, days");
  backup_command->add_option("--data", asked.data, "The data folder")->required();
  backup_command->add_option("--to", asked.folder, "The new folder, on another disk")->required();
  backup_command->add_flag("--json", asked.json, "Print one JSON document");
  backup_command->footer("It contains the keys of the house: keep it as safe as those.");
  backup_command->callback([&asked, &work] { work = [&asked] { return backup(asked); }; });

  CLI::App* restore_command = app.add_subcommand(
      "restore", "Make a data folder from a backup; verifies every file and audits every entry");
  restore_command->add_option("--from", asked.folder, "The backup's folder")->required();
  restore_command->add_option("--to", asked.data, "The new data folder")->required();
  restore_command->add_flag("--json", asked.json, "Print one JSON document");
  restore_command->callback([&asked, &work] { work = [&asked] { return restore_backup(asked); }; });
}

}  // namespace

void declare_evidence(CLI::App& app, EvidenceOptions& asked, std::function<int()>& work) {
  declare_backup(app, asked, work);
  CLI::App* bundle_command = app.add_subcommand(
      "bundle", "Copy the evidence of a claim or a gaming day into a folder to give away");
  bundle_command->add_option("--data", asked.data, "The data folder")->required();
  bundle_command->add_option("--out", asked.folder, "The new folder")->required();
  bundle_command->add_flag("--json", asked.json, "Print one JSON document");
  auto* claim = bundle_command->add_option("--claim", asked.claim, "The number of the claim")
                    ->transform(a_number(1));
  auto* day = bundle_command->add_option("--day", asked.day, "Or the gaming day, as 2026-11-21")
                  ->check(read_by(parse_gaming_day, "a date, as 2026-11-21"));
  takes_one_of(bundle_command, {claim, day});
  bundle_command->footer("Verify it with: linkmeter audit --bundle FOLDER");
  bundle_command->callback([&asked, &work] { work = [&asked] { return bundle(asked); }; });

  CLI::App* archive_command = app.add_subcommand(
      "archive",
      "Archive closed gaming days as sealed segments, one file a day; or verify an archive");
  auto* data = archive_command->add_option("--data", asked.data, "The data folder");
  auto* to = archive_command->add_option("--to", asked.folder, "The archive's folder");
  auto* verify =
      archive_command->add_option("--verify", asked.verify, "Verify this archive; writes nothing");
  archive_command->add_option("--key", asked.key, "The seal key, if it is not DIR/keys/seal.key")
      ->excludes(verify);
  archive_command->add_flag("--json", asked.json, "Print one JSON document");
  data->needs(to)->excludes(verify);
  to->needs(data)->excludes(verify);
  archive_command->callback([&asked, &work] {
    if (asked.verify.empty() && asked.data.empty()) throw CLI::RequiredError("--data or --verify");
    work = [&asked] { return archive(asked); };
  });
}

}  // namespace linkmeter::cli
