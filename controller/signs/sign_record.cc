#include "controller/signs/sign_record.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <system_error>
#include <utility>

#include "controller/view/json.h"
#include "meters/values/invariant.h"
#include "proto/host/atomic_file.h"

namespace linkmeter {

namespace {

constexpr std::size_t records_max = 1'000;

// A whole number that is a valid date: anybody who may write the folder could have written another.
std::optional<Timestamp> moment_in(const Json& json, const char* key) {
  const Json& moment = json.at(key);
  if (!moment.is_number_integer()) return std::nullopt;
  return within_calendar(Timestamp::from_microseconds(moment.get<std::int64_t>()));
}

}  // namespace

std::int64_t age_ms(Timestamp moment, Timestamp now) {
  constexpr std::int64_t us_per_ms = 1'000;
  return (now.microseconds() - moment.microseconds()) / us_per_ms;
}

std::string sign_fault(const SignRecord& record, Timestamp now) {
  constexpr std::int64_t silent_ms = 5'000;
  return age_ms(record.written_at, now) > silent_ms ? "not driven" : record.trouble;
}

void write_sign_record(const std::filesystem::path& path, const SignRecord& record) {
  const Json json{{"sign", record.sign},
                  {"link", record.link},
                  {"port", record.port},
                  {"driver", record.driver},
                  {"sent_at_us", record.sent_at.microseconds()},
                  {"text", record.text},
                  {"trouble", record.trouble},
                  {"written_at_us", record.written_at.microseconds()},
                  {"is_live", record.is_live}};
  write_atomically(path, json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n",
                   readable_by_owner);
}

std::optional<SignRecord> read_sign_record(const std::filesystem::path& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) return std::nullopt;
  try {
    const Json json = Json::parse(*text);
    const auto sent_at = moment_in(json, "sent_at_us");
    const auto written_at = moment_in(json, "written_at_us");
    if (!sent_at || !written_at) return std::nullopt;
    return SignRecord{json.at("sign"),    json.at("link"), json.at("port"),
                      json.at("driver"),  *sent_at,        json.at("text"),
                      json.at("trouble"), *written_at,     json.at("is_live")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::vector<SignRecord> read_sign_records(const std::filesystem::path& folder) {
  std::vector<SignRecord> records;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() != ".json" || records.size() >= records_max) continue;
    if (auto record = read_sign_record(at->path())) records.push_back(std::move(*record));
  }
  std::sort(records.begin(), records.end(),
            [](const SignRecord& one, const SignRecord& other) { return one.sign < other.sign; });
  return records;
}

namespace {

// Records are written once a second.
constexpr std::chrono::seconds interval{1};

}  // namespace

RecordReader::RecordReader(std::filesystem::path folder)
    : folder_(std::move(folder)), thread_([this] { work(); }) {}

RecordReader::~RecordReader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stops_.notify_one();
  thread_.join();
}

std::vector<SignRecord> RecordReader::records() const {
  const std::lock_guard lock(mutex_);
  return records_;
}

void RecordReader::work() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    std::optional<std::vector<SignRecord>> read;
    try {
      const ReadingScope reads;
      read = read_sign_records(folder_);
    } catch (const std::exception&) {  // the previous records stay, and their age shows the failure
      read.reset();
    }
    lock.lock();
    if (read) records_ = std::move(*read);
    stops_.wait_for(lock, interval, [this] { return stopping_; });
  }
}

}  // namespace linkmeter
