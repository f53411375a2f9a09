#include "controller/accounting/evidence/archive.h"

#include <iostream>
#include <optional>

#include "controller/cli/prove/evidence.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
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
std::optional<SigningKey> sealing_key(const EvidenceOptions& asked, const State& state) {
  std::error_code error;
  const std::filesystem::path own = seal_key_path(asked.data);
  if (asked.key.empty() && !std::filesystem::exists(own, error)) return std::nullopt;
  const std::filesystem::path path = asked.key.empty() ? own : asked.key;
  SigningKey key = SigningKey::read(path);
  if (key.public_bytes() != state.keys().of(KeyKind::seal)) {
    throw Fault(path.string() + ": not the seal key that the journal names");
  }
  return key;
}

}  // namespace

int archive(const EvidenceOptions& asked) {
  StepProgress progress("done");
  if (!asked.verify.empty()) {
    return print_archive(verify_archive(asked.verify, progress.steps()), asked.verify, asked.json);
  }
  const auto journal = open_data(asked.data);
  const State state = current_state(*journal);
  const std::optional<SigningKey> key = sealing_key(asked, state);
  const std::size_t added =
      archive_days(*journal, state, asked.folder, key ? &*key : nullptr, progress.steps());
  if (added == 0 && !asked.json) {
    std::cout << "no closed day is to be archived\n";
    return 0;
  }
  if (!asked.json) std::cout << added << (added == 1 ? " day added; " : " days added; ");
  return print_archive(verify_archive(asked.folder, progress.steps()), asked.folder, asked.json);
}

int audit_archive(const std::filesystem::path& folder, const std::filesystem::path& data,
                  bool as_json) {
  StepProgress progress("entries");
  ArchiveReport report = verify_archive(folder, progress.steps());
  if (report.is_clean() && report.days.empty()) report.wrong.emplace_back("no day is in it");
  if (report.is_clean()) {
    const AuditReport audited = linkmeter::audit_archive(folder, report, progress.steps());
    if (!audited.is_clean()) report.wrong.push_back(text(audited));
  }
  if (report.is_clean() && !data.empty()) {
    const std::string differs = contradiction(report, *open_data(data));
    if (!differs.empty()) report.wrong.push_back(differs);
  }
  return print_archive(report, folder, as_json);
}

}  // namespace linkmeter::cli
