#include "controller/signs/record_reader.h"

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include "meters/values/check.h"

namespace linkmeter {
namespace {

// They are written once a second.
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
    } catch (const std::exception&) {  // what was read before stays, and its age tells
      read.reset();
    }
    lock.lock();
    if (read) records_ = std::move(*read);
    stops_.wait_for(lock, interval, [this] { return stopping_; });
  }
}

}  // namespace linkmeter
