// Writer change: of the nodes of a house (controllers that replicate one journal), one is the
// writer. Another node that takes over says so with its first entry, so that the journal shows who
// wrote each part of it. A house with one controller has no such entry. Two persons may let one
// node go on alone if etcd is lost: it leaves the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "meters/facts/fields.h"
#include "meters/values/enrolment.h"
#include "meters/values/identity.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

// Why there is another writer. The journal holds these numbers: they never change.
enum class WriterReason : std::uint8_t {
  started = 1,   // there was no writer
  expired = 2,   // the writer before is gone: it ended, or its lease did
  handover = 3,  // the writer before gave its role away on purpose
  left = 4,      // this node goes on alone, without the cluster
};
std::string_view name(WriterReason reason);

// The node writes from this entry on. `epoch` numbers the writers: it is larger than that of every
// writer before. It is the journal's own count, and not a number of etcd, where somebody who is no
// node could make it so large that no writer can follow.
struct WriterChanged {
  std::string node;
  std::int64_t epoch = 0;
  WriterReason reason = WriterReason::started;
  std::string before = {};  // the writer before; "": none
  std::int64_t gap_us = 0;  // how long there was no writer, in microseconds
  friend bool operator==(const WriterChanged&, const WriterChanged&) = default;

  static constexpr std::string_view fact_name = "writer_changed";
  static auto fields(auto& fact) {
    return std::tuple(field("node", fact.node), field("epoch", fact.epoch),
                      field("reason", fact.reason), field<Shown::or_null>("before", fact.before),
                      field("gap_us", fact.gap_us));
  }
};

// A node has taken over: the command for which decide() makes a WriterChanged.
struct WriterChange {
  std::string node;
  WriterReason reason = WriterReason::started;
  // As the node's clock measured it. Clocks of two machines differ: it is cut to what the fact may
  // state.
  std::int64_t gap_us = 0;
};

// Two persons let this node go on alone, without the cluster.
struct LeaveCluster {
  std::string node;
  EntryNumber head;  // the last entry that it has; others may have written more
  Timestamp head_at;
  bool has_caught_up = true;  // it once had every entry; false: it was made from a backup
  friend bool operator==(const LeaveCluster&, const LeaveCluster&) = default;
};

// Whether the journal lets this node append entries without the cluster: nobody was in one, or this
// node left.
bool may_write_alone(const std::optional<WriterChanged>& last, const std::string& node);
// Why nobody can leave the cluster so; `last_entry`: before the act.
std::optional<std::string> leave_violation(const Enrolments& enrolments,
                                           const std::optional<WriterChanged>& last,
                                           EntryNumber last_entry, const LeaveCluster& leave);
// What the state says of the writer from then on: the epoch counts on. REQUIRES: no violation.
WriterChanged writer_after(const std::optional<WriterChanged>& last, const LeaveCluster& leave);
// "node b leaves the cluster and goes on alone after entry 812 of 2026-11-21 09:00:05 UTC"
std::string summary(const LeaveCluster& leave);

// Why this cannot follow the last change of the writer; nullopt: it can, if the node is enrolled.
std::optional<std::string> writer_violation(const std::optional<WriterChanged>& last,
                                            const WriterChanged& changed);
// "b is the writer after a (gone); 3.2 s without a writer"
std::string sentence(const WriterChanged& changed);

}  // namespace linkmeter
