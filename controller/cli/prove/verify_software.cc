#include <iostream>
#include <nlohmann/json.hpp>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/text_table.h"
#include "controller/integrity/self_check.h"
#include "controller/integrity/software.h"
#include "controller/store/data_folder.h"
#include "controller/store/hash_chain.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {
namespace {

void tell_json(const SoftwareReport& report) {
  nlohmann::ordered_json all{{"clean", report.is_clean()},
                             {"manifest", nullptr},
                             {"sealed_at", nullptr},
                             {"sealed_by", nullptr},
                             {"signature", report.fault.empty() ? "good" : "none"},
                             {"files", nlohmann::ordered_json::array()},
                             {"why", nullptr}};
  if (report.manifest_digest != Digest{}) all["manifest"] = hex(report.manifest_digest);
  if (report.fault.empty()) {
    all["sealed_at"] = report.manifest.sealed_at;
    all["sealed_by"] = report.manifest.by;
  }
  for (const FileVerdict& file : report.files) {
    all["files"].push_back({{"kind", name(file.kind)},
                            {"name", file.name},
                            {"path", file.path},
                            {"verdict", name(file.verdict)}});
  }
  if (!report.is_clean()) all["why"] = text(report);
  std::cout << all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
}

void tell_text(const SoftwareReport& report) {
  if (!report.fault.empty()) return;  // the sentence on standard error says it
  Column kinds{"kind", true}, names{"file", true}, verdicts{"verdict", true};
  for (const FileVerdict& file : report.files) {
    kinds.cells.emplace_back(name(file.kind));
    names.cells.push_back(file.name);
    verdicts.cells.emplace_back(name(file.verdict));
  }
  for (const std::string& line : table_lines({kinds, names, verdicts})) std::cout << line << '\n';
  std::cout << "sealed " << report.manifest.sealed_at << " by " << report.manifest.by
            << ", the signature is good\n";
}

}  // namespace

int verify_software(const std::filesystem::path& data, const std::filesystem::path& floor,
                    const std::filesystem::path& catalogue, bool as_json) {
  const auto journal = open_data(data);
  // Whose seal counts stands in the journal, so first that one is held against its chain.
  const JournalProof proof = prove(*journal);
  if (!proof.journal.failure.empty()) {
    throw Fault(data.string() + ": nobody knows whose seal counts: " + proof.journal.failure);
  }
  const SoftwareReport report = linkmeter::verify_software(
      data, {floor, catalogue},
      proof.state ? proof.state->keys().of(KeyKind::seal) : opened_floor(*journal).seal_key);
  as_json ? tell_json(report) : tell_text(report);
  if (report.is_clean()) return 0;
  std::cerr << data.string() << ": " << text(report) << '\n';
  return 1;
}

}  // namespace linkmeter::cli
