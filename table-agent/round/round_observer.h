// Watched round: the latest round of a table that plays by itself (a script, a deal), for a panel
// that only shows: gathered from what the session says and what the controller answers.
#pragma once

#include "table-agent/round/round_record.h"

namespace linkmeter {

class RoundObserver {
 public:
  void said(MessageNumber number, const TableCommand& command);
  void hear(const Answered& answered);
  void hear_hands(const std::vector<RoundHands>& rounds) { round_.hear_hands(rounds); }
  void forget_entries() { round_.hands_by.clear(); }
  [[nodiscard]] const RoundRecord& round() const { return round_; }

 private:
  RoundRecord round_;
  RoundCommands commands_{{}, {}};
};

}  // namespace linkmeter
