#include "controller/journal_files.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>

#include "controller/slips/slip_store.h"
#include "controller/sockets/file_client.h"
#include "controller/store/hash_chain.h"
#include "meters/values/invariant.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// Thrown on the worker's thread if the program ends while a report is being made.
class Ending : public std::exception {};

std::string words(const std::variant<SlipNumber, GamingDay>& name) {
  const auto* slip = std::get_if<SlipNumber>(&name);
  return slip != nullptr ? "the copy of slip " + std::to_string(slip->value())
                         : "the report of " + text(std::get<GamingDay>(name));
}

}  // namespace

EntryServer::ReadFile journal_file_reader(const std::filesystem::path& data) {
  return [data, store = SlipStore(data)](const NamedFile& file) {
    const auto* slip = std::get_if<SlipNumber>(&file.name);
    return read_file(
        slip != nullptr ? store.path(*slip) : day_report_path(data, std::get<GamingDay>(file.name)),
        Links::refuse);
  };
}

bool JournalFiles::must_wait() const {
  return parts_.reports.is_busy() || parts_.slips.is_making();
}

std::optional<std::chrono::microseconds> JournalFiles::due(
    std::chrono::microseconds /*uptime*/) const {
  if (worker_.is_busy() || must_wait()) return std::nullopt;
  return tries_.empty() ? check_at_ : std::min(check_at_, tries_.begin()->first);
}

void JournalFiles::serve(Moment now) {
  if (worker_.is_busy()) {
    const auto done = worker_.take();
    if (!done) return;
    for (const Found& found : *done) note(found, now.uptime);
  }
  if (must_wait()) return;
  repairs_first_ = !repairs_first_;
  if (repairs_first_ && begin_repair(now.uptime)) return;
  if (begin_check(now.uptime) || repairs_first_) return;
  static_cast<void>(begin_repair(now.uptime));
}

void JournalFiles::note(const Found& found, std::chrono::microseconds uptime) {
  const Name& name = found.file.name;
  const auto known = lacking_.find(name);
  if (known != lacking_.end()) tries_.erase({known->second.again_at, name});
  if (found.is_complete) {
    if (known == lacking_.end()) return;
    lacking_.erase(known);
    if (!found.words.empty()) spdlog::info("{}: {}", words(name), found.words);
    if (!lacking_.empty() || !is_logged_) return;
    spdlog::info("this node has every file that the journal names");
    is_logged_ = false;
    return;
  }
  if (found.differs && known == lacking_.end()) {
    spdlog::error("{}: THE FILE IS NOT THE ONE THAT THE JOURNAL NAMES; it is replaced",
                  words(name));
  }
  auto again_at = known == lacking_.end() ? uptime : known->second.again_at;
  if (!found.words.empty()) {
    again_at = uptime + again_after;
    if (!is_logged_) spdlog::error("{} is missing, and tried again: {}", words(name), found.words);
    is_logged_ = true;
  }
  lacking_[name] = {found.file.digest, again_at};
  tries_.emplace(again_at, name);
}

std::vector<NamedFile> JournalFiles::next_to_check(std::chrono::microseconds uptime) {
  const std::vector<Slip>& slips = parts_.controller.state().slips();
  const std::vector<DayRecord>& days = parts_.controller.state().days();
  if (!is_in_check_ && uptime >= check_at_) {
    at_slip_ = at_day_ = 0;
    is_in_check_ = true;
    check_began_ = uptime;
  }
  std::vector<NamedFile> files;
  for (; at_slip_ < slips.size() && files.size() < checked_at_once; ++at_slip_) {
    const Slip& slip = slips[at_slip_];
    if (slip.stored) files.push_back({slip.number, *slip.stored});
  }
  for (; at_day_ < days.size() && files.size() < checked_at_once; ++at_day_) {
    const DayRecord& day = days[at_day_];
    if (day.is_closed()) files.push_back({day.day, day.report});
  }
  if (is_in_check_ && at_slip_ == slips.size() && at_day_ == days.size()) {
    is_in_check_ = false;
    check_at_ = uptime + std::max<std::chrono::microseconds>(
                             pause_min, pause_factor * (uptime - check_began_));
  }
  return files;
}

