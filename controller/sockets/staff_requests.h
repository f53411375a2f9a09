// Staff desk: requests that come over the staff socket, between its door and the Authenticator.
//
// Laws: every act needs the person's own PIN, or two of them; what the owner of the data folder
// alone may ask (recovery) is refused, not_here. The user of the other end is the place of a PIN: a
// wrong one counts towards a lock only where the person is at home, which is a user as whom the
// person's right PIN came within the week; elsewhere the next one waits (login_throttle.h). Right
// PINs of one badge are rated as at the pages. Users, and of one user the people who are at home
// there, take turns. The standing of the tables needs no PIN.
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
#include "controller/sockets/staff_server.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "proto/codec/operator_codec.h"
#include "proto/http/login_throttle.h"
#include "proto/http/minute_counts.h"
#include "proto/http/sessions.h"

namespace linkmeter {

class StaffDesk final : public LoginSource {
 public:
  static constexpr std::size_t taken_per_loop_max = 4;

  // Serves at once. What it is given must outlive this. Throws Fault.
  StaffDesk(const StaffSocket& socket, StaffDoor::MakeSnapshot make, const Controller& controller);

  // Readable while requests wait for serve().
  [[nodiscard]] int descriptor() const { return door_.descriptor(); }
  // Takes some of what waits: answers it, or leaves it for the Authenticator.
  void serve(Moment now);
  std::optional<LoginRequest> next() override;
  [[nodiscard]] bool is_waiting() const override { return !waiting_.empty(); }
  // What became of a request with a PIN. REQUIRES: `told` is of the staff socket.
  void answer(const Controller::Told& told, Moment now);
  // Connections that asked how the controller stands (status_codec.h) since the last call.
  [[nodiscard]] std::vector<std::uint64_t> take_status_askers() {
    return std::exchange(status_askers_, {});
  }
  void reply(std::uint64_t connection, std::string bytes) {
    door_.reply(connection, std::move(bytes));
  }
  // Whose PINs were tried, and as which users: for what outlasts a restart, and for the journal.
  [[nodiscard]] LoginThrottle& tries() { return tries_; }
  // Connections that were closed for a bound, since the start.
  [[nodiscard]] std::uint64_t refused_count() const { return door_.refused_count(); }

 private:
  // A request whose PIN is, or is going to be, looked at.
  struct Tried {
    std::uint64_t connection = 0;
    std::string place;        // "uid/1001"
    bool is_strange = false;  // tries_ counts the PIN
    Badge strange_witness;    // whose PIN tries_ counts, too
  };
  struct Waiting {
    std::string asker;  // who takes turns: a badge that is at home, else a place
    bool is_strange = false;
    LoginRequest asked;
  };
  void take(StaffDoor::Request request, Moment now);
  void ask_pin(std::uint64_t connection, uid_t user, LoginRequest asked, Moment now);
  void refuse(std::uint64_t connection, Refusal refusal, const std::string& more = "");
  void settle(const Tried& tried, const Badge& by, Refusal refusal, Moment now);
  [[nodiscard]] LoginThrottle& tries_of(const Badge& badge);

  const Controller& controller_;
  MinuteCounts right_pins_{WebSessions::right_pins_max};  // by badge
  LoginThrottle tries_, tries_at_nobody_;  // apart: made-up badges push no real one out
  std::deque<Waiting> waiting_;
  std::map<std::string, Tried> tried_;           // by the peer of the request
  std::map<std::string, std::uint64_t> served_;  // when an asker was served last, by count
  std::uint64_t served_count_ = 0;
  std::vector<std::uint64_t> status_askers_;
  StaffDoor door_;  // last: its thread ends first
};

}  // namespace linkmeter
