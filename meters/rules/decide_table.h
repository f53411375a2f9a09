// TableDecision: decides the commands of one table, one function per command. decide() calls it
// when the message's number is the next one. RoundChecks has the reasons for a refusal, Settlement
// what wagers and hands move.
#pragma once

#include "meters/facts/table_command.h"
#include "meters/rules/outcome.h"
#include "meters/rules/round_checks.h"
#include "meters/values/person.h"
#include "meters/values/refusal.h"

namespace linkmeter {

class TableDecision : private RoundChecks {
 public:
  using RoundChecks::RoundChecks;

  Outcome operator()(const LockRound& lock) const;
  Outcome operator()(const ResolveCount& resolve) const;
  Outcome operator()(const ShowHands& show) const;
  Outcome operator()(const CloseRound& close) const;
  Outcome operator()(const VoidRound& request) const;
  Outcome operator()(const PlayPot& pot) const;

 private:
  // Whether the badge may resolve a wrong count.
  [[nodiscard]] Refusal check_resolver(const Badge& by) const;
};

}  // namespace linkmeter
