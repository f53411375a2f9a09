#include "controller/catch_up.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "controller/cluster/node_lease.h"
#include "controller/node_service.h"

namespace linkmeter {

std::vector<StoredEntry> CatchUp::take(const Cluster::News& news, const Head& head,
                                       const State& state) {
  EntryClient::Progress progress;
  if (client_.is_busy()) progress = client_.take();
  if (progress.is_over) {
    again_at_ = boot_time() + again_after;
    if (!progress.failure.empty() && progress.failure != failure_) {
      spdlog::warn(
          "this node lacks entries that etcd no longer has, and waits for another node: {}",
          progress.failure);
    }
    failure_ = progress.failure;
  }
  const bool lacks = news.missing_until && *news.missing_until > head.entry && news.seen.head;
  if (lacks && !client_.is_busy() && boot_time() >= again_at_) {
    spdlog::info("asks other nodes for entries {} to {}", head.entry.next().value(),
                 news.seen.head->entry.value());
    target_ = news.seen.head;
    client_.begin(request(news, head, state));
  }
  return std::move(progress.entries);
}

EntryClient::Request CatchUp::request(const Cluster::News& news, const Head& head,
                                      const State& state) const {
  // A node that lacks the same entries cannot help; the last ones it gets as this one does.
  return {head, *news.seen.head, entry_sources(state, news.seen, node_, *news.missing_until)};
}

bool CatchUp::has_ended(const Head& head) {
  if (!target_ || head.entry < target_->entry) return false;
  target_.reset();
  spdlog::info("has the entries that were missing, to {}", head.entry.value());
  return true;
}

}  // namespace linkmeter
