#include "controller/audit.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "controller/cli/commands.h"
#include "controller/cli/progress.h"
#include "controller/seal.h"
#include "controller/witness.h"

namespace linkmeter::cli {

namespace {

// What a table has seen, and what the journal does not bear out of it; "": nothing.
struct Held {
  Witness witness;
  std::string wrong;
};

std::vector<Held> hold(const Journal& journal, const std::vector<Witness>& witnesses) {
  std::vector<Held> all;
  all.reserve(witnesses.size());
  for (const Witness& witness : witnesses)
    all.push_back({witness, contradiction(journal, witness)});
  return all;
}

nlohmann::ordered_json json_of(const std::vector<Held>& held) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& [witness, wrong] : held) {
    all.push_back(
        {{"table", witness.table.text()},
         {"entry", witness.head.entry.value()},
         {"hash", hex(witness.head.hash)},
         {"holds", wrong.empty()},
         {"why", wrong.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(wrong)}});
  }
  return all;
}

}  // namespace

int audit(const std::filesystem::path& data, bool as_json,
          const std::vector<std::filesystem::path>& witness_files) {
  std::vector<Witness> witnesses;
  for (const std::filesystem::path& file : witness_files) {
    for (const Witness& witness : read_witnesses(file)) witnesses.push_back(witness);
  }
  const auto journal = open_data(data);
  AuditReport report;
  {
    Progress progress("audit", journal->head().entry.value(), "entries");
    report = linkmeter::audit(*journal, [&progress](std::uint64_t done) { progress.show(done); });
  }
  const std::vector<Held> held = hold(*journal, witnesses);
  std::string wrong = report.is_clean() ? "" : text(report);
  for (const Held& one : held)
    wrong += (wrong.empty() || one.wrong.empty() ? "" : "; ") + one.wrong;
  if (as_json) {
    nlohmann::ordered_json all{
        {"clean", wrong.empty()},
        {"entries", report.entries_checked},
        {"head", {{"entry", report.head.entry.value()}, {"hash", hex(report.head.hash)}}},
        {"first_bad_entry", nullptr},
        {"why", nullptr},
        {"witnesses", json_of(held)}};
    if (report.bad) all["first_bad_entry"] = report.bad->number.value();
    if (!wrong.empty()) all["why"] = wrong;
    std::cout << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  } else {
    if (report.is_clean()) {
      std::cout << "clean: " << report.entries_checked << " entries, head " << hex(report.head.hash)
                << '\n';
      if (!report.other_version.empty()) {
        std::cout << report.other_version << ": its next start makes it anew\n";
      }
    }
    for (const auto& [witness, contradicted] : held) {
      if (!contradicted.empty()) continue;
      std::cout << "witness " << witness.table.text() << ": entry " << witness.head.entry.value()
                << " is as the table has seen it\n";
    }
  }
  if (wrong.empty()) return 0;
  std::cerr << data.string() << ": " << wrong << '\n';
  return 1;
}

}  // namespace linkmeter::cli
