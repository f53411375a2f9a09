// A person's act, as a line of a ledger:
//
//   validate CLAIM by BADGE
//   countersign CLAIM by BADGE
//   issue_slip CLAIM from SOURCE by BADGE
//   void SLIP for REASON by BADGE [note TEXT]
//   pay CLAIM from SOURCE by BADGE [on SLIP] without SLIP: on its open slip, or on none; if the
//                                           claim is validated and has no slip, a slip is issued
//                                           first, as `linkmeter pay` does it
//   notice LINK posted|cleared by BADGE
//   reject CLAIM for REASON by BADGE [note TEXT]
//   correct TABLE ROUND seat N to CARDS|- [folded] for REASON by BADGE [note TEXT]
//   correct TABLE ROUND dealer [to CARDS] [board CARDS] [magic CARD] [lucky N] for REASON by BADGE
//   correct TABLE POT pot [seat N to CARDS|none [folded]]... [board CARDS] [showdown yes|no] for
//                                           REASON by BADGE
//   suspend LINK by BADGE note TEXT
//   propose resume LINK by BADGE
//   propose correct LINK LEVEL AMOUNT for REASON by BADGE
//   propose transfer LINK LEVEL to LINK LEVEL AMOUNT for REASON by BADGE
//   propose stop LINK by BADGE
//   propose discontinue LINK to LINK LEVEL|nowhere by BADGE
//   propose add BADGE DEPARTMENT ROLE[,ROLE] by BADGE
//   propose remove BADGE by BADGE
//   propose roles BADGE ROLE[,ROLE] by BADGE
//   propose pin BADGE by BADGE
//   confirm N by BADGE [for SUMMARY]        without SUMMARY: the summary as it was proposed
//
// Any other line throws std::runtime_error.
#pragma once

#include <string>

#include "meters/facts/table_command.h"
#include "meters/state/state.h"

namespace linkmeter {

bool is_act_command(const std::string& line);
// Takes the summary of a proposal, and the open slip of a claim, from the state.
PersonMessage parse_act_command(const std::string& line, const State& state);

}  // namespace linkmeter
