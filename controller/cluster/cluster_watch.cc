#include "controller/cluster/cluster_watch.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "controller/store/hash_chain.h"
#include "proto/codec/head_text.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::size_t turns_per_read = 16;  // each of at most limits::entry_batch_bytes_max
constexpr std::size_t unproved_max = 16;    // records that the log names

}  // namespace

ClusterWatch::ClusterWatch(Etcd& etcd, ClusterKeys keys, const Head& start)
    : etcd_(etcd), keys_(std::move(keys)), position_(start), reached_(start) {}

std::optional<EtcdError> ClusterWatch::refresh(std::chrono::milliseconds timeout) {
  if (!watch_) {
    if (auto error = read_all()) return error;
  } else {
    auto events = watch_->next(timeout);
    if (!events) {
      watch_.reset();
      return events.error();
    }
    for (const EtcdEvent& event : *events) note(event.value, event.is_deletion);
  }
  // Connects the batches that follow each other.
  for (auto next = waiting_.begin(); next != waiting_.end(); next = waiting_.erase(next)) {
    if (next->first > reached_.entry.next()) break;
    if (next->second.parts > 0 && next->first == reached_.entry.next()) {
      const auto joined = join_parts(next->second);
      if (!joined) return joined.error();
      if (!*joined) continue;  // missing_until() tells
    }
    connect(std::move(next->second));
  }
  return std::nullopt;
}

// The watch starts at the first read, so a change during the later ones is seen twice and never
// missed.
std::optional<EtcdError> ClusterWatch::read_all() {
  const auto house = etcd_.read(keys_.before_entries());
  if (!house) return house.error();
  if (follows_) {
    seen_ = Seen();
    if (auto error = read_turns()) return error;
    const auto rest = etcd_.read(keys_.after_entries());
    if (!rest) return rest.error();
    for (const EtcdValue& value : rest->values) note(value, false);
  }
  seen_.nodes.clear();
  for (const EtcdValue& value : house->values) note(value, false);
  watch_ = etcd_.watch(follows_ ? keys_.all() : keys_.nodes(), house->revision + 1);
  return std::nullopt;
}

std::optional<EtcdError> ClusterWatch::read_turns() {
  EtcdRange range = keys_.turns_from(reached_.entry.next());
  for (bool has_more = true; has_more;) {
    const auto turns = etcd_.read(range, turns_per_read);
    if (!turns) return turns.error();
    for (const EtcdValue& value : turns->values) note(value, false);
    has_more = turns->has_more;
    if (has_more) range.first = turns->values.back().key + '\0';
  }
  return std::nullopt;
}

void ClusterWatch::note(const EtcdValue& value, bool is_deletion) {
  const std::string_view name = std::string_view(value.key).substr(keys_.prefix().size());
  if (name == "head") {
    if (is_deletion) {
      seen_.head.reset();
      return;
    }
    seen_.head = keys_.proof().open_head(value);
    if (!seen_.head) throw not_of_this_house(value.key);
  } else if (name == "writer") {
    seen_.writer.reset();
    if (is_deletion) return;
    // As long as the key exists, nobody else can become the writer, whatever it holds.
    seen_.writer = Writer{record_of(value).value_or(NodeRecord()), value.created, value.lease};
  } else if (name == "handover") {
    // A writer that hands over attaches it to its lease; anything else would last for ever.
    seen_.handover = is_deletion || value.lease == 0 ? std::nullopt : record_of(value);
  } else if (name.starts_with("node/")) {
    const std::string node(name.substr(5));
    auto record = is_deletion ? std::nullopt : record_of(value);
    if (record) {
      seen_.nodes[node] = std::move(*record);
    } else {
      seen_.nodes.erase(node);
    }
  } else if (name.starts_with("turn/") && !is_deletion) {
    auto batch = keys_.proof().open_batch(value);
    if (!batch) throw not_of_this_house(value.key);
    waiting_.insert_or_assign(batch->first, std::move(*batch));
  }
}

std::optional<NodeRecord> ClusterWatch::record_of(const EtcdValue& value) {
  auto record = keys_.proof().open_node(value);
  if (record || unproved_.size() == unproved_max || !unproved_.insert(value.key).second) {
    return record;
  }
  // The key's name may be anything, too.
  const bool is_plain =
      value.key == keys_.writer() || is_well_formed_name(value.key.substr(keys_.node("").size()));
  spdlog::warn("{}", not_of_this_house(is_plain ? value.key : keys_.node("?")).what());
  return std::nullopt;
}

// The parts were stored before the batch. A writer that was lost may have left more of them.
EtcdResult<bool> ClusterWatch::join_parts(EntryBatch& batch) const {
  const auto parts = etcd_.read(keys_.parts_of(batch.first), batch.parts);
  if (!parts) return parts.error();
  if (parts->values.size() < batch.parts) return false;
  std::string entry;
  for (const EtcdValue& part : parts->values) entry += part.value;
  batch.entries = {std::move(entry)};
  return true;
}

// Adds a batch to the entries that are ready, without those that are known.
void ClusterWatch::connect(EntryBatch batch) {
  const std::uint64_t known = reached_.entry.next().value() - batch.first.value();
  if (known >= std::max<std::size_t>(batch.entries.size(), 1)) return;
  Head head = reached_;
  std::vector<StoredEntry> entries;
  for (std::size_t at = known; at < batch.entries.size(); ++at) {
    const EntryNumber number = head.entry.next();
    head = {number, chain_hash(head.hash, number, batch.entries[at])};
    entries.push_back({number, head.hash, std::move(batch.entries[at])});
  }
  if (head.hash != batch.hash) {
    throw Fault("entries in etcd from " + std::to_string(batch.first.value()) +
                " do not continue this journal, whose head is " + text(reached_) +
                ": it is the journal of another house, or has another history");
  }
  reached_ = head;
  std::move(entries.begin(), entries.end(), std::back_inserter(ready_));
}

std::vector<StoredEntry> ClusterWatch::take(std::size_t bytes_max) {
  std::vector<StoredEntry> taken;
  for (std::size_t bytes = 0; !ready_.empty() && bytes < bytes_max; ready_.pop_front()) {
    StoredEntry& entry = ready_.front();
    position_ = {entry.number, entry.hash};
    bytes += entry.bytes.size();
    taken.push_back(std::move(entry));
  }
  return taken;
}

std::optional<EntryNumber> ClusterWatch::missing_until() const {
  if (!follows_ || !watch_ || !seen_.head || seen_.head->entry <= reached_.entry) {
    return std::nullopt;
  }
  if (waiting_.empty()) return seen_.head->entry;
  // The next batch itself, whose parts could not be read yet, is not missing.
  if (waiting_.begin()->first == reached_.entry.next()) return std::nullopt;
  return EntryNumber(waiting_.begin()->first.value() - 1);
}

void ClusterWatch::skip_to(const Head& head) {
  position_ = reached_ = head;
  ready_.clear();
}

void ClusterWatch::stop_following() {
  follows_ = false;
  ready_.clear();
  waiting_.clear();
  watch_.reset();
}

EtcdResult<std::optional<Head>> ClusterWatch::read_head() const {
  const auto read = etcd_.read({keys_.head()});
  if (!read) return read.error();
  if (read->values.empty()) return std::optional<Head>();
  const EtcdValue& value = read->values.front();
  const auto head = keys_.proof().open_head(value);
  if (!head) throw not_of_this_house(value.key);
  return head;
}

}  // namespace linkmeter
