// StaffServer: the connections of the staff socket, on its own thread. A connection carries one
// request and its reply, each after its length in four bytes (proto/control.proto). Snapshot
// requests are answered here; all others wait for the loop of turns.
//
// Laws: the kernel identifies the user at the other end (SO_PEERCRED). The connections of one user
// are bounded, from the first byte to the last of the reply, so no user keeps others out. A
// connection is closed if its request does not arrive in time, or if its reply is not read in time.
// Users take turns with snapshots, one at a time. The thread has the lowest priority, and the loop
// of turns never waits for it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "controller/sockets/staff_socket.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/wakeup.h"

struct pollfd;

namespace linkmeter {

class StaffServer {
 public:
  struct Bounds {
    std::size_t connections_max = 128;
    std::size_t connections_of_user_max = 8;
    // Snapshots being sent at one moment; at most one to each user.
    std::size_t snapshots_max = 8;
    std::chrono::milliseconds request_max{5'000};  // from accept to the complete request
    std::chrono::milliseconds reply_max{30'000};   // until the reply is read
  };
  struct Request {
    std::uint64_t connection = 0;
    uid_t user = 0;
    std::string bytes;
  };
  // Makes the reply to a snapshot request. Called on the server's thread; may throw.
  using MakeSnapshot = std::function<std::string()>;

  // Starts to serve. `socket` must outlive this. Throws Fault.
  StaffServer(const StaffSocket& socket, MakeSnapshot make);
  StaffServer(const StaffSocket& socket, MakeSnapshot make, Bounds bounds);
  StaffServer(const StaffServer&) = delete;
  StaffServer& operator=(const StaffServer&) = delete;
  // Sends the pending replies as far as possible without waiting.
  ~StaffServer();

  // Readable while requests wait for take().
  [[nodiscard]] int descriptor() const { return asked_.descriptor(); }
  // At most `count_max` requests; each one needs a reply().
  [[nodiscard]] std::vector<Request> take(std::size_t count_max);
  void reply(std::uint64_t connection, std::string bytes);

  // Connections closed for exceeding a bound, since the start.
  [[nodiscard]] std::uint64_t refused_count() const { return refused_count_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Stage : std::uint8_t { asks, waits, waits_for_snapshot, is_answered };
  struct Connection {
    FileDescriptor socket;
    uid_t user = 0;
    Stage stage = Stage::asks;
    std::string bytes;     // the request while it arrives, then the reply
    std::size_t sent = 0;  // bytes of the reply
    bool has_snapshot = false;
    Clock::time_point due;  // none while the request is being handled
  };
  using Connections = std::map<std::uint64_t, Connection>;

  void run();
  // False: the server stops.
  bool take_replies();
  void give_snapshot();
  [[nodiscard]] Connections::iterator next_for_snapshot();
  void await();
  void accept_waiting();
  void admit(FileDescriptor socket);
  void refuse(const FileDescriptor& socket, uid_t user);
  // These two return whether the connection stays open.
  bool read(std::uint64_t number, Connection& connection);
  bool write(Connection& connection);
  void answer(Connection& connection, std::string bytes) const;

  const StaffSocket& socket_;
  MakeSnapshot make_;
  Bounds bounds_;
  Wakeup asked_;  // wakes the loop of turns
  Wakeup woken_;  // wakes the server's thread
  std::mutex mutex_;
  std::deque<Request> requests_;
  std::deque<std::pair<std::uint64_t, std::string>> replies_;
  bool stops_ = false;
  std::atomic<std::uint64_t> refused_count_ = 0;
  // Owned by the thread.
  Connections connections_;
  std::uint64_t last_number_ = 0;
  std::map<uid_t, std::uint64_t> served_;  // the count at which a user last got a snapshot
  std::uint64_t served_count_ = 0;
  Clock::time_point warned_;
  std::thread thread_;  // last member: it uses all of the above
};

}  // namespace linkmeter
