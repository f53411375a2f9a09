// JournalFiles: keeps the files that the journal names by their hash complete on a node: the stored
// copies of slips, and the reports of closed days. The writer makes each file once and journals its
// hash. Here every other node, and a node that has just taken over, gets the files that it lacks.
//
// Laws: every file is compared with its hash, again and again. One that is missing or differs is
// made again from the journal, as the writer made it; if it comes out differently or cannot be made
// (by another release), another node gives it. Only bytes with the journal's hash are stored,
// complete and synced. What cannot be had is counted, logged once, and tried again. All this runs
// on a thread of low priority, one piece at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "controller/accounting/day/day_report_worker.h"
#include "controller/accounting/day/reports.h"
#include "controller/slips/slip_printer.h"
#include "controller/sockets/entry_client.h"
#include "controller/sockets/entry_server.h"
#include "controller/store/journal.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "proto/codec/cluster_codec.h"
#include "proto/host/credentials.h"
#include "proto/host/worker.h"

namespace linkmeter {

class JournalFiles final : public Service {
 public:
  static constexpr std::size_t checked_at_once = 64;
  static constexpr std::chrono::seconds again_after{10};  // what could not be had
  // Between two checks of all files: at least this, and so long that the checks take little time.
  static constexpr std::chrono::seconds pause_min{5};
  static constexpr int pause_factor = 20;  // times the time of the last check

  // All must outlive this. `journal` may be read by a thread other than the writer.
  struct Parts {
    const Controller& controller;
    const Journal& journal;
    const SlipPrinter& slips;
    const DayReportWorker& reports;
    MakeReport make_report;
    KeyPair keys;                                 // this node's own
    std::chrono::milliseconds answer_max{5'000};  // for each node that is asked for a file
  };

  // REQUIRES: made after ShutdownSignal.
  explicit JournalFiles(Parts parts) : parts_(std::move(parts)) {}
  JournalFiles(const JournalFiles&) = delete;
  JournalFiles& operator=(const JournalFiles&) = delete;
  ~JournalFiles() override { stops_ = true; }

  // The nodes that can give files now.
  void set_sources(std::vector<EntryClient::Source> sources) { sources_ = std::move(sources); }
  // Files that this node lacks, as far as it has checked.
  [[nodiscard]] std::uint64_t missing() const { return lacking_.size(); }

  [[nodiscard]] std::optional<int> descriptor() const override { return worker_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds uptime) const override;
  // REQUIRES: the controller's state is committed.
  void serve(Moment now) override;

 private:
  using Name = std::variant<SlipNumber, GamingDay>;
  struct Lacking {
    Digest digest{};
    std::chrono::microseconds again_at{};
  };
  // What a job found of a file.
  struct Found {
    NamedFile file;
    bool is_complete = false;
    bool differs = false;    // it is there, with another hash
    std::string words = {};  // how it was had, or why not; "": it was only checked
  };

  // Whether the parts that make files for the journal may be storing one now.
  [[nodiscard]] bool must_wait() const;
  void note(const Found& found, std::chrono::microseconds uptime);
  [[nodiscard]] std::vector<NamedFile> next_to_check(std::chrono::microseconds uptime);
  [[nodiscard]] bool begin_check(std::chrono::microseconds uptime);
  [[nodiscard]] bool begin_repair(std::chrono::microseconds uptime);
  // Returns a function that makes the file's bytes, and that no longer reads the state. Throws.
  [[nodiscard]] std::function<std::string()> maker(const Name& name) const;

  // ---- on the worker's thread ----
  [[nodiscard]] Found check(const NamedFile& file) const;
  [[nodiscard]] Found repair(const NamedFile& file, const std::function<std::string()>& make,
                             const std::vector<EntryClient::Source>& sources) const;
  void store(const Name& name, const std::string& bytes) const;

  const Parts parts_;
  std::vector<EntryClient::Source> sources_;
  std::map<Name, Lacking> lacking_;
  std::set<std::pair<std::chrono::microseconds, Name>> tries_;  // of lacking_, by their time
  bool is_logged_ = false;                                      // that some file cannot be had
  bool repairs_first_ = false;                                  // checks and repairs take turns
  std::size_t at_slip_ = 0;                                     // the next ones to check
  std::size_t at_day_ = 0;
  bool is_in_check_ = false;  // of all files
  std::chrono::microseconds check_began_{}, check_at_{};
  std::atomic<bool> stops_ = false;
  Worker<std::vector<Found>> worker_{/*nice_value=*/19};  // last member: it uses all of the above
};

// Reads such a file of a data folder, for another node.
[[nodiscard]] EntryServer::ReadFile journal_file_reader(const std::filesystem::path& data);

}  // namespace linkmeter
