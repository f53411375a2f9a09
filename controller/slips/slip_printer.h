// Slip press: makes the stored copy of every slip, one after the other, beside the turn; the turn
// journals each copy's digest. Of a void slip it makes a second copy, which says so.
//
// Laws: a slip that has no copy yet gets one, whenever it was issued: also what a crash left
// undone. A disk that takes no copy does not stop the floor: it is tried again. Of a void slip only
// the copy that says so is given out, and only one that this press has made itself.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "controller/slips/slip_store.h"
#include "controller/store/journal.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter {

class SlipPrinter {
 public:
  static constexpr std::chrono::seconds again_after{10};

  // Slips tell the time of `zone`. Throws Fault. REQUIRES: made after StopSignal; `journal`
  // outlives this.
  SlipPrinter(const std::filesystem::path& data, const Journal& journal, std::string zone);
  SlipPrinter(const SlipPrinter&) = delete;
  SlipPrinter& operator=(const SlipPrinter&) = delete;
  ~SlipPrinter();

  // Readable as soon as a copy is made, or could not be.
  [[nodiscard]] int descriptor() const { return ready_.get(); }
  // The copy that was made since the last call, for the journal; nullopt: none. Begins the next
  // one. REQUIRES: `state` is what is committed, `rules` those in force.
  [[nodiscard]] std::optional<SlipCopy> serve(const State& state, const FloorRules& rules,
                                              std::chrono::microseconds uptime);
  // Is there a copy, made or being made, that the next calls of serve() take?
  [[nodiscard]] bool is_making() const { return making_.valid(); }
  [[nodiscard]] const SlipStore& store() const { return store_; }
  // What is given out of a slip. The second copy of a void one is made when it is asked for, if it
  // was made by an earlier program.
  [[nodiscard]] std::variant<std::string, SlipStore::Missing> copy(const Slip& slip);
  [[nodiscard]] const std::string& zone() const { return zone_; }
  // What went wrong with the last one, once; "" nothing.
  [[nodiscard]] std::string take_trouble();

 private:
  // The next slip without a copy whose time has come; null: none.
  [[nodiscard]] const Slip* next(const State& state, std::chrono::microseconds uptime);
  struct Made {
    SlipCopy copy;
    bool is_void = false;
    std::string trouble;  // "": the copy is on disk
  };
  std::optional<SlipCopy> take_made(std::chrono::microseconds uptime);
  // The next void slip whose second copy is wanted; null: none.
  [[nodiscard]] const Slip* next_void(const State& state) const;
  // Begins a copy on a thread of its own. Throws what keeps it from beginning.
  void begin(SlipNumber number, bool is_void, std::function<std::string()> make);
  // How the PDF of either copy is made, with nothing of the state left to read.
  [[nodiscard]] std::function<std::string()> first_copy(const State& state, const FloorRules& rules,
                                                        const Slip& slip) const;
  [[nodiscard]] std::function<std::string()> void_copy(const State& state, const FloorRules& rules,
                                                       const Slip& slip) const;
  void look_for_void(const State& state);

  const Journal& journal_;
  SlipStore store_;
  std::string zone_;
  Descriptor ready_;
  std::future<Made> making_;
  std::size_t looked_at_ = 0;  // all slips before this one have their copies
  std::map<SlipNumber, std::chrono::microseconds> again_at_;  // slips that could not be made
  std::string trouble_;
  std::size_t seen_ = 0;         // slips looked at: were they void when they were first seen?
  std::set<SlipNumber> open_;    // of those, what may still become void
  std::set<SlipNumber> wanted_;  // void ones whose second copy is to be made
  std::map<SlipNumber, Digest> void_copies_;
};

}  // namespace linkmeter
