// An explanation as it is told to programs and pages:
// {"link","level","entry","claim","balance","sum","since":{"entry","at","kind":"opening|award",
//   "award","kept","seeded","from_reserve"},
//  "parts":{"contributed","withheld","overflowed","seeded","from_reserve","awarded","returned",
//   "corrected","transferred"},
//  "days":[{"day","entries":[first,last],"contributed","change","by":"readings|entries",
//    "tables":[{"table","contributed","rounds":[{"round","entry","contributed"}]}]}],
//  "events":[{"entry","at","kind","amount","claims"}],
//  "earlier_awards":[{"entry","at","whole","amount","stood","left","rejected","claims"}],
//  "cost":{"entries_read","days_by_readings"}}
// since.kept + since.seeded + since.from_reserve + every part = sum = balance; every amount has its
// sign. A day's change also holds what its events did. "rounds" is there only if it was asked for.
#pragma once

#include "controller/accounting/explain/explanation.h"
#include "controller/view/json.h"

namespace linkmeter {

Json explanation_json(const Explanation& said, const Floor& floor, bool with_rounds);

}  // namespace linkmeter
