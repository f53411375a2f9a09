// Finding: a mistake that a judge of the simulation reports, as "JUDGE: words". nullopt: none.
//
//   chain   numbers, hashes, the head; what was written once is unchanged
//   law     the laws of money, and that an entry is valid after the state before it
//   model   the naive model: the result of every message and act, and all figures
//   once    every message of a table is one entry, in order, word for word
//   reply   every answer, to tables and to people, is the expected one
//   state   live state, stored rows and replay are equal
//   start   no client is served before a self-check that passed
//   day     gaming days end, each once and at its time; their reports have no variance
//   clock   recorded times never go back, and a clock change is an entry
//   link    a link suspends itself only for a fault, and gives the reason
//   table   a table that has lost the controller begins no round; its counts are the journal's
//   sign    what a sign shows was true, and is fresh; or it says that it is not
//   witness an older copy of the disk is detected by the first table that has seen more
//   end     when the faults are over everything is delivered, open, and closed
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace linkmeter {

using Finding = std::optional<std::string>;

// The same finding, reported by that judge.
inline Finding said_by(std::string_view judge, Finding finding) {
  if (finding) finding = std::string(judge) + ": " + *finding;
  return finding;
}
inline std::string judge_of(const std::string& finding) {
  return finding.substr(0, finding.find(':'));
}

}  // namespace linkmeter
