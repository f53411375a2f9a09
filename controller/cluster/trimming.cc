#include "controller/cluster/trimming.h"

#include <algorithm>

namespace linkmeter {

void Trimming::note(EntryNumber head, std::chrono::microseconds now) {
  marks_.push_back({head, now});
  while (marks_.size() > 1 && marks_[1].at + keep_time <= now) marks_.pop_front();
}

std::optional<EntryNumber> Trimming::end(const std::map<std::string, NodeRecord>& nodes,
                                         std::int64_t store_bytes,
                                         std::chrono::microseconds now) const {
  if (marks_.empty() || nodes.empty()) return std::nullopt;
  const bool is_old = marks_.front().at + keep_time <= now;
  if (!is_old && store_bytes <= store_bytes_max) return std::nullopt;
  EntryNumber last = store_bytes > store_bytes_max ? marks_.back().head : marks_.front().head;
  for (const auto& [name, record] : nodes) {
    // A node that was away too long gets what it lacks from another node. It must not stop etcd.
    const bool is_ignored = store_bytes > 2 * store_bytes_max && record.head.entry < last;
    if (!is_ignored) last = std::min(last, record.head.entry);
  }
  if (last == EntryNumber()) return std::nullopt;
  return last.next();
}

}  // namespace linkmeter
