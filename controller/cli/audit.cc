#include "controller/audit.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "controller/cli/commands.h"
#include "controller/cli/progress.h"
#include "controller/seal.h"

namespace linkmeter::cli {

int audit(const std::filesystem::path& data, bool as_json) {
  const auto journal = open_data(data);
  AuditReport report;
  {
    Progress progress("audit", journal->head().entry.value(), "entries");
    report = linkmeter::audit(*journal, [&progress](std::uint64_t done) { progress.show(done); });
  }
  if (as_json) {
    nlohmann::ordered_json all{
        {"clean", report.is_clean()},
        {"entries", report.entries_checked},
        {"head", {{"entry", report.head.entry.value()}, {"hash", hex(report.head.hash)}}},
        {"first_bad_entry", nullptr},
        {"why", nullptr}};
    if (report.bad) all["first_bad_entry"] = report.bad->number.value();
    if (!report.is_clean()) all["why"] = text(report);
    std::cout << all.dump(2) << '\n';
  } else if (report.is_clean()) {
    std::cout << "clean: " << report.entries_checked << " entries, head " << hex(report.head.hash)
              << '\n';
  }
  if (report.is_clean()) return 0;
  std::cerr << data.string() << ": " << text(report) << '\n';
  return 1;
}

}  // namespace linkmeter::cli
