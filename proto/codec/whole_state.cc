#include "proto/codec/whole_state.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "meters/values/limits.h"

namespace linkmeter {

namespace {

// Marks everything as changed.
Changes everything_in(const State& state) {
  Changes all;
  all.floor = true;
  all.last_check = true;  // erased if there is none
  all.moments = true;
  all.clock = true;  // erased if the clock is trusted
  all.keys = true;
  all.recovery = true;  // erased if there is none
  all.writer = true;    // erased if there is none
  for (std::uint32_t at = 0; at < state.floor().links.size(); ++at) all.links.insert(LinkIndex(at));
  for (std::uint32_t at = 0; at < state.floor().tables.size(); ++at) {
    const TableIndex table(at);
    const TableSession& session = state.session(table);
    if (session == TableSession()) continue;  // a table without messages has no row
    all.sessions.insert(table);
    for (std::size_t slot = 0; slot < session.answers().size(); slot += limits::answers_per_row) {
      all.answers.insert({table, slot / limits::answers_per_row});
    }
    for (const Round& round : session.rounds()) all.rounds.try_emplace({table, round.id});
    for (std::size_t slot = 0; slot < session.ended().size(); slot += limits::ended_per_row) {
      all.ended.insert({table, slot / limits::ended_per_row});
    }
    for (std::size_t slot = 0; slot < session.pots().size(); ++slot) all.pots.insert({table, slot});
  }
  for (const Claim& claim : state.claims()) all.claims.insert(claim.number);
  for (const Slip& slip : state.slips()) all.slips.insert(slip.number);
  for (const DayRecord& day : state.days()) all.days.insert(day.day);
  for (const Restoration& one : state.restorations()) all.restorations.insert(one.entry);
  for (const auto& [badge, person] : state.people()) all.people.insert(badge);
  for (const Proposal& proposal : state.proposals()) all.proposals.insert(proposal.number);
  // Its row stays after the last one has ended.
  if (state.last_proposal() != ProposalNumber()) all.proposals.insert(state.last_proposal());
  for (const auto& [name, enrolment] : state.enrolments().all()) all.enrolments.insert(name);
  return all;
}

}  // namespace

std::vector<Row> rows_of(const State& state) {
  std::vector<Row> rows = rows_for(state, everything_in(state));
  std::erase_if(rows, [](const Row& row) { return !row.value; });
  std::sort(rows.begin(), rows.end(),
            [](const Row& one, const Row& other) { return one.key < other.key; });
  return rows;
}

std::vector<Row> rows_to_mend(const std::vector<Row>& stored, const std::vector<Row>& right) {
  std::vector<Row> rows;
  auto old = stored.begin();
  for (const Row& row : right) {
    for (; old != stored.end() && old->key < row.key; ++old) rows.push_back({old->key, {}});
    if (old != stored.end() && old->key == row.key) {
      if (old->value != row.value) rows.push_back(row);
      ++old;
    } else {
      rows.push_back(row);
    }
  }
  for (; old != stored.end(); ++old) rows.push_back({old->key, {}});
  return rows;
}

}  // namespace linkmeter
