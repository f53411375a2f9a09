// Trimming: which entries the writer deletes from etcd, which keeps a window of the journal only.
//
// Laws: an entry that a running node lacks is kept, unless etcd holds more than twice
// store_bytes_max. An entry younger than keep_time is kept, unless etcd holds more than
// store_bytes_max. Nodes that do not run are ignored: another node sends them later what they lack.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "proto/codec/cluster_codec.h"

namespace linkmeter {

class Trimming {
 public:
  static constexpr std::chrono::minutes keep_time{15};
  static constexpr std::int64_t store_bytes_max = std::int64_t{256} << 20U;
  static constexpr std::chrono::seconds interval{10};

  // The head in etcd at this moment. `now` never goes back. Call it once in `interval`.
  void note(EntryNumber head, std::chrono::microseconds now);
  // The entries before this one may go. nullopt: none.
  [[nodiscard]] std::optional<EntryNumber> end(const std::map<std::string, NodeRecord>& nodes,
                                               std::int64_t store_bytes,
                                               std::chrono::microseconds now) const;

 private:
  struct Mark {
    EntryNumber head;
    std::chrono::microseconds at;
  };
  std::deque<Mark> marks_;  // the oldest is the last one of at least keep_time ago, if there is one
};

}  // namespace linkmeter
