// LoginTries: which PINs of one socket's requests come from an origin that is not trusted, and what
// follows when it is known whether they were right. login_throttle.h has the limits.
//
// Laws: a right PIN is not counted as a try, and makes its origin a trusted one of its person. A
// witness's PIN was right if the command was accepted. A PIN that was not verified is neither right
// nor wrong. Badges that no person has are counted apart, so they push no person's tries out.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "controller/auth/authenticator.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "meters/values/refusal.h"
#include "proto/http/login_throttle.h"

namespace linkmeter {

class LoginTries {
 public:
  using Uptime = LoginThrottle::Uptime;
  // The PINs of one request.
  struct Tried {
    Badge badge;
    std::string origin;         // an address, a table, or "uid/1001"
    bool is_untrusted = false;  // the throttle counts the PIN
    Badge untrusted_witness;    // the throttle counts the PIN of this witness, too; "": none
  };

  // What the request has. Counts nothing.
  [[nodiscard]] Tried look(const State& state, const PinRequest& request, std::string origin,
                           Uptime uptime);
  // How long the request must wait; nullopt: not at all.
  [[nodiscard]] std::optional<std::chrono::seconds> wait_of(const State& state, const Tried& tried,
                                                            Uptime uptime);
  // The PINs will be verified. They count as wrong until take_back() or settle().
  void begin(const State& state, const Tried& tried, Uptime uptime);
  // The PINs were not verified.
  void take_back(const State& state, const Tried& tried);
  // The turn's answer to the request. `by`: the person that it names.
  void settle(const State& state, const Tried& tried, const Badge& by, Refusal refusal,
              Uptime uptime);

  // The tries of badges that persons have: for the journal, and for the file that outlasts a
  // restart.
  [[nodiscard]] LoginThrottle& of_persons() { return of_persons_; }

 private:
  void settle_witness(const State& state, const Tried& tried, Refusal refusal, Uptime uptime);
  [[nodiscard]] LoginThrottle& of(const State& state, const Badge& badge);

  LoginThrottle of_persons_, of_unknown_badges_;
};

// Whether the person's PIN was wrong.
constexpr bool was_wrong(Refusal refusal) {
  return refusal == Refusal::pin_wrong || refusal == Refusal::person_locked;
}
// Whether the answer says nothing about the PIN: the verification failed (authenticator.h), or this
// controller is a standby, which answers every PIN alike.
constexpr bool was_not_verified(Refusal refusal) {
  return refusal == Refusal::too_many_requests || refusal == Refusal::not_the_writer;
}

}  // namespace linkmeter
