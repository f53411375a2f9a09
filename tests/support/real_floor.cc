#include "tests/support/real_floor.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// A child process whose standard output is read through a pipe.
class Child {
 public:
  Child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
        const std::vector<std::string>& environment, const std::string& log = "") {
    // Everything is prepared before the fork: after it, the child may only call async-signal-safe
    // functions.
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    std::vector<std::string> settings = environment;
    std::vector<char*> surroundings;
    for (std::string& setting : settings) surroundings.push_back(setting.data());
    for (char** inherited = environ; *inherited != nullptr; ++inherited) {
      surroundings.push_back(*inherited);
    }
    surroundings.push_back(nullptr);

    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Fault("no pipe: " + reason());
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) throw Fault("no process: " + reason());
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent || ::dup2(ends[1], STDOUT_FILENO) < 0) ::_exit(127);
      if (!log.empty()) {
        const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (::dup2(file, STDERR_FILENO) < 0) ::_exit(127);
      }
      ::execve(program.c_str(), pointers.data(), surroundings.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { ::close(output_); }

  [[nodiscard]] pid_t pid() const { return pid_; }
  // Reads to the end of a line, or of the output.
  [[nodiscard]] std::string read_line() const { return read_until('\n'); }
  [[nodiscard]] std::string read_all() const { return read_until(std::nullopt); }

 private:
  static std::string reason() { return std::strerror(errno); }
  [[nodiscard]] std::string read_until(std::optional<char> end) const {
    std::string text;
    std::array<char, 65'536> bytes{};
    const std::size_t at_once = end ? 1 : bytes.size();
    while (!end || text.empty() || text.back() != *end) {
      const ssize_t count = ::read(output_, bytes.data(), at_once);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  pid_t pid_ = 0;
  int output_ = -1;
};

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return code_of(status);
}

}  // namespace

ProgramEnd run_program(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments) {
  const Child child(program, arguments, {});
  std::string output = child.read_all();
  const int code = wait_for(child.pid());
  if (code == 127) throw Fault(program.string() + " cannot be started");
  return {code, std::move(output)};
}

RunningController::RunningController(const Start& start) {
  // The registry for this machine's agents is removed with the test.
  std::vector<std::string> environment = start.environment;
  environment.push_back("XDG_STATE_HOME=" + (start.data.parent_path() / "state").string());
  const Child child(start.program,
                    {"--floor", start.floor.string(), "--data", start.data.string(), "--listen",
                     "tcp://127.0.0.1:*", "--feed", "tcp://127.0.0.1:*", "--web", start.web},
                    environment, start.log.string());
  pid_ = child.pid();
  std::istringstream line(child.read_line());
  std::string ready, feed;
  if (!(line >> ready >> endpoint_ >> feed >> feed_endpoint_) || ready != "ready") {
    kill();
    throw Fault("the controller ended before it was ready");
  }
}

RunningController::~RunningController() { kill(); }

bool RunningController::is_running() const {
  siginfo_t ended{};
  const auto id = static_cast<id_t>(pid_);
  return pid_ > 0 && ::waitid(P_PID, id, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == 0;
}

std::uint64_t RunningController::memory_peak_bytes() const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::strtoull(line.c_str() + 6, nullptr, 10);
  }
  throw Fault("the controller's memory is not known: has it ended?");
}

double RunningController::processor_seconds() const {
  std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
  std::string text;
  std::getline(file, text);
  std::istringstream rest(text.substr(text.rfind(')') + 2));
  constexpr int before_user_time = 11;  // fields, from the state on
  std::string skipped;
  for (int field = 0; field < before_user_time; ++field) rest >> skipped;
  double user = 0, system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void RunningController::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  wait_for(std::exchange(pid_, 0));
}

}  // namespace linkmeter
