#include "table-agent/round/sensor_wagers.h"

#include <algorithm>

#include "meters/values/limits.h"
#include "meters/values/refusal.h"

namespace linkmeter {

namespace {

bool is_same_spot(const AskedWager& wager, Seat seat, const WagerId& id, bool on_dealer) {
  return wager.seat == seat && wager.wager == id && wager.on_dealer == on_dealer;
}

}  // namespace

std::string_view SensorWagers::refusal_now(const AskedWager& wager) const {
  const auto link = table_.checks().find_link(wager);
  if (!link || suspended_.contains(table_.floor.link(*link).id)) {
    return name(Refusal::link_suspended);
  }
  if (is_faulty(wager.seat)) return "seat_faulty";
  return {};
}

std::string_view SensorWagers::place(const AskedWager& wager) {
  if (const Refusal no = table_.checks().check_offered(wager); no != Refusal::none) return name(no);
  const bool is_there = std::any_of(wagers_.begin(), wagers_.end(), [&](const AskedWager& one) {
    return is_same_spot(one, wager.seat, wager.wager, wager.on_dealer);
  });
  if (is_there) return name(Refusal::seat_wagered_twice);
  if (wagers_.size() == limits::wagers_per_round_max) return name(Refusal::too_many_wagers);
  if (const std::string_view why = refusal_now(wager); !why.empty()) return why;
  wagers_.push_back(wager);
  return {};
}

bool SensorWagers::remove(Seat seat, const WagerId& wager, bool on_dealer) {
  return std::erase_if(wagers_, [&](const AskedWager& one) {
           return is_same_spot(one, seat, wager, on_dealer);
         }) > 0;
}

void SensorWagers::set_fault(const std::string& sensor, Seat seat, const std::string& words) {
  constexpr std::size_t faults_max = 256;
  if (faults_.size() < faults_max) faults_[{seat, sensor}] = words;
}

bool SensorWagers::clear_fault(const std::string& sensor, Seat seat) {
  return faults_.erase({seat, sensor}) > 0;
}

bool SensorWagers::is_faulty(Seat seat) const {
  return std::any_of(faults_.begin(), faults_.end(),
                     [seat](const auto& fault) { return fault.first.first == seat; });
}

std::string SensorWagers::fault_of(Seat seat) const {
  std::string words;
  for (const auto& [where, submitted] : faults_) {
    if (where.first == seat) words += (words.empty() ? "" : "; ") + where.second + ": " + submitted;
  }
  return words;
}

bool SensorWagers::all_suspended() const {
  if (table_.pot) return suspended_.contains(table_.pot_link);
  for (const Offer& offer : table_.offers) {
    for (const LinkConfig& link : offer.links) {
      if (!suspended_.contains(link.id)) return false;
    }
  }
  return true;
}

SensorWagers::Sorted SensorWagers::sorted() const {
  Sorted sorted;
  for (const AskedWager& wager : wagers_) {
    const std::string_view why = refusal_now(wager);
    if (why.empty()) {
      sorted.good.push_back(wager);
    } else {
      sorted.bad.emplace_back(wager, why);
    }
  }
  return sorted;
}

}  // namespace linkmeter
