// PinWorker: looks at PINs on a thread of its own, one at a time, so that scrypt never stalls the
// turn. Whoever uses it asks, polls descriptor(), and takes what was found.
//
// Laws: the thread has a lower priority than the turn's. A PIN of nobody is not looked at, and that
// takes as long as the last one that was: strangers cost no processor, and see no difference. A
// check that fails (no memory, no scrypt) is no right PIN and no wrong one, and ends only itself.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <semaphore>
#include <string>
#include <thread>

namespace linkmeter {

class PinWorker {
 public:
  struct Asked {
    std::string pin;
    std::string seal;                    // of the person; "": nobody's, or it does not matter
    std::optional<std::string> new_pin;  // to be sealed, if the first one is right
    bool replaces_it = false;            // the new one is for the same person
    std::string key = {};                // what `seal` is keyed with (pin.h); "": nothing
    std::string new_key = {};            // what the new seal is to be keyed with
    bool seals_only = false;             // there is no PIN to look at: a new one is to be sealed
    std::string seal_before = {};        // of the PIN before; the new one may not be that one
    std::string other_key = {};          // what `seal_before` may be keyed with, too; "": nothing
  };
  struct Found {
    bool is_good = false;
    // "" also where the new PIN is none. The seal of before, where the PIN is replaced by the same:
    // so the turn can tell.
    std::string new_seal;
    std::string old_seal = {};             // of the PIN that the new one replaces, with the new key
    bool is_used_before = false;           // the new PIN is the one of `seal_before`
    std::exception_ptr failure = nullptr;  // the check failed, and the rest says nothing
  };

  // Throws Fault. REQUIRES: made after StopSignal.
  PinWorker();
  PinWorker(const PinWorker&) = delete;
  PinWorker& operator=(const PinWorker&) = delete;
  ~PinWorker();

  // REQUIRES: what was asked before has been found.
  void ask(Asked asked);
  // What was found, once.
  [[nodiscard]] std::optional<Found> find();
  // Readable as soon as something was found.
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  void work();
  [[nodiscard]] Found look();
  [[nodiscard]] bool opens_it();
  void seal_new(Found& found) const;

  int descriptor_ = -1;
  bool asked_something_ = false;
  Asked asked_;  // the thread's from ask() until is_found_
  Found found_;
  std::chrono::steady_clock::duration took_{};  // the last one that was looked at
  bool stopping_ = false;
  std::binary_semaphore is_asked_{0};
  std::atomic<bool> is_found_ = false;
  std::thread thread_;
};

}  // namespace linkmeter
