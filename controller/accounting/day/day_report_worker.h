// Day report worker: makes the reports of gaming days on its own thread, so that a report is ready
// when a person explains a difference or signs; and stores the report of a closed day,
// DIR/days/2026-11-21.json.
//
// Laws: a report includes everything that was recorded of its day; after a new record it is not
// ready until it is made again. Only the report that both persons signed is stored, complete and
// synced; if the report comes out differently, that is logged as an error and nothing is stored. A
// report that cannot be made or stored is tried again, and blocks nothing. At most reports_max
// reports are kept: of the oldest open days, which are closed first, of requested days, and of the
// newest.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/accounting/day/reports.h"
#include "controller/store/journal.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "meters/values/gaming_day.h"
#include "proto/host/worker.h"

namespace linkmeter {

// DIR/days/2026-11-21.json
[[nodiscard]] std::filesystem::path day_report_path(const std::filesystem::path& data,
                                                    GamingDay day);

class DayReportWorker {
 public:
  static constexpr std::size_t reports_max = 40;
  static constexpr std::size_t oldest_max = 8;
  static constexpr std::size_t asked_max = 8;
  static constexpr std::chrono::seconds again_after{10};

  // Throws Fault. REQUIRES: made after ShutdownSignal; `journal` outlives this, and may be read by
  // a thread other than the writer. Without `make` nothing is ever ready.
  DayReportWorker(const std::filesystem::path& data, const Journal& journal, MakeReport make);
  DayReportWorker(const DayReportWorker&) = delete;
  DayReportWorker& operator=(const DayReportWorker&) = delete;
  // Stops the report that is being made; the next start makes it again.
  ~DayReportWorker() { stops_ = true; }

  // Readable as soon as a report is made, or failed.
  [[nodiscard]] int descriptor() const { return maker_.descriptor(); }
  // Takes the finished report and begins the next one. REQUIRES: `state` is committed.
  void serve(const State& state, std::chrono::microseconds uptime);
  // Whether a report is being made.
  [[nodiscard]] bool is_busy() const { return maker_.is_busy(); }
  // When serve() must try something again; nullopt: never.
  [[nodiscard]] std::optional<std::chrono::microseconds> due() const;

  // The report of an ended day, with everything recorded of it; nullptr: not ready, and made as
  // soon as possible.
  [[nodiscard]] const DayReport* report(const State& state, GamingDay day);
  // The report that a person sees when the request arrives: Controller::DayDataSource. Differences
  // may be explained by the last report that was made; the next report shows what remains.
  void fill(const State& state, PersonMessage& message);

  [[nodiscard]] std::filesystem::path path(GamingDay day) const;
  // Durable on return. Throws Fault.
  void store(GamingDay day, const std::string& json) const;
  // Errors since the last call, each once.
  [[nodiscard]] std::vector<std::string> take_errors();

 private:
  struct Job {
    DayRecord record;
    bool stores = false;
    EntryNumber as_of = {};
  };
  struct Made {
    Job job;
    DayReport report;
    std::string trouble = {};
    bool differs = false;  // from what was signed
  };
  struct Known {
    EntryNumber as_of;
    DayReport report;
  };

  [[nodiscard]] Made make(const Job& job, const std::vector<DayRecord>& days) const;
  void note_made(Made made, std::chrono::microseconds uptime);
  void note_closed(const State& state);
  // Days whose reports are kept ready, the most wanted first.
  [[nodiscard]] std::vector<GamingDay> wanted(const State& state) const;
  [[nodiscard]] std::optional<Job> next(const State& state);
  void trouble(GamingDay day, std::string what, std::chrono::microseconds uptime);

  const Journal& journal_;
  std::filesystem::path folder_;
  MakeReport make_;
  std::atomic<bool> stops_ = false;
  std::map<GamingDay, Known> known_;
  std::deque<GamingDay> asked_;  // the latest first
  std::size_t closed_seen_ = 0;  // days before this one are closed, and stored or to be stored
  std::set<GamingDay> to_store_;
  std::map<GamingDay, std::chrono::microseconds> again_at_;  // what could not be made or stored
  std::vector<std::string> troubles_;
  Worker<Made> maker_;  // last member: it uses all of the above
};

// DayReportService: runs the DayReportWorker in the event loop, and logs what it could not do.
class DayReportService final : public Service {
 public:
  // Both must outlive this.
  DayReportService(const Controller& controller, DayReportWorker& worker)
      : controller_(controller), worker_(worker) {}

  [[nodiscard]] std::optional<int> descriptor() const override { return worker_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds /*uptime*/) const override {
    return worker_.due();
  }
  void serve(Moment now) override;

 private:
  const Controller& controller_;
  DayReportWorker& worker_;
};

}  // namespace linkmeter
