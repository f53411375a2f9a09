// Presence: which tables are there (L5, L9). It is fed with the tables that the turn heard, and
// with moments; it has no clock.
//
// Laws: a table is linked from its first word on; it is lost when lost_after has passed since its
// last one, at that very moment, and linked again at the next. Only what the turn takes for the
// table's own counts as its word. Nothing of this is journaled: a controller that starts has seen
// nobody, and knows only when the journal had the last word of each table.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "controller/time/moment.h"
#include "meters/floor/floor.h"
#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

class Presence {
 public:
  struct Change {
    TableIndex table;
    Standing from = Standing::never_seen;
    Standing to = Standing::linked;
    std::chrono::microseconds silence{};  // since its last word; 0 if it had none
  };
  struct Table {
    Standing standing = Standing::never_seen;
    Timestamp since;  // when it began to stand so
    std::optional<Timestamp> heard_at;
  };

  // Nobody was seen yet. `last_words`: by table, when the journal had its last message; shorter
  // than the floor, or nullopt, where it had none.
  Presence(std::size_t table_count, std::chrono::microseconds lost_after, const Moment& started,
           const std::vector<std::optional<Timestamp>>& last_words = {});

  // First takes what was heard, then looks who is lost; what changed.
  std::vector<Change> note(const std::set<TableIndex>& heard, const Moment& now);
  // Uptime at which somebody is lost, or earlier; nullopt: nobody is linked.
  [[nodiscard]] std::optional<std::chrono::microseconds> due() const { return due_; }

  [[nodiscard]] std::chrono::microseconds lost_after() const { return lost_after_; }

  [[nodiscard]] Table table(TableIndex place) const;
  // Of the floor's tables, in their order.
  [[nodiscard]] ControllerStatus status(const Floor& floor, Timestamp now) const;

 private:
  struct Seen : Table {
    std::chrono::microseconds heard_uptime{};
  };

  void hear(TableIndex place, const Moment& now, std::vector<Change>& changes);
  void look_for_lost(const Moment& now, std::vector<Change>& changes);

  std::chrono::microseconds lost_after_;
  Timestamp started_at_;
  std::vector<Seen> tables_;  // by place
  std::optional<std::chrono::microseconds> due_;
};

}  // namespace linkmeter
