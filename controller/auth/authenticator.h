// Authenticator: has the PINs of people's requests looked at, one at a time, wherever they come
// from.
//
// Laws: one request at a time, from its PIN to its turn: so each PIN is held against what the
// person has at that moment, and five wrong ones lock, however fast and from how many sides they
// come. Sources take turns, so that none of them keeps the others waiting for more than one PIN
// each. A stranger's PIN takes as long as a real one. The PIN of a locked person is checked only
// at the control socket, whose users the house has chosen. A PIN whose check failed is neither
// right nor wrong: the request says so, and is refused without an entry.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "controller/auth/pin_worker.h"
#include "controller/turn/operator_request.h"
#include "meters/state/state.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// A request whose PIN nobody has looked at yet.
struct LoginRequest {
  PersonRequest request;
  std::string pin;
  std::string new_pin = {};      // for an act that sets one
  std::string witness_pin = {};  // of whom second_pin_of(act) names
};

// Where such requests wait.
class LoginSource {
 public:
  LoginSource() = default;
  LoginSource(const LoginSource&) = delete;
  LoginSource& operator=(const LoginSource&) = delete;
  virtual ~LoginSource() = default;
  virtual std::optional<LoginRequest> next() = 0;
  // Has it one now, that no poll would tell of?
  [[nodiscard]] virtual bool is_waiting() const = 0;
};

// What seals of PINs are keyed with (pin_key.h); "": nothing.
struct PinKeys {
  std::string current;
  std::string before = {};  // for those whom the journal names (house_key.h)
};

class Authenticator {
 public:
  // Throws Fault. REQUIRES: made after StopSignal; the sources outlive this.
  explicit Authenticator(std::vector<LoginSource*> sources, PinKeys keys = {})
      : sources_(std::move(sources)), keys_(std::move(keys)) {}
  // REQUIRES: no PIN is being looked at.
  void set_keys(PinKeys keys) { keys_ = std::move(keys); }

  // A request whose PIN has been looked at, or that is none, if there is one. Otherwise has the
  // next one looked at, if none is. REQUIRES: `state` is what is committed.
  [[nodiscard]] std::optional<PersonRequest> take(const State& state, Timestamp now);
  // Is a PIN being looked at? Then descriptor() becomes readable when it was.
  [[nodiscard]] bool is_busy() const { return looked_at_.has_value(); }
  [[nodiscard]] int descriptor() const { return check_.descriptor(); }
  // take() would find something to begin with.
  [[nodiscard]] bool is_waiting() const;

 private:
  std::optional<PersonRequest> begin(LoginRequest asked, const State& state, Timestamp now);
  // The request that is looked at, whose PIN could not be.
  PersonRequest unchecked(const std::exception_ptr& failure);
  // Has the witness's PIN looked at too, where there is one: false: nobody's is wanted.
  bool go_on_with_witness(const State& state, Timestamp now);

  PinWorker check_;
  // What this person's seal is keyed with.
  [[nodiscard]] const std::string& key_of(const Badge& badge, const State& state) const;

  std::vector<LoginSource*> sources_;
  PinKeys keys_;
  std::size_t next_source_ = 0;
  std::optional<PersonRequest> looked_at_;  // by check_, at this moment
  std::string witness_pin_;                 // that is to be looked at after that
  bool is_witness_ = false;                 // it is that one
};

}  // namespace linkmeter
