// Rehearsal: plays the commands of a ledger on the real core, with a clock that is only a count of
// entries, and says what came of each.
//
// After every entry it demands the laws: the entry breaks none by itself and fits the state, its
// bytes decode to it again, the state it leads to breaks none, and the same message once more is
// answered and not counted. A broken demand is a std::runtime_error, never an outcome that a ledger
// could hold.
//
// Commands:
//   floor                         and the lines of a floor file: opens it with the real catalogue
//   TABLE NUMBER {json}           a table's message, as in a floor script
//   TABLE FIRST..LAST {json}      one message after the other, * standing for its number; all must
//                                 end alike, and the last one's outcome is told
//   stored SLIP                   the copy of a slip is on disk
//   what a person does            see act_command.h; the staff is that of tests/support/staff.h
//   propose parameters by BADGE   and lines "OLD => NEW": the floor file in force with each OLD,
//                                 where it stands first, replaced; "chapters: OLD => NEW": the
//                                 first chapter that says OLD; \n in them ends a line
//   signin BADGE good|bad
//   later SECONDS                 the clock goes on
//   meters, claims                what the state says
//   replay                        rebuilds the state from the journal's bytes and compares
//   crash                         the same, and goes on with nothing but what was rebuilt
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
  // What came of the command, each line ended.
  std::string perform(const std::string& command);

  [[nodiscard]] const State& state() const { return state_; }
  // The encoded entries so far.
  [[nodiscard]] const std::vector<std::string>& journal() const { return journal_; }
  // Every refusal that was given, in the order of its first time.
  [[nodiscard]] const std::vector<Refusal>& refusals() const { return refusals_; }

 private:
  std::string open(const std::string& floor_text);
  std::string messages(const std::string& table, const std::string& numbers,
                       const std::string& json);
  std::string message(const std::string& table, MessageNumber number, const std::string& json);
  std::string act(const std::string& command);
  std::string propose_parameters(const std::string& command);
  // Decides, and lets other parameters take effect.
  std::string decided(PersonMessage message);
  std::string sign_in(std::string command);
  std::string step(const Decision& decision);
  std::string record(const Entry& entry);
  std::string told(Refusal refusal);
  void demand_same_answer(const TableMessage& message, const Entry& entry) const;
  // The state as the journal's bytes alone give it, held against the rows and the living state.
  [[nodiscard]] State rebuilt() const;
  [[nodiscard]] Timestamp now() const;

  State state_;
  FloorRules rules_;
  std::string floor_text_;             // in force, as the rules are
  std::vector<std::string> chapters_;  // likewise
  std::vector<std::string> journal_;
  std::map<std::string, std::string> rows_;
  std::vector<Refusal> refusals_;
  std::int64_t later_us_ = 0;
};

// "claim 1 #3 C4-01 r1 seat 2 royal_flush main 50010.40 raised", a line each.
std::string description_of_claims(const State& state);

// Replays encoded entries from the first one. Throws std::runtime_error at one that does not decode
// or does not fit. `told`, where given, gets the description of every entry.
State replay(const std::vector<std::string>& journal, std::string* told = nullptr);

}  // namespace linkmeter
