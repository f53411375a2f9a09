// Act command: what a person does, as a line of a ledger:
//
//   validate CLAIM by BADGE
//   countersign CLAIM by BADGE
//   issue_slip CLAIM from SOURCE by BADGE
//   void SLIP for REASON by BADGE [note TEXT]
//   pay CLAIM from SOURCE by BADGE [on SLIP] without one: on its open slip, or on none; where the
//                                           claim is validated and has none, as `linkmeter pay`
//                                           does it: one is issued first
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
//   confirm N by BADGE [for SUMMARY]        without one: the summary as it was proposed
//
// What is none of these is a std::runtime_error.
#pragma once

#include <string>

#include "meters/facts/table_command.h"
#include "meters/state/state.h"

namespace linkmeter {

bool is_act_command(const std::string& line);
// The state is asked for the summary of a proposal, and for the open slip of a claim.
PersonMessage parse_act_command(const std::string& line, const State& state);

}  // namespace linkmeter
