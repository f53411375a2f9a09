#include "controller/accounting/day/day_report_worker.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>
#include <variant>

#include "meters/values/invariant.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// Thrown in the worker's thread if the program ends while a report is being made.
class Stopped : public std::exception {};

// The day that an act is about; nullopt: it is about no day.
std::optional<GamingDay> day_spoken_of(const OperatorCommand& act) {
  if (const auto* explain = std::get_if<ExplainVariance>(&act)) return explain->day;
  if (const auto* sign = std::get_if<SignDay>(&act)) return sign->day;
  return std::nullopt;
}

}  // namespace

std::filesystem::path day_report_path(const std::filesystem::path& data, GamingDay day) {
  return data / "days" / (text(day) + ".json");
}

DayReportWorker::DayReportWorker(const std::filesystem::path& data, const Journal& journal,
                                 MakeReport make)
    : journal_(journal), folder_(data / "days"), make_(std::move(make)) {}

std::filesystem::path DayReportWorker::path(GamingDay day) const {
  return day_report_path(folder_.parent_path(), day);
}

std::vector<std::string> DayReportWorker::take_errors() { return std::exchange(troubles_, {}); }

const DayReport* DayReportWorker::report(const State& state, GamingDay day) {
  const DayRecord* record = state.find_day(day);
  if (record == nullptr || record->is_closed()) return nullptr;
  std::erase(asked_, day);
  asked_.push_front(day);
  if (asked_.size() > asked_max) asked_.pop_back();
  const auto known = known_.find(day);
  const bool is_ready = known != known_.end() && known->second.as_of == report_as_of(*record);
  return is_ready ? &known->second.report : nullptr;
}

void DayReportWorker::fill(const State& state, PersonMessage& message) {
  const std::optional<GamingDay> day = day_spoken_of(message.act);
  if (!day) return;
  const DayReport* now = report(state, *day);
  if (now == nullptr && std::holds_alternative<ExplainVariance>(message.act)) {
    const auto known = known_.find(*day);
    if (known != known_.end()) now = &known->second.report;
  }
  message.finding = now == nullptr ? nullptr : &now->finding;
}

void DayReportWorker::store(GamingDay day, const std::string& json) const {
  std::error_code error;
  if (std::filesystem::create_directory(folder_, error)) {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, error);
    sync_directory(folder_.parent_path());
  }
  if (error) throw Fault(folder_.string() + ": cannot make it: " + error.message());
  write_atomically(path(day), json, readable_by_owner);
}

DayReportWorker::Made DayReportWorker::make(const Job& job,
                                            const std::vector<DayRecord>& days) const {
  Made made{job, {}};
  try {
    made.report = make_(journal_, days, job.record.day, job.as_of, [this](std::uint64_t) {
      if (stops_) throw Stopped();
    });
    made.differs = job.stores && made.report.digest != job.record.report;
    if (job.stores && !made.differs) store(job.record.day, made.report.json);
  } catch (const std::exception& error) {
    made.trouble = error.what();
  }
  return made;
}

void DayReportWorker::trouble(GamingDay day, std::string what, std::chrono::microseconds uptime) {
  troubles_.push_back("the report of " + text(day) + ": " + std::move(what));
  again_at_[day] = uptime + again_after;
}

void DayReportWorker::note_made(Made made, std::chrono::microseconds uptime) {
  const GamingDay day = made.job.record.day;
  if (!made.trouble.empty()) {
    trouble(day, made.trouble + "; it is tried again", uptime);
    return;
  }
  if (!made.job.stores) {
    known_[day] = Known{made.job.as_of, std::move(made.report)};
    return;
  }
  to_store_.erase(day);
  if (made.differs) {
    troubles_.push_back("the report of " + text(day) +
                        ": IT IS NOT THE ONE THAT WAS SIGNED AND CLOSED; it is not stored");
  }
}

// Days are closed in order. The first call also checks the days that an earlier program closed.
void DayReportWorker::note_closed(const State& state) {
  const std::vector<DayRecord>& days = state.days();
  for (; closed_seen_ < days.size() && days[closed_seen_].is_closed(); ++closed_seen_) {
    const GamingDay day = days[closed_seen_].day;
    known_.erase(day);
    std::error_code error;
    if (!std::filesystem::exists(path(day), error)) to_store_.insert(day);
  }
}

std::vector<GamingDay> DayReportWorker::wanted(const State& state) const {
  const std::vector<DayRecord>& days = state.days();
  std::vector<GamingDay> all;
  const auto add = [&all](GamingDay day) {
    if (std::find(all.begin(), all.end(), day) == all.end()) all.push_back(day);
  };
  for (const GamingDay day : asked_) {
    if (!state.find_day(day)->is_closed()) add(day);
  }
  const std::size_t oldest_end = std::min(days.size(), closed_seen_ + oldest_max);
  for (std::size_t at = closed_seen_; at < oldest_end; ++at) add(days[at].day);
  for (std::size_t at = days.size(); at > closed_seen_ && all.size() < reports_max; --at) {
    add(days[at - 1].day);
  }
  return all;
}

std::optional<DayReportWorker::Job> DayReportWorker::next(const State& state) {
  const std::vector<GamingDay> days = wanted(state);
  std::erase_if(known_, [&days](const auto& known) {
    return std::find(days.begin(), days.end(), known.first) == days.end();
  });
  for (const GamingDay day : days) {
    const DayRecord& record = *state.find_day(day);
    const auto known = known_.find(day);
    const EntryNumber as_of = report_as_of(record);
    const bool is_known = known != known_.end() && known->second.as_of == as_of;
    if (!is_known && !again_at_.contains(day)) return Job{record, false, as_of};
  }
  for (const GamingDay day : to_store_) {
    const DayRecord& record = *state.find_day(day);
    if (!again_at_.contains(day)) return Job{record, true, report_as_of(record)};
  }
  return std::nullopt;
}

void DayReportWorker::serve(const State& state, std::chrono::microseconds uptime) {
  note_closed(state);
  std::erase_if(again_at_, [uptime](const auto& again) { return again.second <= uptime; });
  if (!make_) return;
  if (maker_.is_busy()) {
    std::optional<Made> made = maker_.take();
    if (!made) return;
    note_made(*std::move(made), uptime);
  }
  if (const std::optional<Job> job = next(state)) {
    maker_.begin(
        Worker<Made>::Job([this, job = *job, days = state.days()] { return make(job, days); }));
  }
}

std::optional<std::chrono::microseconds> DayReportWorker::due() const {
  std::optional<std::chrono::microseconds> first;
  for (const auto& [day, at] : again_at_) first = first ? std::min(*first, at) : at;
  return first;
}

void DayReportService::serve(Moment now) {
  worker_.serve(controller_.state(), now.uptime);
  for (const std::string& error : worker_.take_errors()) spdlog::error("{}", error);
}

}  // namespace linkmeter
