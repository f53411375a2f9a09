// PinWorker: verifies PINs on its own thread, one at a time, so that scrypt never stalls the turn.
// Its user calls ask(), polls descriptor() and calls find().
//
// Laws: the thread has a lower priority than the turn's. The PIN of an unknown badge is not
// verified, but its check takes as long as the last real one: strangers cost no processor time and
// see no difference. A check that fails (no memory, no scrypt) finds the PIN neither right nor
// wrong, and ends only itself.
//
// The constructor throws Fault. REQUIRES: made after ShutdownSignal.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <string>

#include "proto/host/worker.h"

namespace linkmeter {

class PinWorker {
 public:
  struct Asked {
    std::string pin;
    std::string seal;                    // the person's PIN hash; "": no such person, or not needed
    std::optional<std::string> new_pin;  // to be hashed, if the first one is right
    bool replaces_it = false;            // the new PIN is for the same person
    std::string key = {};                // the key of `seal` (pin.h); "": none
    std::string new_key = {};            // the key of the new hash
    bool hash_only = false;              // only hash the new PIN; there is no PIN to verify
    std::string previous_hash = {};      // hash of the PIN before; the new PIN must differ
    std::string other_key = {};          // a second possible key of `previous_hash`; "": none
  };
  struct Found {
    bool is_good = false;
    // "" also if there is no new PIN. The unchanged old hash if the new PIN equals the old one, so
    // that the turn can detect it.
    std::string new_hash;
    std::string old_hash = {};             // hash, with the new key, of the PIN being replaced
    bool is_used_before = false;           // the new PIN matches `previous_hash`
    std::exception_ptr failure = nullptr;  // the check failed; ignore the rest
  };

  // REQUIRES: find() returned the result of the request before.
  void ask(Asked request);
  // The result, once.
  [[nodiscard]] std::optional<Found> find();
  // Becomes readable when there is a result.
  [[nodiscard]] int descriptor() const { return worker_.descriptor(); }

 private:
  static constexpr int nice_value = 5;

  [[nodiscard]] Found look();
  [[nodiscard]] bool verify_pin();
  void hash_new_pin(Found& found) const;

  Asked asked_;                                 // owned by the thread while the worker is busy
  std::chrono::steady_clock::duration took_{};  // of the last PIN that was verified
  Worker<Found> worker_{nice_value};            // last member: it uses all of the above
};

}  // namespace linkmeter
