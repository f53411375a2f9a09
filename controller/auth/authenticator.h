// Authenticator: verifies the PINs of people's requests, one at a time, for all sources.
//
// Laws: one request at a time, from its PIN to its turn. So each PIN is compared with the person's
// current PIN hash, and five wrong ones lock the account, however fast and from however many
// sources they come. Sources take turns, so none delays the others by more than one PIN each.
// Unknown badges take as long to reject as known ones. PINs of locked accounts are not verified,
// except on the control socket, whose users are trusted. If verification fails, the PIN is neither
// right nor wrong: the request records the failure and is rejected without an entry.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "controller/auth/pin_worker.h"
#include "controller/turn/message.h"
#include "meters/state/state.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// A request whose PIN is not yet verified.
struct PinRequest {
  OperatorRequest request;
  std::string pin;
  std::string new_pin = {};      // for a command that sets one
  std::string witness_pin = {};  // of the person that second_pin_of() names
};

// The witness whose PIN is given beside the requester's; nullptr: none.
[[nodiscard]] const Badge* witness_of(const PinRequest& request);
// Whether a PIN or the badge is longer than any can be.
[[nodiscard]] bool is_too_long(const PinRequest& request);
// Overwrites the PINs.
void forget_pins(PinRequest& request);

// A queue of such requests.
class PinRequestSource {
 public:
  PinRequestSource() = default;
  PinRequestSource(const PinRequestSource&) = delete;
  PinRequestSource& operator=(const PinRequestSource&) = delete;
  virtual ~PinRequestSource() = default;
  virtual std::optional<PinRequest> next() = 0;
  // Whether it has a request now that no poll would report.
  [[nodiscard]] virtual bool is_waiting() const = 0;
};

// The keys of PIN hashes (pin_key.h). "": none.
struct PinKeys {
  std::string current;
  std::string before = {};  // for the people that the journal names (house_key.h)
  friend bool operator==(const PinKeys&, const PinKeys&) = default;
};

class Authenticator {
 public:
  // Throws Fault. REQUIRES: made after ShutdownSignal; the sources outlive this.
  explicit Authenticator(std::vector<PinRequestSource*> sources, PinKeys keys = {})
      : sources_(std::move(sources)), keys_(std::move(keys)) {}
  // A PIN that is being verified with other keys is neither right nor wrong.
  void set_keys(PinKeys keys);

  // Which requests need their PIN verified. Empty: all.
  using NeedsPin = std::function<bool(const OperatorRequest&)>;
  // Returns a request whose PIN was verified, or one that needs no PIN, if there is one. Otherwise
  // starts to verify the next PIN if the worker is idle. The PIN of a request that does not need it
  // is overwritten, and nobody learns whether it was right: a standby refuses such requests.
  // REQUIRES: `state` is committed.
  [[nodiscard]] std::optional<OperatorRequest> take(const State& state, Timestamp now,
                                                    const NeedsPin& needs_pin = {});
  // Whether a PIN is being verified. descriptor() becomes readable when it is done.
  [[nodiscard]] bool is_busy() const { return looked_at_.has_value(); }
  [[nodiscard]] int descriptor() const { return check_.descriptor(); }
  // Whether take() would find a request to start with.
  [[nodiscard]] bool is_waiting() const;

 private:
  // The next request of the sources, in turns.
  std::optional<PinRequest> next();
  std::optional<OperatorRequest> begin(PinRequest request, const State& state, Timestamp now);
  // The request in progress, if its PIN could not be verified.
  OperatorRequest unchecked(const std::exception_ptr& failure);
  // Starts to verify the witness's PIN, if the request needs one. False: it needs none.
  bool verify_witness(const State& state, Timestamp now);

  PinWorker check_;
  // The key of this person's PIN hash.
  [[nodiscard]] const std::string& key_of(const Badge& badge, const State& state) const;

  std::vector<PinRequestSource*> sources_;
  PinKeys keys_;
  std::size_t next_source_ = 0;
  std::optional<OperatorRequest> looked_at_;  // being verified by check_
  std::string witness_pin_;                   // verified after the requester's PIN
  bool is_witness_ = false;                   // check_ verifies the witness's PIN
  bool is_outdated_ = false;                  // the keys changed meanwhile
};

}  // namespace linkmeter
