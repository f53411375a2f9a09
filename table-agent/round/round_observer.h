// RoundObserver: the latest round of a table that plays by itself (a script, a deal), for a panel
// that only shows. It is built from submitted commands and the controller's answers.
#pragma once

#include "table-agent/round/round_record.h"

namespace linkmeter {

class RoundObserver {
 public:
  void on_submitted(MessageNumber number, const TableCommand& command);
  void on_reply(const Answered& answered);
  void on_hands(const std::vector<RoundHands>& rounds) { round_.on_hands(rounds); }
  void forget_entries() { round_.hands_by.clear(); }
  [[nodiscard]] const RoundRecord& round() const { return round_; }

 private:
  RoundRecord round_;
  RoundCommands commands_{{}, {}};
};

}  // namespace linkmeter
