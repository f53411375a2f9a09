#include "tests/bench/bare_etcd.h"

#include <algorithm>

#include "controller/cluster/cluster_keys.h"
#include "controller/cluster/fenced_log.h"
#include "controller/cluster/grpc_etcd.h"
#include "controller/store/data_folder.h"
#include "controller/store/lmdb_journal.h"
#include "proto/codec/head_text.h"
#include "proto/host/fault.h"

namespace linkmeter::bench {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> last_entries(const std::filesystem::path& data, std::size_t count) {
  const auto journal = LmdbJournal::open_to_read(journal_path(data));
  const std::uint64_t head = journal->head().entry.value();
  std::vector<std::string> entries;
  journal->read(EntryNumber(head > count ? head - count + 1 : 1), [&](const StoredEntry& entry) {
    entries.push_back(entry.bytes);
    return true;
  });
  return entries;
}

}  // namespace

std::vector<std::chrono::nanoseconds> write_to_etcd(const std::vector<std::string>& endpoints,
                                                    const std::filesystem::path& data,
                                                    std::size_t count) {
  const std::vector<std::string> entries = last_entries(data, count);
  GrpcEtcd etcd({.endpoints = endpoints});
  static_cast<void>(etcd.members());  // as a node does: it finds the leader, and asks that
  // Keys of a house that no other writer uses.
  const ClusterKeys keys(sha256("bare " + std::to_string(Clock::now().time_since_epoch().count())),
                         OriginProof("bare"));
  Head head;
  const std::string first = keys.proof().seal(keys.head(), text(head));
  const auto begun = etcd.commit({{}, {{keys.writer(), "bare"}, {keys.head(), first}}});
  if (!begun) throw Fault(begun.error().words);
  const FencedLog log(etcd, keys, begun->revision,
                      [](const EtcdError& error) { throw Fault(error.words); });
  std::vector<std::chrono::nanoseconds> times;
  for (const std::string& entry : entries) {
    const Clock::time_point sent = Clock::now();
    head = log.append(head, {entry});
    times.push_back(Clock::now() - sent);
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace linkmeter::bench
