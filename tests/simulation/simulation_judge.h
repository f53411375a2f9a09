// Simulation judge: stands beside the controller's disk and every table, and holds what is
// journaled against what was said: every said message is exactly one entry, in order; the naive
// model, fed in the journal's order, agrees with every figure; the laws hold after every turn;
// replay and rows are the live state; nobody is told what is not on the disk. Gaming days end one
// after the other, each at its moment and before anything of the next one; and a table has counted
// what the journal has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/accounting/calendar.h"
#include "controller/journal.h"
#include "controller/received.h"
#include "meters/codec/floor_file.h"
#include "meters/state.h"
#include "table-agent/table_agent.h"
#include "tests/property/naive_model.h"

namespace linkmeter {

class SimulationJudge {
 public:
  // nullopt: nothing is wrong.
  using Finding = std::optional<std::string>;

  explicit SimulationJudge(const FloorFile& file);

  // The table has stored these bytes under its next number.
  void stored(TablePlace table, const std::string& bytes);
  // Looks at everything that was journaled since the last look.
  Finding look(const Journal& journal);
  // A turn ended: its state and what it is about to say.
  Finding turned(const Journal& journal, const State& live, const std::vector<Reply>& replies);
  // A controller starts from what the journal holds.
  Finding restarted(const Journal& journal, const State& state);
  // A table was answered.
  Finding answered(TablePlace table, const std::vector<Answered>& answers) const;
  // At the end, all well: everything said is journaled.
  Finding finish(const Journal& journal);

  [[nodiscard]] const State& replayed() const { return replayed_; }
  // How often a table told what it has counted.
  [[nodiscard]] std::uint64_t tellings() const { return tellings_; }

 private:
  struct Told {
    EntryNumber entry;
    Refusal refusal = Refusal::none;
  };

  Finding take(const StoredEntry& stored);
  Finding take(const Entry& entry);
  // What the system enters by itself.
  Finding take_own(const Entry& entry);
  Finding look_at_day(const Entry& entry) const;
  // `before`: how many messages of each table were journaled before the turn.
  Finding check_reply(const Journal& journal, const std::vector<std::size_t>& before,
                      const Reply& reply) const;
  [[nodiscard]] const Told* told(TablePlace table, MessageNumber number) const;

  NaiveModel model_;
  State replayed_;
  std::vector<std::vector<std::string>> said_;  // by table; number N stands at N - 1
  std::vector<std::vector<Told>> told_;         // by table; what number N became
  Digest last_hash_{};
  Calendar calendar_;
  Timestamp opened_at_;
  std::uint64_t tellings_ = 0;
};

}  // namespace linkmeter
