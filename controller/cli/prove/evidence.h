// The commands that copy evidence out of a data folder and verify it: backup and restore, bundle,
// archive, and their audits.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "controller/accounting/evidence/file_manifest.h"
#include "controller/cli/shell/progress.h"
#include "meters/values/identity.h"

namespace linkmeter::cli {

struct EvidenceOptions {
  std::filesystem::path data, folder;
  std::filesystem::path key;  // "": the one in the data folder
  std::filesystem::path verify;
  std::uint64_t claim = 0;  // 0: a day's
  std::string day;
  bool json = false;
};

int backup(const EvidenceOptions& asked);
int restore_backup(const EvidenceOptions& asked);
int bundle(const EvidenceOptions& asked);
int archive(const EvidenceOptions& asked);

// `known`: an entry and its hash, as "812:5f1c...", or "". Exit 1 if anything is wrong.
int audit_bundle(const std::filesystem::path& folder, const std::string& known, bool as_json);
// `data`: also compares with this journal; "": does not.
int audit_archive(const std::filesystem::path& folder, const std::filesystem::path& data,
                  bool as_json);

void declare_evidence(CLI::App& app, EvidenceOptions& asked, std::function<int()>& work);

// Progress of work that has several steps.
class StepProgress {
 public:
  explicit StepProgress(std::string counted) : counted_(std::move(counted)) {}
  [[nodiscard]] Steps steps() {
    return [this](const std::string& doing, std::uint64_t done, std::uint64_t of) {
      if (doing != doing_ || of != of_) {
        shown_.reset();
        shown_ = std::make_unique<Progress>(doing, of, counted_);
        doing_ = doing;
        of_ = of;
      }
      shown_->show(done);
    };
  }

 private:
  std::string counted_, doing_;
  std::uint64_t of_ = 0;
  std::unique_ptr<Progress> shown_;
};

}  // namespace linkmeter::cli
