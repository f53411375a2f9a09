// Changes: the rows that apply() changed since they were last taken or forgotten. They are written
// in the commit of the entry.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "meters/values/enrolment.h"
#include "meters/values/gaming_day.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"

namespace linkmeter {

// A sorted vector used as a set. Most inserts repeat an element that is already there, and clear()
// keeps the capacity for the next use.
template <class Thing>
class FlatSet {
 public:
  void insert(const Thing& thing) {
    const auto place = std::lower_bound(things_.begin(), things_.end(), thing);
    if (place == things_.end() || thing < *place) things_.insert(place, thing);
  }
  void clear() { things_.clear(); }

  [[nodiscard]] auto begin() const { return things_.begin(); }
  [[nodiscard]] auto end() const { return things_.end(); }

  friend bool operator==(const FlatSet&, const FlatSet&) = default;

 private:
  std::vector<Thing> things_;
};

struct Changes {
  bool floor = false;
  FlatSet<LinkIndex> links;
  FlatSet<TableIndex> sessions;  // last number and counters of the session
  // The parts of a session's rings that changed, by table (limits::answers_per_row).
  FlatSet<std::pair<TableIndex, std::uint64_t>> answers, ended;
  std::set<std::pair<TableIndex, std::size_t>> pots;  // slots of a session's ring of pots
  // Written, or erased if no longer open. True: the round began since, so it has no row yet. A
  // round that also ended since is not listed.
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
  bool writer = false;
  std::set<ProposalNumber> proposals;     // written, or erased if no longer open
  std::set<Enrolments::Name> enrolments;  // written, or erased if revoked

  void note_answer(TableIndex table, MessageNumber number) {
    answers.insert({table, number.value() % limits::answers_remembered / limits::answers_per_row});
  }
  void note_ended_slot(TableIndex table, std::uint64_t count) {
    ended.insert({table, count % limits::ended_rounds_remembered / limits::ended_per_row});
  }
  void note_opened(TableIndex table, const RoundId& id) {
    rounds.try_emplace({table, id}, true);  // a round of the same name may already have a row
  }
  void note_ended(TableIndex table, const RoundId& id);
  // Clears all changes and keeps the allocated capacity for the next entry.
  void forget();

  friend bool operator==(const Changes&, const Changes&) = default;
};

}  // namespace linkmeter
