#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/integrity/self_check.h"
#include "controller/integrity/software.h"
#include "controller/store/data_folder.h"
#include "controller/store/hash_chain.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {
namespace {

Json report_json(const SoftwareReport& report) {
  Json all{{"clean", report.is_clean()},
           {"manifest", nullptr},
           {"sealed_at", nullptr},
           {"sealed_by", nullptr},
           {"signature", report.fault.empty() ? "good" : "none"},
           {"files", Json::array()},
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
  return all;
}

// Nothing of a manifest that cannot be used: the sentence on standard error says why.
void print_verdicts(const Json& report) {
  if (report.at("signature") != "good") return;
  print_table(report.at("files"), {left("kind"), left("file", "name"), left("verdict")});
  std::cout << "sealed " << plain_cell(report.at("sealed_at")) << " by "
            << plain_cell(report.at("sealed_by")) << ", the signature is good\n";
}

// Exit 1 if anything differs from the manifest.
int verify_software(const CommandOptions& given) {
  const std::filesystem::path& data = given.from.data;
  const auto journal = open_data(data);
  // The journal names the seal key, so its chain is checked first.
  const JournalProof proof = prove(*journal);
  if (!proof.journal.failure.empty()) {
    throw Fault(data.string() + ": the seal key is not known: " + proof.journal.failure);
  }
  const SoftwareReport report = linkmeter::verify_software(
      data, {given.floor, given.catalogue},
      proof.state ? proof.state->keys().of(KeyKind::seal) : opened_floor(*journal).seal_key);
  const Json json = report_json(report);
  given.json ? print_json(json) : print_verdicts(json);
  if (report.is_clean()) return 0;
  std::cerr << data.string() << ": " << text(report) << '\n';
  return 1;
}

}  // namespace

void declare_verify_software(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  CLI::App* verify = declare.command(
      app, "verify-software", "Compare programs, game chapters and floor file with the manifest",
      [&given] { return verify_software(given); });
  declare.takes_data(verify);
  declare.takes_floor(verify, "The floor file; without it, it is not checked")->required(false);
  declare.takes_catalogue(verify);
  declare.takes_json(verify);
}

}  // namespace linkmeter::cli
