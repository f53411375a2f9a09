#include "tests/simulation/network.h"

#include <algorithm>

namespace linkmeter {

void Network::put(const Frame& frame, std::int64_t at_us) {
  on_the_way_.emplace(std::pair(at_us, ++sent_), frame);
}

void Network::send(const Frame& frame, std::int64_t now_us) {
  if (faults_.drop && dice_.percent(8)) return;
  const auto parted = parted_until_.find({frame.way, frame.table});
  if (parted != parted_until_.end() && now_us < parted->second) return;
  std::int64_t at_us = now_us + dice_.between(100, 2'000);
  if (faults_.delay && dice_.percent(10)) at_us += dice_.between(1'000, 900'000);
  std::int64_t& latest = latest_[{frame.way, frame.table}];
  const bool keeps_order = frame.way == Way::to_agent || !(faults_.reorder && dice_.percent(25));
  if (keeps_order) at_us = std::max(at_us, latest);
  latest = std::max(latest, at_us);
  put(frame, at_us);
  if (!faults_.duplicate || !dice_.percent(8)) return;
  if (frame.way == Way::to_controller) at_us += dice_.between(0, 300'000);
  put(frame, at_us);
}

std::optional<Frame> Network::arrive(std::int64_t now_us) {
  if (on_the_way_.empty() || on_the_way_.begin()->first.first > now_us) return std::nullopt;
  Frame frame = std::move(on_the_way_.begin()->second);
  on_the_way_.erase(on_the_way_.begin());
  return frame;
}

void Network::part(const std::string& table, std::int64_t now_us) {
  const std::int64_t until_us = now_us + dice_.between(100'000, 3'000'000);
  const int ways = dice_.between(1, 3);
  if (ways != 2) parted_until_[{Way::to_controller, table}] = until_us;
  if (ways != 1) parted_until_[{Way::to_agent, table}] = until_us;
}

void Network::reconnect(const std::string& table) {
  std::erase_if(on_the_way_, [&table](const auto& item) {
    return item.second.way == Way::to_agent && item.second.table == table;
  });
}

}  // namespace linkmeter
