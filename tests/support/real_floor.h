// Real programs for a test: runs a program to its end, or a controller until it is killed. A
// controller ends with its test, however the test ends. Nothing waits for a fixed time: a
// controller runs once it has printed `ready`.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace linkmeter {

struct ProgramEnd {
  int code = 0;        // 128 + the signal that ended it
  std::string output;  // standard output
};

// Throws Fault if the program cannot be started.
ProgramEnd run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments);

class RunningController {
 public:
  struct Start {
    std::filesystem::path program, floor, data;  // data: a complete data folder of the test's own
    std::filesystem::path log;  // the file for its standard error; empty: that of the test
    std::vector<std::string> environment;  // additional "NAME=value"
    std::string web = "none";              // where it serves pages
  };
  // Listens on free ports. Throws Fault if it ends before it is ready.
  explicit RunningController(const Start& start);
  RunningController(const RunningController&) = delete;
  RunningController& operator=(const RunningController&) = delete;
  ~RunningController();

  // The endpoint for tables.
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  // The endpoint for viewers.
  [[nodiscard]] const std::string& feed_endpoint() const { return feed_endpoint_; }
  [[nodiscard]] bool is_running() const;
  // The peak of its memory.
  [[nodiscard]] std::uint64_t memory_peak_bytes() const;
  // The processor time that it has used.
  [[nodiscard]] double processor_seconds() const;
  // Sends SIGKILL and waits for its end.
  void kill();

 private:
  pid_t pid_ = 0;
  std::string endpoint_, feed_endpoint_;
};

}  // namespace linkmeter
