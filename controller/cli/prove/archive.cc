#include "controller/accounting/evidence/archive.h"

#include <iostream>
#include <optional>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/store/data_folder.h"
#include "meters/values/hex.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {
namespace {

Json archive_json(const ArchiveReport& report) {
  return {{"clean", report.is_clean()},
          {"days", report.days.size()},
          {"first", report.days.empty() ? Json() : Json(text(report.days.front().day))},
          {"last", report.days.empty() ? Json() : Json(text(report.days.back().day))},
          {"head", head_json(report.head())},
          {"unsigned", report.unsigned_days()},
          {"wrong", report.wrong}};
}

// "12 days, 2026-11-10 to 2026-11-21, up to entry 812 with hash 5f1c..., all signed".
std::string archive_text(const ArchiveReport& report) {
  if (report.days.empty()) return "no day is in it";
  const std::size_t bare = report.unsigned_days();
  return std::to_string(report.days.size()) + " days, " + text(report.days.front().day) + " to " +
         text(report.days.back().day) + ", up to entry " +
         std::to_string(report.head().entry.value()) + " with hash " + hex(report.head().hash) +
         (bare == 0 ? ", all signed" : ", " + std::to_string(bare) + " without a signature");
}

int print_archive(const ArchiveReport& report, const std::filesystem::path& folder, bool as_json) {
  if (as_json) {
    print_json(archive_json(report));
  } else if (report.is_clean()) {
    std::cout << "clean: " << archive_text(report) << '\n';
  }
  for (const std::string& one : report.wrong) std::cerr << folder.string() << ": " << one << '\n';
  return report.is_clean() ? 0 : 1;
}

// The seal key; nullopt: its file is not here, and --key was not given.
std::optional<SigningKey> sealing_key(const CommandOptions& options, const State& state) {
  std::error_code error;
  const std::filesystem::path own = seal_key_path(options.from.data);
  if (options.key.empty() && !std::filesystem::exists(own, error)) return std::nullopt;
  const std::filesystem::path path = options.key.empty() ? own : options.key;
  SigningKey key = SigningKey::read(path);
  if (key.public_bytes() != state.keys().of(KeyKind::seal)) {
    throw Fault(path.string() + ": not the seal key that the journal names");
  }
  return key;
}

int archive(const CommandOptions& options, const std::filesystem::path& verified) {
  StepProgress progress("done");
  if (!verified.empty()) {
    return print_archive(verify_archive(verified, progress.callback()), verified, options.json);
  }
  const auto journal = open_data(options.from.data);
  const State state = current_state(*journal);
  const std::optional<SigningKey> key = sealing_key(options, state);
  const std::size_t added =
      archive_days(*journal, state, options.out, key ? &*key : nullptr, progress.callback());
  if (added == 0 && !options.json) {
    std::cout << "no closed day is to be archived\n";
    return 0;
  }
  if (!options.json) std::cout << added << (added == 1 ? " day added; " : " days added; ");
  return print_archive(verify_archive(options.out, progress.callback()), options.out, options.json);
}

}  // namespace

int audit_archive(const std::filesystem::path& folder, const std::filesystem::path& data,
                  bool as_json) {
  StepProgress progress("entries");
  ArchiveReport report = verify_archive(folder, progress.callback());
  if (report.is_clean() && report.days.empty()) report.wrong.emplace_back("no day is in it");
  if (report.is_clean()) {
    const AuditReport audited = linkmeter::audit_archive(folder, report, progress.callback());
    if (!audited.is_clean()) report.wrong.push_back(text(audited));
  }
  if (report.is_clean() && !data.empty()) {
    const std::string differs = contradiction(report, *open_data(data));
    if (!differs.empty()) report.wrong.push_back(differs);
  }
  return print_archive(report, folder, as_json);
}

void declare_archive(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  auto& verified = declare.own<std::filesystem::path>();
  CLI::App* archive_command = app.add_subcommand(
      "archive",
      "Archive closed gaming days as sealed segments, one file a day; or verify an archive");
  auto* data = archive_command->add_option("--data", given.from.data, "The data folder");
  auto* to = archive_command->add_option("--to", given.out, "The archive's folder");
  auto* verify =
      archive_command->add_option("--verify", verified, "Verify this archive; writes nothing");
  archive_command->add_option("--key", given.key, "The seal key, if it is not DIR/keys/seal.key")
      ->excludes(verify);
  declare.takes_json(archive_command);
  data->needs(to)->excludes(verify);
  to->needs(data)->excludes(verify);
  archive_command->callback([&declare, &given, &verified] {
    if (verified.empty() && given.from.data.empty()) {
      throw CLI::RequiredError("--data or --verify");
    }
    declare.work = [&given, &verified] { return archive(given, verified); };
  });
}

}  // namespace linkmeter::cli
