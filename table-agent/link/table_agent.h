// Table agent: the pure turn of one table's side of the wire. Frames go in, frames come out. It has
// no socket, clock or disk of its own: the caller hands in the outbox and the moments.
//
// It composes four parts, and their laws are its own:
// - SendWindow: numbers, stores and resends messages; compares the controller's journal with the
//   witness head.
// - Connection: Hello, heartbeats, resends, silence, and the lock-out of the table.
// - ClaimCache: the table's claims as the controller reported them last.
// - KnownNodes: the house's controllers as one of them named them last.
//
// Laws:
// 1. Only a Hello is sent until a Welcome has shown that the controller still has everything it
//    ever acknowledged. If it has not, the agent throws NodeFault (node_fault.h); it may start over
//    with another controller. After any other Fault it must not be used any more. A NodeFault that
//    comes with acknowledgements locks the table until everything submitted is acknowledged:
//    otherwise each Welcome of such a controller would keep the table open.
// 2. Messages are sent in order. If anything is missing (no progress, a message out of order), the
//    agent starts over: Hello, Welcome, then everything from the first unacknowledged message on,
//    as the bytes that were stored.
// 3. A locked table begins no round (L5). It may always continue one that has begun, as far as
//    there is room.
// 4. Frames that are not for this table, or cannot be meant, are ignored and counted.
// 5. A standby's refusal (not_the_writer) is no fault and no sign of life of the controller: it
//    changes nothing but the nodes that are known in this run. The caller turns to the writer
//    (peer_choice.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/values/timestamp.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/link/claim_cache.h"
#include "table-agent/link/connection.h"
#include "table-agent/link/known_nodes.h"
#include "table-agent/link/local_counters.h"
#include "table-agent/link/lockout.h"
#include "table-agent/link/outbox.h"
#include "table-agent/link/send_window.h"

namespace linkmeter {

class TableAgent {
 public:
  using Intervals = Connection::Intervals;
  using OnReply = SendWindow::OnReply;
  // The outbox keeps the agent's identity (Hello) under this name. It is put there before the agent
  // is made.
  static constexpr const char* identity = "agent";

  // Continues from what the outbox holds. The outbox must outlive the agent. `config_digest` is of
  // the table's configuration (config_digest.h); "": it is not sent.
  TableAgent(TableId table, Outbox& outbox, Intervals intervals, std::string config_digest = {});
  TableAgent(TableId table, Outbox& outbox) : TableAgent(std::move(table), outbox, Intervals()) {}

  // ---- To the controller. ----
  // How many more messages may be submitted now.
  [[nodiscard]] std::size_t room() const { return window_.room(); }
  [[nodiscard]] bool has_room() const { return room() > 0; }
  // Whether this may be submitted now (law 3).
  [[nodiscard]] bool may_submit(const TableCommand& command, Timestamp now) const;
  // Numbers and stores the commands in one commit, together with the driver's position after them.
  // With no commands, only the position is stored. `sent_at` is the wall clock. REQUIRES: room for
  // all of them.
  void submit(const std::vector<TableCommand>& commands, const Position& position,
              Timestamp sent_at);
  void submit(const TableCommand& command, const Position& position, Timestamp sent_at);
  // The people signed in at the table's panel; every heartbeat reports them.
  void note_people(std::vector<PanelPerson> people) { people_ = std::move(people); }
  // The dealer wants a floorperson, or no longer. A change is reported at once.
  void call_floor(bool calls) { calls_floor_ = calls; }
  // The table counts for itself from here on, continuing from what the outbox holds; every
  // heartbeat reports the counts.
  void count_by(LocalCounters counters) { window_.count_by(std::move(counters)); }