bool JournalFiles::begin_check(std::chrono::microseconds uptime) {
  std::vector<NamedFile> files = next_to_check(uptime);
  if (files.empty()) return false;
  worker_.begin(Worker<std::vector<Found>>::Job([this, files = std::move(files)] {
    std::vector<Found> all;
    for (const NamedFile& file : files) {
      if (!stops_) all.push_back(check(file));
    }
    return all;
  }));
  return true;
}

bool JournalFiles::begin_repair(std::chrono::microseconds uptime) {
  if (tries_.empty() || tries_.begin()->first > uptime) return false;
  const Name name = tries_.begin()->second;
  std::function<std::string()> make;
  try {
    const ReadingScope reads;
    make = maker(name);
  } catch (const std::exception& error) {
    make = [why = std::string(error.what())]() -> std::string { throw Fault(why); };
  }
  const NamedFile file{name, lacking_.at(name).digest};
  worker_.begin(
      Worker<std::vector<Found>>::Job([this, file, make = std::move(make), sources = sources_] {
        return std::vector<Found>{repair(file, make, sources)};
      }));
  return true;
}

std::function<std::string()> JournalFiles::maker(const Name& name) const {
  const State& state = parts_.controller.state();
  if (const auto* slip = std::get_if<SlipNumber>(&name)) {
    return parts_.slips.first_copy(state, parts_.controller.rules(), *state.find_slip(*slip));
  }
  const DayRecord& record = *state.find_day(std::get<GamingDay>(name));
  return [this, days = state.days(), day = record.day, as_of = report_as_of(record)] {
    return parts_
        .make_report(parts_.journal, days, day, as_of,
                     [this](std::uint64_t) {
                       if (stops_) throw Ending();
                     })
        .json;
  };
}

// ---- on the worker's thread -------------------------------------------------------------------

JournalFiles::Found JournalFiles::check(const NamedFile& file) const {
  const auto* slip = std::get_if<SlipNumber>(&file.name);
  const auto bytes =
      read_file(slip != nullptr ? parts_.slips.store().path(*slip)
                                : parts_.reports.path(std::get<GamingDay>(file.name)),
                Links::refuse);
  Found found{file};
  found.is_complete = bytes && sha256(*bytes) == file.digest;
  found.differs = bytes && !found.is_complete;
  return found;
}

JournalFiles::Found JournalFiles::repair(const NamedFile& file,
                                         const std::function<std::string()>& make,
                                         const std::vector<EntryClient::Source>& sources) const {
  Found found{file};
  try {
    try {
      const std::string made = make();
      if (sha256(made) == file.digest) {
        store(file.name, made);
        return {file, true, false, "made from the journal"};
      }
      found.words = "made from the journal, it has another hash";
    } catch (const std::exception& error) {
      found.words = std::string("it cannot be made: ") + error.what();
    }
    const FetchedFile fetched = fetch_file(file, sources, parts_.keys, stops_, parts_.answer_max);
    if (fetched.bytes) {
      store(file.name, *fetched.bytes);
      return {file, true, false, "fetched from another node (" + found.words + ")"};
    }
    found.words += "; " + fetched.failure;
  } catch (const std::exception& error) {
    found.words += std::string("; ") + error.what();
  }
  return found;
}

void JournalFiles::store(const Name& name, const std::string& bytes) const {
  if (const auto* slip = std::get_if<SlipNumber>(&name)) {
    parts_.slips.store().write(*slip, bytes);
  } else {
    parts_.reports.store(std::get<GamingDay>(name), bytes);
  }
}

}  // namespace linkmeter
