#include "controller/cluster/fenced_log.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "controller/store/hash_chain.h"
#include "meters/values/limits.h"
#include "proto/codec/head_text.h"

namespace linkmeter {

FencedLog::FencedLog(Etcd& etcd, ClusterKeys keys, EtcdRevision epoch, Pause pause)
    : etcd_(etcd), keys_(std::move(keys)), epoch_(epoch), pause_(std::move(pause)) {}

Head FencedLog::append(const Head& before, const std::vector<std::string>& entries) const {
  Head head = before;
  for (std::size_t next = 0; next < entries.size();) {
    const Head start = head;
    EntryBatch batch{start.entry.next(), {}, {}, 0};
    std::size_t bytes = 0;
    do {
      const std::string& entry = entries[next++];
      bytes += entry.size();
      head = {head.entry.next(), chain_hash(head.hash, head.entry.next(), entry)};
      if (entry.size() > limits::entry_batch_bytes_max) {  // alone in its batch: see the condition
        batch.parts = store_parts(start, entry);
      } else {
        batch.entries.push_back(entry);
      }
    } while (next < entries.size() &&
             bytes + entries[next].size() <= limits::entry_batch_bytes_max);
    batch.hash = head.hash;
    append(start, head, batch);
  }
  return head;
}

void FencedLog::append(const Head& before, const Head& after, const EntryBatch& batch) const {
  const std::string key = keys_.turn(batch.first);
  commit({fence(before),
          {{keys_.head(), sealed(after)}, {key, keys_.proof().seal(key, encode(batch))}}},
         before, after);
}

std::uint32_t FencedLog::store_parts(const Head& before, const std::string& entry) const {
  if (entry.size() > limits::entry_parts_max * limits::entry_batch_bytes_max) {
    throw Fault("an entry of " + std::to_string(entry.size()) + " bytes is too long for etcd");
  }
  std::uint32_t parts = 0;
  for (std::size_t at = 0; at < entry.size(); at += limits::entry_batch_bytes_max) {
    const std::string key = keys_.part(before.entry.next(), parts++);
    // The part does not move the head, so the fence alone tells whether the role is lost.
    commit({fence(before), {{key, entry.substr(at, limits::entry_batch_bytes_max)}}}, before,
           before);
  }
  return parts;
}

std::string FencedLog::sealed(const Head& head) const {
  return keys_.proof().seal(keys_.head(), text(head));
}

std::vector<EtcdCondition> FencedLog::fence(const Head& head) const {
  return {{keys_.writer(), epoch_, {}}, {keys_.head(), {}, sealed(head)}};
}

void FencedLog::commit(const EtcdTransaction& transaction, const Head& before,
                       const Head& after) const {
  while (true) {
    const EtcdResult<EtcdCommit> result = etcd_.commit(transaction);
    if (result && result->is_done) return;
    if (!result && result.error().kind != EtcdError::Kind::unknown) {
      throw Fault("etcd refuses entries: " + result.error().words);
    }
    EtcdResult<EtcdValues> read = etcd_.read({keys_.head()});
    for (; !read; read = etcd_.read({keys_.head()})) pause_(read.error());
    const std::optional<Head> head =
        read->values.empty() ? std::nullopt : keys_.proof().open_head(read->values.front());
    // A part that was stored does not move the head: it is stored again, with the same bytes.
    if (head == after && after != before) return;
    const bool may_repeat = head == before && !result;
    if (!may_repeat) {
      throw RoleLost("this node is no longer the writer: " +
                     (head == before
                          ? "its lease has ended"
                          : "the last entry in etcd is " + (head ? text(*head) : "unknown") +
                                ", not " + text(before)));
    }
    pause_(result.error());
  }
}

}  // namespace linkmeter
