// Staff door: the connections of the staff socket, on a thread of its own. A connection carries one
// request and its reply, each behind its length in four bytes (proto/control.proto). Requests for a
// snapshot are answered here; every other one waits for the loop of turns.
//
// Laws: who asks is the user of the other end, as the kernel says (SO_PEERCRED). One user has so
// many connections and no more, from the first byte to the last of the reply, so nobody keeps other
// users out. A connection that does not say its request in time is closed, and so is one whose
// reply is not read in time. Users take turns with snapshots, one at a time. The thread has the
// lowest priority, and the loop of turns never waits for it.
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

struct pollfd;

namespace linkmeter {

class StaffDoor {
 public:
  struct Bounds {
    std::size_t connections_max = 128;
    std::size_t connections_of_user_max = 8;
    // Snapshots that are being sent at one moment; one of them to one user.
    std::size_t snapshots_max = 8;
    std::chrono::milliseconds request_max{5'000};  // from the connection to the whole request
    std::chrono::milliseconds reply_max{30'000};   // until the reply is read
  };
  struct Request {
    std::uint64_t connection = 0;
    uid_t user = 0;
    std::string bytes;
  };
  // The reply to a request for a snapshot. Called on the door's thread; may throw.
  using MakeSnapshot = std::function<std::string()>;

  // Serves at once. `socket` must outlive this. Throws Fault.
  StaffDoor(const StaffSocket& socket, MakeSnapshot make);
  StaffDoor(const StaffSocket& socket, MakeSnapshot make, Bounds bounds);
  StaffDoor(const StaffDoor&) = delete;
  StaffDoor& operator=(const StaffDoor&) = delete;
  // Sends the replies that there are, as far as they can be sent at once.
  ~StaffDoor();

  // Readable while requests wait for take().
  [[nodiscard]] int descriptor() const { return asked_.get(); }
  // So many requests at most; each one needs a reply().
  [[nodiscard]] std::vector<Request> take(std::size_t count_max);
  void reply(std::uint64_t connection, std::string bytes);

  // Connections that were closed for a bound, since the start.
  [[nodiscard]] std::uint64_t refused_count() const { return refused_count_; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Stage : std::uint8_t { asks, waits, waits_for_snapshot, is_answered };
  struct Connection {
    Descriptor socket;
    uid_t user = 0;
    Stage stage = Stage::asks;
    std::string bytes;     // of the request as it comes, then of the reply
    std::size_t sent = 0;  // of the reply
    bool has_snapshot = false;
    Clock::time_point due;  // no moment while it waits for us
  };
  using Connections = std::map<std::uint64_t, Connection>;

  void run();
  // False: the door closes.
  bool take_replies();
  void give_snapshot();
  [[nodiscard]] Connections::iterator next_for_snapshot();
  void await();
  void accept_waiting();
  void take_in(Descriptor socket);
  void refuse(const Descriptor& socket, uid_t user);
  // These two say whether the connection stays.
  bool read(std::uint64_t number, Connection& connection);
  bool write(Connection& connection);
  void answer(Connection& connection, std::string bytes) const;

  const StaffSocket& socket_;
  MakeSnapshot make_;
  Bounds bounds_;
  Descriptor asked_;  // for the loop of turns
  Descriptor woken_;  // for the door's thread
  std::mutex mutex_;
  std::deque<Request> requests_;
  std::deque<std::pair<std::uint64_t, std::string>> replies_;
  bool stops_ = false;
  std::atomic<std::uint64_t> refused_count_ = 0;
  // Of the thread alone.
  Connections connections_;
  std::uint64_t last_number_ = 0;
  std::map<uid_t, std::uint64_t> served_;  // when a user got a snapshot last, by count
  std::uint64_t served_count_ = 0;
  Clock::time_point warned_;
  std::thread thread_;  // last: it uses what stands above
};

}  // namespace linkmeter
