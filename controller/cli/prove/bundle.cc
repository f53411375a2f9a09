#include "controller/accounting/evidence/bundle.h"

#include <iostream>

#include "controller/accounting/evidence/bundle_audit.h"
#include "controller/cli/prove/evidence.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/leftovers.h"
#include "controller/cli/shell/text_table.h"
#include "controller/time/clock.h"
#include "meters/values/hex.h"
#include "proto/codec/head_text.h"
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

}  // namespace

int bundle(const EvidenceOptions& asked) {
  report_leftovers(asked.folder);
  const auto journal = open_data(asked.data);
  const State state = current_state(*journal);
  BundleRequest about;
  if (asked.claim != 0) about.claim = ClaimNumber(asked.claim);
  if (!asked.day.empty()) about.day = parse_gaming_day(asked.day);
  BundleResult made;
  {
    StepProgress progress("done");
    made = make_bundle(*journal, state, asked.data, about, asked.folder, Clock().now(),
                       progress.steps());
  }
  const Segment& segment = made.segment;
  if (asked.json) {
    print_json({{"files", made.files},
                {"entries", segment.entries},
                {"before", head_json(segment.before)},
                {"last", head_json(segment.last)},
                {"missing", made.missing}});
  } else {
    std::cout << asked.folder.string() << ": " << made.files << " files with entries "
              << segment.before.entry.next().value() << " to " << segment.last.entry.value()
              << "; verify it with: linkmeter audit --bundle " << asked.folder.string() << '\n';
  }
  for (const std::string& one : made.missing) std::cerr << one << '\n';
  return 0;
}

int audit_bundle(const std::filesystem::path& folder, const std::string& known, bool as_json) {
  std::optional<Head> head;
  if (!known.empty()) head = parse_head(known);
  if (!known.empty() && !head) {
    throw Fault("\"" + known + "\" is not an entry and its hash, as 812:5f1c... with 64 digits");
  }
  BundleReport report;
  {
    StepProgress progress("done");
    report = linkmeter::audit_bundle(folder, head, progress.steps());
  }
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

}  // namespace linkmeter::cli
