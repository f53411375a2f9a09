// SlipPrinter: makes the stored copy of every slip, one after the other, beside the turn; the turn
// journals each copy's digest. A void slip gets a second copy that is marked void.
//
// Laws: every slip without a copy gets one, whenever the slip was issued, also after a crash. A
// disk that cannot store a copy does not stop the floor: the copy is retried. Only the marked copy
// of a void slip is given out, and only if this SlipPrinter made it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "controller/slips/slip_store.h"
#include "controller/store/journal.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "meters/facts/table_command.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "proto/host/worker.h"

namespace linkmeter {

class SlipPrinter {
 public:
  static constexpr std::chrono::seconds again_after{10};

  // Slips show the time in `zone`. Throws Fault. REQUIRES: made after ShutdownSignal; `journal`
  // outlives this.
  SlipPrinter(const std::filesystem::path& data, const Journal& journal, std::string zone);

  // Becomes readable when a copy was made, or failed.
  [[nodiscard]] int descriptor() const { return maker_.descriptor(); }
  // The copy made since the last call, for the journal; nullopt: none. Starts the next one.
  // REQUIRES: `state` is committed, `rules` are those in force.
  [[nodiscard]] std::optional<SlipCopy> serve(const State& state, const FloorRules& rules,
                                              std::chrono::microseconds uptime);
  // Whether a copy is made, or being made, that serve() has not returned yet.
  [[nodiscard]] bool is_making() const { return maker_.is_busy(); }
  [[nodiscard]] const SlipStore& store() const { return store_; }
  // Returns a function that makes the PDF of a slip's copy, and that no longer reads the state.
  // Throws Fault.
  [[nodiscard]] std::function<std::string()> first_copy(const State& state, const FloorRules& rules,
                                                        const Slip& slip) const;
  // The copy to give out. The second copy of a void slip is made on request if an earlier process
  // had made it.
  [[nodiscard]] std::variant<std::string, SlipStore::Missing> copy(const Slip& slip);
  [[nodiscard]] const std::string& zone() const { return zone_; }
  // The last error, once; "": none.
  [[nodiscard]] std::string take_error();

 private:
  // The next slip without a copy that is due; nullptr: none.
  [[nodiscard]] const Slip* next(const State& state, std::chrono::microseconds uptime);
  struct Made {
    SlipCopy copy;
    bool is_void = false;
    std::string trouble;  // "": the copy is on disk
  };
  std::optional<SlipCopy> note_made(const Made& made, std::chrono::microseconds uptime);
  // The next void slip that needs its second copy; nullptr: none.
  [[nodiscard]] const Slip* next_void(const State& state) const;
  // Starts a copy on the maker's thread.
  void begin(SlipNumber number, bool is_void, std::function<std::string()> make);
  // As first_copy().
  [[nodiscard]] std::function<std::string()> void_copy(const State& state, const FloorRules& rules,
                                                       const Slip& slip) const;
  void find_void_slips(const State& state);

  const Journal& journal_;
  SlipStore store_;
  std::string zone_;
  std::size_t looked_at_ = 0;  // all slips before this one have their copies
  // When to retry slips that could not be made.
  std::map<SlipNumber, std::chrono::microseconds> again_at_;
  std::string error_;
  std::size_t seen_ = 0;         // number of slips already checked for being void
  std::set<SlipNumber> open_;    // those of them that may still become void
  std::set<SlipNumber> wanted_;  // void ones whose second copy is needed
  std::map<SlipNumber, Digest> void_copies_;
  // Last member: it uses all of the above. A copy in progress at the end of the program is made
  // again and journaled by the next start.
  Worker<Made> maker_;
};

// SlipCopies: runs the SlipPrinter in the event loop, and journals the SHA-256 of each slip's
// stored copy. A copy that cannot be stored is retried, and the log says why.
class SlipCopies final : public Service {
 public:
  // Both must outlive this.
  SlipCopies(Controller& controller, SlipPrinter& printer)
      : controller_(controller), printer_(printer) {}

  [[nodiscard]] std::optional<int> descriptor() const override { return printer_.descriptor(); }
  void serve(Moment now) override;

 private:
  Controller& controller_;
  SlipPrinter& printer_;
};

}  // namespace linkmeter
