// PanelSignIns: who signs in at the panel of a table. It takes these words out of what the tables
// sent, before the turn, and answers them after it.
//
// Laws: only over the key of a table; so many wait of one table, and of all, the others are not
// answered.
#pragma once

#include <deque>
#include <vector>

#include "controller/controller.h"
#include "controller/pin_desk.h"
#include "controller/received.h"
#include "meters/state.h"

namespace linkmeter {

class PanelSignIns final : public PinSource {
 public:
  static constexpr std::size_t waiting_max = 64;
  static constexpr std::size_t waiting_of_table_max = 4;

  // Takes the sign-ins out of what was received; what is none of a table's stays.
  void take(std::vector<Received>& received, const State& state);
  std::optional<PinAsked> next() override;
  [[nodiscard]] bool is_waiting() const override { return !waiting_.empty(); }

  // REQUIRES: `told` is of a table.
  static Reply answer(const Controller::Told& told, const State& state);

 private:
  struct Waiting {
    TablePlace table;
    PinAsked asked;
  };
  std::deque<Waiting> waiting_;
};

}  // namespace linkmeter
