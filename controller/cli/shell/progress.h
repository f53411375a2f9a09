// Progress: a progress bar on standard error, if that is a terminal.
#pragma once

#include <cstdint>
#include <string>

namespace linkmeter::cli {

class Progress {
 public:
  // "counting [######              ] 30 % of 154143080 hands".
  Progress(std::string doing, std::uint64_t total, std::string counted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // clears its line
  void show(std::uint64_t done);

 private:
  std::string doing_;
  std::uint64_t total_;
  std::string counted_;
  std::uint64_t percent_shown_ = 101;
  bool on_terminal_;
};

}  // namespace linkmeter::cli
