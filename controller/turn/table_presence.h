// TablePresence: which tables are connected (L5, L9). Its input is the tables that each turn
// received messages from, and the time; it has no clock.
//
// Laws: a table is linked from its first message. It is lost exactly when lost_after has passed
// since its last message, and linked again at the next one. Only messages that the turn attributes
// to the table itself count. None of this is journaled: a controller that starts has seen no table,
// and knows only the time of each table's last message in the journal.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "controller/store/journal.h"
#include "controller/time/moment.h"
#include "meters/floor/floor.h"
#include "meters/state/state.h"
#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class TablePresence {
 public:
  struct Change {
    TableIndex table;
    TableLinkState from = TableLinkState::never_seen;
    TableLinkState to = TableLinkState::linked;
    std::chrono::microseconds silence{};  // since its last message; 0 if it had none
  };
  struct Table {
    TableLinkState standing = TableLinkState::never_seen;
    Timestamp since;  // when this standing began
    std::optional<Timestamp> last_heard_at;
  };

  // Initially no table was seen. `last_message_times`: by table, the time of its last message in
  // the journal; shorter than the floor, or nullopt, if there is none.
  TablePresence(std::size_t table_count, std::chrono::microseconds lost_after,
                const Moment& started,
                const std::vector<std::optional<Timestamp>>& last_message_times = {});

  // Processes the heard tables, then marks lost ones. Returns the changes.
  std::vector<Change> note(const std::set<TableIndex>& heard, const Moment& now);
  // The uptime at which a table is lost, or earlier. nullopt: no table is linked.
  [[nodiscard]] std::optional<std::chrono::microseconds> due() const { return due_; }

  [[nodiscard]] std::chrono::microseconds lost_after() const { return lost_after_; }

  [[nodiscard]] Table table(TableIndex index) const;
  // The floor's tables, in order.
  [[nodiscard]] ControllerStatus status(const Floor& floor, Timestamp now) const;

 private:
  struct Seen : Table {
    std::chrono::microseconds last_message_uptime{};
  };

  void record_message(TableIndex table, const Moment& now, std::vector<Change>& changes);
  void mark_lost(const Moment& now, std::vector<Change>& changes);

  std::chrono::microseconds lost_after_;
  Timestamp started_at_;
  std::vector<Seen> tables_;  // by table index
  std::optional<std::chrono::microseconds> due_;
};

// By table, the time of its last message in the journal. Throws Fault.
std::vector<std::optional<Timestamp>> last_message_times(const State& state,
                                                         const Journal& journal);

}  // namespace linkmeter
