#include "controller/accounting/evidence/bundle.h"

#include <iostream>

#include "controller/accounting/evidence/bundle_audit.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/time/clock.h"
#include "meters/values/hex.h"
#include "proto/codec/head_text.h"
#include "proto/host/command_line.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {
namespace {

Json report_json(const BundleReport& report) {
  const Segment& segment = report.segment;
  return {{"clean", report.is_clean()},
          {"claim", report.asked.value("claim", Json())},
          {"day", report.asked.value("day", Json())},
          {"entries", segment.entries},
          {"before", head_json(segment.before)},
          {"last", head_json(segment.last)},
          {"first_bad_entry", report.bad_entry ? Json(report.bad_entry->value()) : Json()},
          {"wrong", report.wrong},
          {"story", report.timeline},
          {"missing", report.missing},
          {"notes", report.notes}};
}

int bundle(const CommandOptions& options) {
  report_leftovers(options.out);
  const auto journal = open_data(options.from.data);
  const State state = current_state(*journal);
  BundleRequest about;
  if (options.number != 0) about.claim = ClaimNumber(options.number);
  if (!options.day.empty()) about.day = options.gaming_day();
  const BundleResult made = make_bundle(*journal, state, options.from.data, about, options.out,
                                        Clock().now(), StepProgress("done").callback());
  const Segment& segment = made.segment;
  if (options.json) {
    print_json({{"files", made.files},
                {"entries", segment.entries},
                {"before", head_json(segment.before)},
                {"last", head_json(segment.last)},
                {"missing", made.missing}});
  } else {
    std::cout << options.out.string() << ": " << made.files << " files with entries "
              << segment.before.entry.next().value() << " to " << segment.last.entry.value()
              << "; verify it with: linkmeter audit --bundle " << options.out.string() << '\n';
  }
  for (const std::string& one : made.missing) std::cerr << one << '\n';
  return 0;
}

}  // namespace

int audit_bundle(const std::filesystem::path& folder, const std::string& known, bool as_json) {
  std::optional<Head> head;
  if (!known.empty()) head = parse_head(known);
  if (!known.empty() && !head) {
    throw Fault("\"" + known + "\" is not an entry and its hash, as 812:5f1c... with 64 digits");
  }
  const BundleReport report =
      linkmeter::audit_bundle(folder, head, StepProgress("done").callback());
  if (as_json) {
    print_json(report_json(report));
  } else if (report.is_clean()) {
    std::cout << "clean: entries " << report.segment.before.entry.next().value() << " to "
              << report.segment.last.entry.value() << ", the last with hash "
              << hex(report.segment.last.hash) << '\n';
    for (const std::string& line : report.timeline) std::cout << line << '\n';
    for (const std::string& one : report.missing) std::cout << "not in it: " << one << '\n';
    for (const std::string& note : report.notes) std::cout << "note: " << note << '\n';
  }
  for (const std::string& one : report.wrong) std::cerr << folder.string() << ": " << one << '\n';
  return report.is_clean() ? 0 : 1;
}

void declare_bundle(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  CLI::App* bundle_command = declare.command(
      app, "bundle", "Copy the evidence of a claim or a gaming day into a folder to give away",
      [&given] { return bundle(given); });
  declare.takes_data(bundle_command);
  bundle_command->add_option("--out", given.out, "The new folder")->required();
  declare.takes_json(bundle_command);
  auto* claim = bundle_command->add_option("--claim", given.number, "The number of the claim")
                    ->transform(a_number(1));
  auto* day = bundle_command->add_option("--day", given.day, "Or the gaming day, as 2026-11-21")
                  ->check(read_by(parse_gaming_day, "a date, as 2026-11-21"));
  takes_one_of(bundle_command, {claim, day});
  bundle_command->footer("Verify it with: linkmeter audit --bundle FOLDER");
}

}  // namespace linkmeter::cli
