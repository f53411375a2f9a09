#include "tests/cluster/etcd_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::chrono::seconds patience(60);

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

EtcdProcess::EtcdProcess(std::vector<std::string> options) : options_(std::move(options)) {
  const bool speaks_tls =
      std::find(options_.begin(), options_.end(), "--cert-file") != options_.end();
  scheme_ = speaks_tls ? "https" : "http";
  start();
}

EtcdProcess::~EtcdProcess() { kill(); }

void EtcdProcess::stop() const { ::kill(pid_, SIGSTOP); }

void EtcdProcess::go_on() const { ::kill(pid_, SIGCONT); }

void EtcdProcess::kill() {
  if (pid_ == 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
  pid_ = 0;
}

void EtcdProcess::start() {
  std::vector<std::string> words{
      "/usr/bin/etcd", "--name", "alone", "--data-dir", (folder_.path() / "store").string(),
      // Short times: a lease may be short, too.
      "--heartbeat-interval", "10", "--election-timeout", "100", "--listen-client-urls", endpoint(),
      "--advertise-client-urls", endpoint(), "--listen-peer-urls", members_.url(),
      "--initial-advertise-peer-urls", members_.url(), "--initial-cluster",
      "alone=" + members_.url(), "--logger", "zap", "--log-outputs", "stderr"};
  words.insert(words.end(), options_.begin(), options_.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  char* nothing = nullptr;
  const std::string log = (folder_.path() / "log").string();
  std::filesystem::remove(log);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw Fault(std::string("no process: ") + std::strerror(errno));
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int file = ::open(log.c_str(), O_WRONLY | O_CREAT, 0600);
    if (::getppid() != parent || ::dup2(file, STDERR_FILENO) < 0) ::_exit(127);
    ::execve(arguments[0], arguments.data(), &nothing);
    ::_exit(127);
  }
  await_service();
}

void EtcdProcess::await_service() {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    const std::string log = read_text(folder_.path() / "log");
    if (log.find("serving client traffic") != std::string::npos) return;
    const bool has_ended = ::waitpid(pid_, nullptr, WNOHANG) == pid_;
    if (has_ended) pid_ = 0;
    if (has_ended || std::chrono::steady_clock::now() > until) {
      kill();
      throw Fault("etcd does not serve clients: " + log);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace linkmeter
