// Rehearsal: plays the commands of a ledger on the real core, with a clock that only counts
// entries, and returns the outcome of each.
//
// After every entry it checks the laws: the entry breaks none and is valid for the state, its bytes
// decode to it again, the new state breaks none, and the same message once more is answered and not
// counted. A failed check throws std::runtime_error; it is never an outcome in a ledger.
//
// Commands:
//   floor                         and the lines of a floor file: opens it with the real catalogue
//   TABLE NUMBER {json}           a table's message, as in a floor script
//   TABLE FIRST..LAST {json}      one message after the other, * stands for its number; all must
//                                 have the same kind of outcome, and the last outcome is printed
//   stored SLIP                   the copy of a slip is on disk
//   a person's act                see act_command.h; the staff is that of tests/support/staff.h
//   propose parameters by BADGE   and lines "OLD => NEW": the floor file in force with the first
//                                 occurrence of each OLD replaced; "chapters: OLD => NEW": the
//                                 same in the first chapter with OLD; \n in them ends a line
//   signin BADGE good|bad
//   later SECONDS                 the clock advances
//   meters, claims                prints them from the state
//   replay                        rebuilds the state from the journal's bytes and compares
//   crash                         the same, and continues with only the rebuilt state
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "meters/rules/decide.h"
#include "meters/state/state.h"

namespace linkmeter {

class Rehearsal {
 public:
  // The outcome of the command; each line ends with a newline.
  std::string perform(const std::string& command);

  [[nodiscard]] const State& state() const { return state_; }
  // The encoded entries so far.
  [[nodiscard]] const std::vector<std::string>& journal() const { return journal_; }
  // Every refusal that was given, in the order of first occurrence.
  [[nodiscard]] const std::vector<Refusal>& refusals() const { return refusals_; }

 private:
  std::string open(const std::string& floor_text);
  std::string messages(const std::string& table, const std::string& numbers,
                       const std::string& json);
  std::string message(const std::string& table, MessageNumber number, const std::string& json);
  std::string act(const std::string& command);
  std::string propose_parameters(const std::string& command);
  // Decides the act, and applies a change of parameters.
  std::string decided(PersonMessage message);
  std::string sign_in(std::string command);
  std::string step(const Decision& decision);
  std::string record(const Entry& entry);
  std::string told(Refusal refusal);
  void demand_same_answer(const TableMessage& message, const Entry& entry) const;
  // The state from the journal's bytes alone, compared with the rows and the live state.
  [[nodiscard]] State rebuilt() const;
  [[nodiscard]] Timestamp now() const;

  State state_;
  FloorRules rules_;
  std::string floor_text_;             // in force, as the rules are
  std::vector<std::string> chapters_;  // in force, too
  std::vector<std::string> journal_;
  std::map<std::string, std::string> rows_;
  std::vector<Refusal> refusals_;
  std::int64_t later_us_ = 0;
};

// "claim 1 #3 C4-01 r1 seat 2 royal_flush main 50010.40 raised", one line each.
std::string description_of_claims(const State& state);

// Replays encoded entries from the first one. Throws std::runtime_error at one that does not decode
// or is not valid. `told`, if given, gets the description of every entry.
State replay(const std::vector<std::string>& journal, std::string* told = nullptr);

}  // namespace linkmeter
