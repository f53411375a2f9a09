// StaffRequests: requests over the staff socket, between StaffServer and the Authenticator.
//
// Laws: every command needs the person's own PIN, or the PINs of two persons. Commands reserved for
// the owner of the data folder (recovery) are refused: not_here. The origin of a PIN is the user at
// the other end. A wrong PIN counts toward the lockout only from a trusted origin: a user from
// which the person's right PIN came within the last week. From any other origin it delays the next
// try (login_throttle.h). Right PINs of one badge are rate-limited as on the pages. Users take
// turns, and so do the persons for whom one user is a trusted origin. Table status needs no PIN.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controller/auth/authenticator.h"
#include "controller/auth/login_tries.h"
#include "controller/sockets/staff_server.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "proto/codec/operator_codec.h"
#include "proto/http/minute_counts.h"
#include "proto/http/sessions.h"

namespace linkmeter {

class StaffRequests final : public PinRequestSource, public Service {
 public:
  static constexpr std::size_t taken_per_loop_max = 4;

  // Starts to serve. The arguments must outlive this. Throws Fault.
  StaffRequests(const StaffSocket& socket, StaffServer::MakeSnapshot make,
                const Controller& controller);

  // Readable while requests wait for serve().
  [[nodiscard]] std::optional<int> descriptor() const override { return server_.descriptor(); }
  // Takes some of the waiting requests: answers each, or queues it for the Authenticator.
  void serve(Moment now) override;
  std::optional<PinRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return !waiting_.empty(); }
  // Sends the results of requests with a PIN.
  void on_turn(const CommittedTurn& done) override;
  // Connections that sent a status request (wire_codec.h) since the last call.
  [[nodiscard]] std::vector<std::uint64_t> take_status_requests() {
    return std::exchange(status_requests_, {});
  }
  void reply(std::uint64_t connection, std::string bytes) {
    server_.reply(connection, std::move(bytes));
  }
  // The persons whose PINs were tried, with the users that the tries came from; for the journal,
  // and kept over a restart.
  [[nodiscard]] LoginThrottle& tries() { return tries_.of_persons(); }
  // Connections closed for exceeding a bound, since the start.
  [[nodiscard]] std::uint64_t refused_count() const { return server_.refused_count(); }

 private:
  // A request whose PIN is being verified, or will be.
  struct Tried {
    std::uint64_t connection = 0;
    LoginTries::Tried pins;
  };
  struct Waiting {
    std::string asker;  // who takes turns: a badge from its trusted origin, else an origin
    bool is_untrusted_origin = false;
    PinRequest asked;
  };
  void take(StaffServer::Request request, Moment now);
  void ask_pin(std::uint64_t connection, uid_t user, PinRequest asked, Moment now);
  void refuse(std::uint64_t connection, Refusal refusal, const std::string& more = "");
  // REQUIRES: `reply` is for the staff socket.
  void answer(const Controller::SocketReply& reply, Moment now);

  const Controller& controller_;
  MinuteCounts right_pins_{WebSessions::right_pins_max};  // by badge
  LoginTries tries_;
  std::deque<Waiting> waiting_;
  std::map<std::string, Tried> tried_;           // by the request's peer
  std::map<std::string, std::uint64_t> served_;  // the count at which an asker was last served
  std::uint64_t served_count_ = 0;
  std::vector<std::uint64_t> status_requests_;
  StaffServer server_;  // last member: its thread ends first
};

}  // namespace linkmeter
