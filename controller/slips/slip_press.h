// Slip press: makes the stored copy of every slip, one after the other, beside the turn; the turn
// journals each copy's digest.
//
// Laws: a slip that has no copy yet gets one, whenever it was issued: also what a crash left
// undone. A disk that takes no copy does not stop the floor: it is tried again.
#pragma once

#include <chrono>
#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <string>

#include "controller/journal.h"
#include "controller/slips/slip_store.h"
#include "meters/command.h"
#include "meters/edge/descriptor.h"
#include "meters/floor.h"
#include "meters/state.h"

namespace linkmeter {

class SlipPress {
 public:
  static constexpr std::chrono::seconds again_after{10};

  // Slips tell the time of `zone`. Throws Fault. REQUIRES: made after StopSignal; `journal`
  // outlives this.
  SlipPress(const std::filesystem::path& data, const Journal& journal, std::string zone);
  SlipPress(const SlipPress&) = delete;
  SlipPress& operator=(const SlipPress&) = delete;
  ~SlipPress();

  // Readable as soon as a copy is made, or could not be.
  [[nodiscard]] int descriptor() const { return ready_.get(); }
  // The copy that was made since the last call, for the journal; nullopt: none. Begins the next
  // one. REQUIRES: `state` is what is committed, `rules` those in force.
  [[nodiscard]] std::optional<SlipCopy> serve(const State& state, const FloorRules& rules,
                                              std::chrono::microseconds uptime);
  [[nodiscard]] const SlipStore& store() const { return store_; }
  // What went wrong with the last one, once; "" nothing.
  [[nodiscard]] std::string take_trouble();

 private:
  // The next slip without a copy whose time has come; null: none.
  [[nodiscard]] const Slip* next(const State& state, std::chrono::microseconds uptime);
  struct Made {
    SlipCopy copy;
    std::string trouble;  // "": the copy is on disk
  };

  const Journal& journal_;
  SlipStore store_;
  std::string zone_;
  Descriptor ready_;
  std::future<Made> making_;
  std::size_t looked_at_ = 0;  // all slips before this one have their copies
  std::map<SlipNumber, std::chrono::microseconds> again_at_;  // slips that could not be made
  std::string trouble_;
};

}  // namespace linkmeter