  // The frames to send now, in order. `now` measures intervals only: any clock that does not go
  // back.
  [[nodiscard]] std::vector<std::string> to_send(Timestamp now);
  // When to_send() may have something new, or the lock-out may change, if nothing is submitted or
  // received before.
  [[nodiscard]] Timestamp wakes_at() const;
  // The connection over which the frames come from now on.
  void note_link(const KnownNodes::Link& link) { link_ = link; }
  // The transport is new, or a standby is to be asked again: begin with a Hello.
  void start_over() { connection_.start_over(); }
  // The last frame of an agent that ends, so that another agent need not wait until this one is
  // lost. nullopt: the controller does not wait for this agent.
  [[nodiscard]] std::optional<std::string> leave();

  // ---- From the controller. ----
  // What one frame brought.
  struct Received {
    std::vector<Answered> answered = {};  // messages answered for the first time
    // The hands of the table's open rounds, and its open rounds from before a takeover; nullopt:
    // not reported.
    std::optional<std::vector<RoundHands>> hands = {};
    std::optional<std::vector<OpenRound>> left_open = {};
    std::optional<TableSignedIn> signed_in = {};  // the answer to a sign-in at the panel
    std::vector<Badge> ended = {};                // people whose sign-in is over
    std::optional<Resent> resent = {};            // the journal was restored
    // This controller is a standby, and the writer is at this endpoint; "": it does not say where.
    std::optional<std::string> writer = {};
    // This controller is to be asked again, until people have done something (is_waited_for()).
    bool waits = false;
    bool nodes_changed = false;  // the known nodes
  };
  // `on_reply` is called with the answers before they are stored. Throws NodeFault if this table
  // and the controller cannot go on together: nothing has changed then but the lock-out (law 1).
  Received receive(std::string_view bytes, Timestamp now, const OnReply& on_reply = {});

  // ---- What is known. ----
  [[nodiscard]] Lockout lockout(Timestamp now) const { return connection_.lockout(now); }
  // The links whose pot funds collect no more; they can still be won.
  [[nodiscard]] const std::vector<LinkId>& stopped() const { return connection_.status().stopped; }
  [[nodiscard]] const std::vector<ClaimNotice>& claims() const { return claims_.latest(); }
  [[nodiscard]] const std::map<ClaimNumber, ClaimNotice>& known_claims() const {
    return claims_.known();
  }
  [[nodiscard]] const KnownNodes& nodes() const { return nodes_; }
  [[nodiscard]] const Intervals& intervals() const { return connection_.intervals(); }
  [[nodiscard]] const TableId& table() const { return table_; }
  [[nodiscard]] bool is_welcome() const { return connection_.is_welcome(); }
  [[nodiscard]] bool all_acknowledged() const { return unacknowledged_count() == 0; }
  [[nodiscard]] std::size_t unacknowledged_count() const { return window_.unacknowledged_count(); }
  [[nodiscard]] MessageNumber last_number() const { return window_.last_number(); }
  // In this run: the last number that another outbox had used for this table.
  [[nodiscard]] std::optional<MessageNumber> took_over_after() const {
    return window_.took_over_after();
  }
  [[nodiscard]] std::uint64_t ignored_count() const { return ignored_count_; }

 private:
  [[nodiscard]] std::string hello(Timestamp now);
  [[nodiscard]] std::string heartbeat(Timestamp now);
  void receive_one(const Welcome& welcome, Timestamp now, Received& received);
  void receive_one(const Acknowledgements& acknowledgements, Timestamp now, const OnReply& on_reply,
                   Received& received);
  void receive_one(const HeartbeatAnswer& answer, Timestamp now, Received& received);

  TableId table_;
  std::string config_digest_;
  std::string identity_;  // "": the outbox has none
  SendWindow window_;
  Connection connection_;
  ClaimCache claims_;
  KnownNodes nodes_;
  KnownNodes::Link link_;
  std::vector<PanelPerson> people_;
  bool calls_floor_ = false;
  bool calls_floor_reported_ = false;  // as the last heartbeat reported it
  std::uint64_t ignored_count_ = 0;
};

}  // namespace linkmeter
