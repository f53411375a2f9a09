// SensorWagers: the wagers on the sensors while betting is open, and the sensors with faults.
//
// Laws: a wager that the controller would refuse at the lock is refused here at the sensor, with
// the same name, because one bad wager would make the controller refuse the whole round. A lock
// contains only wagers that were placed, accepted, and not removed before it. The agent decides no
// money: it only leaves out wagers that are not allowed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_offers.h"

namespace linkmeter {

class SensorWagers {
 public:
  // The table must outlive the wagers.
  explicit SensorWagers(const TableOffers& table) : table_(table) {}

  // Returns "" if the wager is taken, otherwise the name of a refusal, or "seat_faulty".
  std::string_view place(const AskedWager& wager);
  // Returns false if the wager was not there.
  bool remove(Seat seat, const WagerId& wager, bool on_dealer);
  void clear() { wagers_.clear(); }

  // Seat 0 means the whole device.
  void set_fault(const std::string& sensor, Seat seat, const std::string& words);
  // Returns false if the sensor had no fault.
  bool clear_fault(const std::string& sensor, Seat seat);
  void clear_faults() { faults_.clear(); }
  [[nodiscard]] bool is_faulty(Seat seat) const;

  void set_suspended(const std::set<LinkId>& links) { suspended_ = links; }
  // Whether every link of the table is suspended.
  [[nodiscard]] bool all_suspended() const;

  // The wagers that may be locked now, and those that may not any more, with the reason.
  struct Sorted {
    std::vector<AskedWager> good;
    std::vector<std::pair<AskedWager, std::string_view>> bad;
  };
  [[nodiscard]] Sorted sorted() const;
  [[nodiscard]] const std::vector<AskedWager>& wagers() const { return wagers_; }
  // How many of them are placed by chip.
  [[nodiscard]] std::uint32_t chips() const { return table_.chip_count(wagers_); }
  // The fault of a seat's sensors in the device's words; "": none.
  [[nodiscard]] std::string fault_of(Seat seat) const;

 private:
  // Why a valid wager may not be taken now.
  [[nodiscard]] std::string_view refusal_now(const AskedWager& wager) const;

  const TableOffers& table_;
  std::vector<AskedWager> wagers_;
  std::map<std::pair<Seat, std::string>, std::string> faults_;
  std::set<LinkId> suspended_;
};

}  // namespace linkmeter
