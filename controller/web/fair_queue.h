// FairQueue: a bounded queue in which askers take turns. However many requests one asker has, every
// other asker is served once between two of them.
//
// Laws: known askers (signed in, or at a trusted origin) and strangers have separate places, so
// neither fills those of the other. While both wait, strangers get every fourth turn. One asker has
// at most of_one_max places. When all places are taken, a new request takes the place of the newest
// request of the asker with the most, if that asker then still has at least as many as the new one.
// One thread, or the caller's lock; no clock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace linkmeter {

struct FairQueueBounds {
  std::size_t known_max = 0;
  std::size_t strangers_max = 0;
  std::size_t of_one_max = 0;
};

template <class Item>
class FairQueue {
 public:
  using Bounds = FairQueueBounds;
  static constexpr unsigned known_in_a_row_max = 3;

  explicit FairQueue(Bounds bounds) : bounds_(bounds) {}

  // nullopt: the request waits, and no other lost its place. Otherwise the request that does not
  // wait: the new one, or the one that made room for it.
  [[nodiscard]] std::optional<Item> push(const std::string& asker, bool is_known, Item item) {
    Askers& askers = is_known ? known_ : strangers_;
    const std::size_t size_max = is_known ? bounds_.known_max : bounds_.strangers_max;
    const auto found = askers.waiting.find(asker);
    const std::size_t own = found == askers.waiting.end() ? 0 : found->second.size();
    if (own >= bounds_.of_one_max) return item;
    std::optional<Item> displaced;
    if (askers.size >= size_max) {
      const auto most = std::max_element(askers.waiting.begin(), askers.waiting.end(),
                                         [](const auto& left, const auto& right) {
                                           return left.second.size() < right.second.size();
                                         });
      if (most == askers.waiting.end() || most->second.size() < own + 2) return item;
      displaced = std::move(most->second.back());
      most->second.pop_back();
      --askers.size;
    }
    std::deque<Item>& items = askers.waiting[asker];
    if (items.empty()) askers.turns.push_back(asker);
    items.push_back(std::move(item));
    ++askers.size;
    return displaced;
  }

  // The next request; nullopt: none waits.
  [[nodiscard]] std::optional<Item> pop() {
    const bool is_strangers_turn = known_in_a_row_ >= known_in_a_row_max && strangers_.size > 0;
    const bool takes_known = known_.size > 0 && !is_strangers_turn;
    known_in_a_row_ = takes_known ? known_in_a_row_ + 1 : 0;
    return take(takes_known ? known_ : strangers_);
  }

  [[nodiscard]] std::size_t size() const { return known_.size + strangers_.size; }
  [[nodiscard]] bool empty() const { return size() == 0; }

 private:
  struct Askers {
    std::map<std::string, std::deque<Item>> waiting;  // by asker; no list is empty
    std::deque<std::string> turns;                    // each asker once, the next one first
    std::size_t size = 0;
  };

  std::optional<Item> take(Askers& askers) {
    if (askers.turns.empty()) return std::nullopt;
    std::string asker = std::move(askers.turns.front());
    askers.turns.pop_front();
    const auto found = askers.waiting.find(asker);
    Item item = std::move(found->second.front());
    found->second.pop_front();
    --askers.size;
    if (found->second.empty()) {
      askers.waiting.erase(found);
    } else {
      askers.turns.push_back(std::move(asker));
    }
    return item;
  }

  Bounds bounds_;
  Askers known_, strangers_;
  unsigned known_in_a_row_ = 0;
};

}  // namespace linkmeter
