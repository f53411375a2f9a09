#include "tests/bench/lag_sampler.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "controller/store/data_folder.h"
#include "controller/store/lmdb_journal.h"
#include "proto/host/fault.h"

namespace linkmeter::bench {
namespace {

EntryNumber head_of(const std::filesystem::path& data) {
  return LmdbJournal::open_to_read(journal_path(data))->head().entry;
}

}  // namespace

LagSampler::LagSampler(std::filesystem::path writer, std::filesystem::path standby)
    : writer_(std::move(writer)), standby_(std::move(standby)), thread_([this] { run(); }) {}

LagSampler::~LagSampler() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
}

std::vector<std::chrono::nanoseconds> LagSampler::finish() {
  stops_ = true;
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
  std::sort(lags_.begin(), lags_.end());
  return lags_;
}

std::chrono::nanoseconds LagSampler::await_standby() const {
  constexpr std::chrono::seconds patience{30};
  const Clock::time_point begin = Clock::now();
  const EntryNumber wanted = head_of(writer_);
  while (head_of(standby_) < wanted) {
    if (Clock::now() - begin > patience) throw Fault("the standby does not come to the head");
    std::this_thread::sleep_for(interval);
  }
  return Clock::now() - begin;
}

void LagSampler::run() {
  try {
    for (; !stops_; std::this_thread::sleep_for(interval)) sample();
  } catch (...) {
    failure_ = std::current_exception();
  }
}

// The standby first: what it has at this moment, the writer has, too, or etcd alone.
void LagSampler::sample() {
  const EntryNumber has = head_of(standby_);
  const EntryNumber head = head_of(writer_);
  const Clock::time_point now = Clock::now();
  if (marks_.empty() || marks_.back().head < head) marks_.push_back({head, read_at_});
  read_at_ = now;
  while (!marks_.empty() && marks_.front().head <= has) marks_.pop_front();
  lags_.push_back(marks_.empty() ? std::chrono::nanoseconds(0) : now - marks_.front().at);
}

}  // namespace linkmeter::bench
