// Finding: what a judge of the simulation says is wrong, as "JUDGE: words". nullopt: nothing.
//
//   chain   numbers, hashes, the head; what was written once stays as it was
//   law     the laws of money, and that an entry fits what was before it
//   model   the naive model: what becomes of every message and every act, and all figures
//   once    every message of a table is one entry, in order, word for word
//   reply   every answer, to tables and to people, is the one that was to be given
//   state   live state, stored rows and replay are one
//   start   nobody is served before a self-check that passed
//   day     gaming days end, each once and at its moment; their reports have no variance
//   clock   recorded times never go back, and a clock that was set is an entry
//   link    no link suspends itself but for a fault, and it says why
//   table   a table that has lost the controller begins no round; its counts are the journal's
//   sign    what a sign shows was so, and is fresh; or it says that it is not
//   witness an older copy of the disk is found by the first table that has seen more
//   end     when all is well again everything is delivered, open, and closed
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace linkmeter {

using Finding = std::optional<std::string>;

// The same, from that judge.
inline Finding said_by(std::string_view judge, Finding finding) {
  if (finding) finding = std::string(judge) + ": " + *finding;
  return finding;
}
inline std::string judge_of(const std::string& finding) {
  return finding.substr(0, finding.find(':'));
}

}  // namespace linkmeter
