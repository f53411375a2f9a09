// EtcdProcess: one real etcd member, alone in its cluster, in a folder of the test's own and on a
// free port of this machine. It ends with its test, however the test ends.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/cluster/reserved_port.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter {

class EtcdProcess {
 public:
  // `options`: further options of etcd; with --cert-file it speaks TLS. Returns when it serves
  // clients. Throws Fault, with what etcd said.
  explicit EtcdProcess(std::vector<std::string> options = {});
  EtcdProcess(const EtcdProcess&) = delete;
  EtcdProcess& operator=(const EtcdProcess&) = delete;
  ~EtcdProcess();

  // "http://127.0.0.1:41234".
  [[nodiscard]] std::string endpoint() const { return clients_.url(scheme_); }
  [[nodiscard]] std::uint16_t port() const { return clients_.number(); }
  // Sends SIGSTOP, SIGCONT; SIGKILL, and waits for its end.
  void stop() const;
  void go_on() const;
  void kill();
  // After kill(): starts it again with the same store.
  void start();

 private:
  void await_service();

  ScopedDirectory folder_;
  std::string scheme_;
  std::vector<std::string> options_;
  ReservedPort clients_, members_;
  pid_t pid_ = 0;
};

}  // namespace linkmeter
