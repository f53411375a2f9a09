// FlatSet: a sorted vector used as a set. Most inserts repeat an element that is already there, and
// clear() keeps the capacity for the next use.
#pragma once

#include <algorithm>
#include <vector>

namespace linkmeter {

template <class Thing>
class FlatSet {
 public:
  void insert(const Thing& thing) {
    const auto place = std::lower_bound(things_.begin(), things_.end(), thing);
    if (place == things_.end() || thing < *place) things_.insert(place, thing);
  }
  void clear() { things_.clear(); }

  [[nodiscard]] auto begin() const { return things_.begin(); }
  [[nodiscard]] auto end() const { return things_.end(); }

  friend bool operator==(const FlatSet&, const FlatSet&) = default;

 private:
  std::vector<Thing> things_;
};

}  // namespace linkmeter
