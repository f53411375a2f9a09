// Changes: what apply() changed of the state since they were last taken or forgotten: the rows to
// write in the same commit.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "meters/values/enrolment.h"
#include "meters/values/flat_set.h"
#include "meters/values/gaming_day.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"

namespace linkmeter {

struct Changes {
  bool floor = false;
  FlatSet<LinkIndex> links;
  FlatSet<TableIndex> desks;  // last number and counts of the desk
  // Of a desk's rings, by table: the parts that changed (limits::answers_per_row).
  FlatSet<std::pair<TableIndex, std::uint64_t>> answers, ended;
  std::set<std::pair<TableIndex, std::size_t>> pots;  // slots of a desk's ring of pots
  // Written, or erased if no longer open. True: it began since, and has no row; one that has ended
  // since as well is none.
  std::map<std::pair<TableIndex, RoundId>, bool> rounds;
  std::set<ClaimNumber> claims;
  std::set<SlipNumber> slips;
  std::set<GamingDay> days;
  std::set<EntryNumber> restorations;
  std::set<Badge> people;
  bool last_check = false;
  bool moments = false;
  bool clock = false;
  bool keys = false;
  bool recovery = false;
  std::set<ProposalNumber> proposals;     // written, or erased if no longer open
  std::set<Enrolments::Name> enrolments;  // written, or erased if revoked

  void note_answer(TableIndex table, MessageNumber number) {
    answers.insert({table, number.value() % limits::answers_remembered / limits::answers_per_row});
  }
  void note_ended_slot(TableIndex table, std::uint64_t count) {
    ended.insert({table, count % limits::ended_rounds_remembered / limits::ended_per_row});
  }
  void note_opened(TableIndex table, const RoundId& id) {
    rounds.try_emplace({table, id}, true);  // one of that name may have had a row before
  }
  void note_ended(TableIndex table, const RoundId& id);
  // Nothing is changed any more; the room of what every entry changes is kept.
  void forget();

  friend bool operator==(const Changes&, const Changes&) = default;
};

}  // namespace linkmeter
