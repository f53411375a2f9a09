#include "controller/turn/table_presence.h"

#include <algorithm>

#include "controller/store/journal_reader.h"

namespace linkmeter {

using std::chrono::microseconds;

TablePresence::TablePresence(std::size_t table_count, microseconds lost_after,
                             const Moment& started,
                             const std::vector<std::optional<Timestamp>>& last_message_times)
    : lost_after_(lost_after), started_at_(started.as_of), tables_(table_count) {
  for (Seen& table : tables_) table.since = started_at_;
  for (std::size_t at = 0; at < std::min(tables_.size(), last_message_times.size()); ++at) {
    if (!last_message_times[at]) continue;
    tables_[at].standing = TableLinkState::not_seen;
    tables_[at].last_heard_at = last_message_times[at];
  }
}

std::vector<TablePresence::Change> TablePresence::note(const std::set<TableIndex>& heard,
                                                       const Moment& now) {
  std::vector<Change> changes;
  for (const TableIndex table : heard) record_message(table, now, changes);
  if (due_ && *due_ <= now.uptime) mark_lost(now, changes);
  return changes;
}

void TablePresence::record_message(TableIndex index, const Moment& now,
                                   std::vector<Change>& changes) {
  if (index.value() >= tables_.size()) {  // a floor may get more tables
    Seen unseen;
    unseen.since = started_at_;
    tables_.resize(index.value() + std::size_t{1}, unseen);
  }
  Seen& table = tables_[index.value()];
  if (table.standing != TableLinkState::linked) {
    const microseconds silence = table.standing == TableLinkState::lost
                                     ? now.uptime - table.last_message_uptime
                                     : microseconds(0);
    changes.push_back({index, table.standing, TableLinkState::linked, silence});
    table.standing = TableLinkState::linked;
    table.since = now.as_of;
  }
  table.last_heard_at = now.as_of;
  table.last_message_uptime = now.uptime;
  // A later message of another table does not delay this table's deadline.
  const microseconds lost = now.uptime + lost_after_;
  due_ = due_ ? std::min(*due_, lost) : lost;
}

void TablePresence::mark_lost(const Moment& now, std::vector<Change>& changes) {
  due_.reset();
  for (std::size_t at = 0; at < tables_.size(); ++at) {
    Seen& table = tables_[at];
    if (table.standing != TableLinkState::linked) continue;
    const microseconds lost = table.last_message_uptime + lost_after_;
    if (lost > now.uptime) {
      due_ = due_ ? std::min(*due_, lost) : lost;
      continue;
    }
    table.standing = TableLinkState::lost;
    table.since = now.as_of;
    changes.push_back({TableIndex(static_cast<std::uint32_t>(at)), TableLinkState::linked,
                       TableLinkState::lost, now.uptime - table.last_message_uptime});
  }
}

TablePresence::Table TablePresence::table(TableIndex table) const {
  if (table.value() < tables_.size()) return tables_[table.value()];
  return {TableLinkState::never_seen, started_at_, {}};
}

ControllerStatus TablePresence::status(const Floor& floor, Timestamp now) const {
  ControllerStatus status;
  status.started_at = started_at_;
  status.now = now;
  for (std::uint32_t at = 0; at < floor.tables.size(); ++at) {
    const Table stands = table(TableIndex(at));
    status.tables.push_back(
        {floor.tables[at].id, stands.standing, stands.since, stands.last_heard_at});
  }
  return status;
}

std::vector<std::optional<Timestamp>> last_message_times(const State& state,
                                                         const Journal& journal) {
  std::vector<std::optional<Timestamp>> times;
  for (std::uint32_t at = 0; at < state.floor().tables.size(); ++at) {
    const TableSession& session = state.session(TableIndex(at));
    const Answer* answer = session.find_answer(session.last_number());
    times.emplace_back();
    if (answer != nullptr) times.back() = entry_at(journal, answer->entry).recorded_at;
  }
  return times;
}

}  // namespace linkmeter
