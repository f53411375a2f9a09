#include "tests/simulation/cluster_judge.h"

#include <algorithm>
#include <variant>

#include "proto/codec/cluster_codec.h"
#include "proto/codec/head_text.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

ClusterJudge::ClusterJudge(const FloorFile& file, ModelCluster& cluster, const ClusterKeys& keys,
                           const std::string& opening, const std::vector<Enrolment>& nodes)
    : cluster_(cluster), etcd_(cluster), keys_(keys), tables_(file, nodes), entries_{opening} {
  log_.commit(entries_, {});
}

// The watch has received each change at once; without a quorum there are none.
Finding ClusterJudge::look() {
  if (!watch_) watch_ = etcd_.watch(keys_.all(), looked_ + 1);
  auto events = watch_->next({});
  if (!events) {
    watch_.reset();
    return std::nullopt;
  }
  for (const EtcdEvent& event : *events) {
    looked_ = std::max(looked_, event.value.modified);
    if (Finding no = note(event)) return no;
  }
  if (events->empty()) return std::nullopt;
  const auto heads = cluster_.values({keys_.head()});
  if (heads.empty()) return "log: there is no head in etcd";
  // What was forged is no part of the log, and no node may have it.
  const auto head = keys_.proof().open_head(heads.front());
  if (head && *head != log_.head()) return "log: the head in etcd is not the last entry";
  return tables_.look(log_);
}

Finding ClusterJudge::note(const EtcdEvent& event) {
  const std::string& key = event.value.key;
  if (key == keys_.writer()) epoch_ = event.is_deletion ? 0 : event.value.created;
  if (key == keys_.handover() && !event.is_deletion) {
    if (const auto real = keys_.proof().open_node(event.value)) handover_ = *real;
  }
  const bool is_turn = key.starts_with(keys_.prefix() + "turn/");
  return is_turn && !event.is_deletion ? note_turn(event) : std::nullopt;
}

Finding ClusterJudge::note_turn(const EtcdEvent& event) {
  const auto batch = keys_.proof().open_batch(event.value);
  if (!batch) return std::nullopt;  // forged
  if (batch->entries.empty()) return "log: a turn cannot be read";
  const std::string at = "entry " + std::to_string(batch->first.value());
  if (epoch_ == 0) return "fence: " + at + " came although no node was the writer";
  if (batch->first != log_.head().entry.next()) return "log: " + at + " is not the next one";
  for (const std::string& bytes : batch->entries) {
    const auto entry = decode_entry(bytes);
    if (!entry) return "log: " + at + " cannot be read";
    const auto* changed = std::get_if<WriterChanged>(&entry->fact);
    const bool is_of_writer = last_epoch_ == epoch_;
    if (is_of_writer == (changed != nullptr)) {
      return "fence: " + at + " is not of the node that is the writer";
    }
    if (changed != nullptr) {
      last_epoch_ = epoch_;
      if (changed->epoch != ++writers_) return "fence: " + at + " names another epoch";
      const bool is_named = handover_.node == changed->node && handover_.head == log_.head();
      if (changed->reason == WriterReason::handover && !is_named) {
        return "fence: " + at + " names a handover that there was not";
      }
    }
    // Each node's clock is its own; recorded times must not go back.
    tables_.clock().set(entry->recorded_at.microseconds(), 0);
    log_.commit({bytes}, {});
    entries_.push_back(bytes);
    if (Finding no = tables_.look(log_)) return no;
  }
  if (log_.head().hash != batch->hash) return "log: " + at + " has another hash";
  return std::nullopt;
}

Finding ClusterJudge::look_at(const std::string& node, const Journal& journal) {
  std::uint64_t& seen = seen_[node];
  Finding found;
  journal.read(EntryNumber(seen + 1), [&](const StoredEntry& stored) {
    const std::size_t at = stored.number.value() - 1;
    if (at >= entries_.size()) {
      found = "node: " + node + " has entry " + std::to_string(at + 1) + ", and etcd does not";
    } else if (entries_[at] != stored.bytes) {
      found = "node: " + node + " has another entry " + std::to_string(at + 1);
    } else {
      ++seen;
    }
    return !found;
  });
  if (!found && journal.head().entry.value() < seen) found = "node: " + node + " lost entries";
  if (!found && seen == entries_.size() && journal.head() != log_.head()) {
    found = "node: " + node + " has another head";
  }
  return found;
}

Finding ClusterJudge::sent(const std::string& bytes) {
  const auto reply = decode_to_table(bytes);
  if (!reply) return "reply: it cannot be read";
  EntryNumber head;
  if (const auto* welcome = std::get_if<Welcome>(&*reply)) head = welcome->head.entry;
  if (const auto* list = std::get_if<Acknowledgements>(&*reply)) head = list->head.entry;
  if (head == EntryNumber()) return std::nullopt;
  if (head < told_) {
    return "head: a table is told " + std::to_string(head.value()) + " after " +
           std::to_string(told_.value());
  }
  told_ = head;
  return std::nullopt;
}

Finding ClusterJudge::finish() {
  for (const auto& [node, seen] : seen_) {
    if (seen != entries_.size()) return "end: " + node + " lacks entries";
  }
  return tables_.finish(log_);
}

}  // namespace linkmeter
