// Day desk: makes the reports of gaming days beside the turn, one after the other, so that who
// explains or signs finds the report of his day ready; and stores the report of a closed day,
// DIR/days/2026-11-21.json.
//
// Laws: a finding is that of everything that was said of its day; one that something new was said
// of is not ready until its report is made anew. Stored is only the report that both have signed,
// whole and synced; one that comes out otherwise is told, loudly, and not stored. What cannot be
// made or stored is tried again, and stops nobody. It knows at most reports_max reports: of the
// oldest days that are open, which are closed first, of those that somebody asked for, and of the
// newest.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/accounting/day/reports.h"
#include "controller/store/journal.h"
#include "meters/facts/table_command.h"
#include "meters/state/state.h"
#include "meters/values/gaming_day.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

class DayReportWorker {
 public:
  static constexpr std::size_t reports_max = 40;
  static constexpr std::size_t oldest_max = 8;
  static constexpr std::size_t asked_max = 8;
  static constexpr std::chrono::seconds again_after{10};

  // Throws Fault. REQUIRES: made after StopSignal; `journal` outlives this, and may be read by
  // another thread than the one that writes it. No `make`: nothing is ever ready.
  DayReportWorker(const std::filesystem::path& data, const Journal& journal, MakeReport make);
  DayReportWorker(const DayReportWorker&) = delete;
  DayReportWorker& operator=(const DayReportWorker&) = delete;
  // Ends what is being made; the next start makes it anew.
  ~DayReportWorker();

  // Readable as soon as a report is made, or could not be.
  [[nodiscard]] int descriptor() const { return ready_.get(); }
  // Takes what was made and begins the next one. REQUIRES: `state` is what is committed.
  void serve(const State& state, std::chrono::microseconds uptime);
  // Is one being made?
  [[nodiscard]] bool is_busy() const { return making_.valid(); }
  // When serve() has something to try again; nullopt: never.
  [[nodiscard]] std::optional<std::chrono::microseconds> due() const;

  // The report of an ended day, as everything stands that was said of it; nullptr: not ready, and
  // made as soon as it can be.
  [[nodiscard]] const DayReport* report(const State& state, GamingDay day);
  // What a person who asks has before his eyes: Controller::DayEdge. Who explains a difference may
  // do so by the last report that was made: of the day's next report he explains the rest.
  void fill(const State& state, PersonMessage& message);

  [[nodiscard]] std::filesystem::path path(GamingDay day) const;
  // What went wrong since the last call, each once.
  [[nodiscard]] std::vector<std::string> take_troubles();

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
  void store(GamingDay day, const std::string& json) const;
  void begin(Job job, const State& state);
  void take_made(std::chrono::microseconds uptime);
  void note_closed(const State& state);
  // Days whose reports are kept ready, those first that are wanted most.
  [[nodiscard]] std::vector<GamingDay> wanted(const State& state) const;
  [[nodiscard]] std::optional<Job> next(const State& state);
  void trouble(GamingDay day, std::string what, std::chrono::microseconds uptime);

  const Journal& journal_;
  std::filesystem::path folder_;
  MakeReport make_;
  FileDescriptor ready_;
  std::atomic<bool> stops_ = false;
  std::map<GamingDay, Known> known_;
  std::deque<GamingDay> asked_;  // the latest first
  std::size_t closed_seen_ = 0;  // days before this one are closed, and stored or to be stored
  std::set<GamingDay> to_store_;
  std::map<GamingDay, std::chrono::microseconds> again_at_;  // what could not be made or stored
  std::vector<std::string> troubles_;
  std::future<Made> making_;  // last: its thread uses what stands above
};

}  // namespace linkmeter
