// Real programs for a test: runs one to its end, or a controller until it is killed. A controller
// that the test leaves behind, whatever way it ends, ends with it. Nothing waits by the clock: a
// controller is there once it has said that it is ready.
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

// Throws Fault if it cannot be started.
ProgramEnd run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments);

class RunningController {
 public:
  struct Start {
    std::filesystem::path program, floor, data;  // data: full, in a folder of the test's own
    std::filesystem::path log;  // where its standard error goes; empty: to the test's own
    std::vector<std::string> environment;  // additional "NAME=value"
    std::string web = "none";              // where it serves pages
  };
  // Listens at free ports. Throws Fault if it ends before it is ready.
  explicit RunningController(const Start& start);
  RunningController(const RunningController&) = delete;
  RunningController& operator=(const RunningController&) = delete;
  ~RunningController();

  // Where tables connect.
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  // Where viewers connect.
  [[nodiscard]] const std::string& feed_endpoint() const { return feed_endpoint_; }
  [[nodiscard]] bool is_running() const;
  // The most memory that it ever held.
  [[nodiscard]] std::uint64_t memory_peak_bytes() const;
  // What it has taken of the processors.
  [[nodiscard]] double processor_seconds() const;
  // kill -9, and waits for its end.
  void kill();

 private:
  pid_t pid_ = 0;
  std::string endpoint_, feed_endpoint_;
};

}  // namespace linkmeter
