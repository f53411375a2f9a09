// Naive house: the house's terms for every claim, read from the floor file's text and not from the
// core's floor: the ladder of second signatures, the dates and thresholds of taxable payouts; and
// the clock by which its days begin.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "meters/values/person.h"
#include "tests/property/naive_link.h"

namespace linkmeter {

struct NaiveStep {
  Exact from = 0;
  std::set<Role> roles;
};

struct NaiveThreshold {
  std::string date;
  std::int64_t since_us = 0;
  Exact amount = 0;
  std::int64_t ratio = 0;
  friend bool operator==(const NaiveThreshold&, const NaiveThreshold&) = default;
};

struct NaiveHouse {
  std::vector<NaiveStep> ladder;
  std::vector<NaiveThreshold> thresholds;
  std::string timezone = "America/New_York", gaming_day_start = "06:00";

  static NaiveHouse of(const std::string& floor_text);
  // nullptr: the amount needs no second signature; nothing is taxable yet.
  [[nodiscard]] const NaiveStep* step(Exact amount) const;
  [[nodiscard]] const NaiveThreshold* threshold(std::int64_t moment_us) const;
  // As two persons read them before they sign.
  [[nodiscard]] std::string ladder_text() const;
  [[nodiscard]] std::string thresholds_text() const;
};

}  // namespace linkmeter
