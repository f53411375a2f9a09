// Progress: a progress bar on standard error, if that is a terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace linkmeter::cli {

class Progress {
 public:
  // "counting [######              ] 30 % of 154143080 hands".
  Progress(std::string doing, std::uint64_t total, std::string counted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // clears its line
  void show(std::uint64_t done);
  // Calls show(). REQUIRES: this outlives the result; a temporary lives until the end of the call
  // that gets it.
  [[nodiscard]] std::function<void(std::uint64_t done)> callback() {
    return [this](std::uint64_t done) { show(done); };
  }

 private:
  std::string doing_;
  std::uint64_t total_;
  std::string counted_;
  std::uint64_t percent_shown_ = 101;
  bool on_terminal_;
};

// Progress of work that has several steps, each with its own count. Used like a Progress.
class StepProgress {
 public:
  explicit StepProgress(std::string counted) : counted_(std::move(counted)) {}
  [[nodiscard]] std::function<void(const std::string& doing, std::uint64_t done, std::uint64_t of)>
  callback() {
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
