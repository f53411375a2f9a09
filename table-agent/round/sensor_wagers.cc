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

const LinkConfig* SensorWagers::link_of(const AskedWager& wager) const {
  for (const Offer& offer : table_.offers) {
    if (offer.wager != wager.wager) continue;
    for (const LinkConfig& link : offer.links) {
      if (link.takes(wager.amount)) return &link;
    }
  }
  return nullptr;
}

std::string_view SensorWagers::mistake(const AskedWager& wager) const {
  if (wager.seat == Seat(0) || wager.seat.value() > table_.terms.seats) {
    return name(Refusal::seat_unknown);
  }
  const auto offer = std::find_if(table_.offers.begin(), table_.offers.end(),
                                  [&](const Offer& one) { return one.wager == wager.wager; });
  if (offer == table_.offers.end() ||
      (wager.on_dealer && offer->decided_by != DecidedBy::either_hand)) {
    return name(Refusal::wager_not_offered);
  }
  if (link_of(wager) == nullptr) return name(Refusal::wager_not_a_unit);
  return {};
}

std::string_view SensorWagers::hindrance(const AskedWager& wager) const {
  const LinkConfig* link = link_of(wager);
  if (link == nullptr || suspended_.contains(link->id)) return name(Refusal::link_suspended);
  if (is_faulty(wager.seat)) return "seat_faulty";
  return {};
}

std::string_view SensorWagers::place(const AskedWager& wager) {
  if (const std::string_view why = mistake(wager); !why.empty()) return why;
  const bool is_there = std::any_of(wagers_.begin(), wagers_.end(), [&](const AskedWager& one) {
    return is_same_spot(one, wager.seat, wager.wager, wager.on_dealer);
  });
  if (is_there) return name(Refusal::seat_wagered_twice);
  if (wagers_.size() == limits::wagers_per_round_max) return name(Refusal::too_many_wagers);
  if (const std::string_view why = hindrance(wager); !why.empty()) return why;
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

std::uint32_t SensorWagers::chips() const {
  return static_cast<std::uint32_t>(
      std::count_if(wagers_.begin(), wagers_.end(), [this](const AskedWager& wager) {
        return table_.offer(wager.wager).placement == Placement::chip;
      }));
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
    const std::string_view why = hindrance(wager);
    if (why.empty()) {
      sorted.good.push_back(wager);
    } else {
      sorted.bad.emplace_back(wager, why);
    }
  }
  return sorted;
}

}  // namespace linkmeter
