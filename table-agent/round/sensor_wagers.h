// Table bets: what lies on the sensors while betting is open, and which sensors are trusted.
//
// Laws: what the controller would refuse at the lock is refused here at the sensor, by the same
// name: one bad wager would refuse the whole round. Only what was placed, taken, and not removed
// before the lock is in it. The agent decides no money: it only leaves out what may not be.
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
  explicit SensorWagers(TableOffers table) : table_(std::move(table)) {}

  // "": taken; else why not: the name of a refusal, or "seat_faulty".
  std::string_view place(const AskedWager& wager);
  // False: it was not there.
  bool remove(Seat seat, const WagerId& wager, bool on_dealer);
  void clear() { wagers_.clear(); }

  // Seat 0: the whole device.
  void set_fault(const std::string& sensor, Seat seat, const std::string& words);
  // False: it had none.
  bool clear_fault(const std::string& sensor, Seat seat);
  void clear_faults() { faults_.clear(); }
  [[nodiscard]] bool is_faulty(Seat seat) const;

  void set_suspended(const std::set<LinkId>& links) { suspended_ = links; }
  // Every link of the table.
  [[nodiscard]] bool all_suspended() const;

  // What may be locked now, and what may not any more, with the reason.
  struct Sorted {
    std::vector<AskedWager> good;
    std::vector<std::pair<AskedWager, std::string_view>> bad;
  };
  [[nodiscard]] Sorted sorted() const;
  [[nodiscard]] const std::vector<AskedWager>& wagers() const { return wagers_; }
  // Of them, those that are placed by chip.
  [[nodiscard]] std::uint32_t chips() const;
  // What is wrong with the sensors of a seat, in the device's words; "": nothing.
  [[nodiscard]] std::string fault_of(Seat seat) const;

 private:
  [[nodiscard]] std::string_view mistake(const AskedWager& wager) const;
  // Why a wager that is no mistake may not be taken now.
  [[nodiscard]] std::string_view hindrance(const AskedWager& wager) const;
  [[nodiscard]] const LinkConfig* link_of(const AskedWager& wager) const;

  TableOffers table_;
  std::vector<AskedWager> wagers_;
  std::map<std::pair<Seat, std::string>, std::string> faults_;
  std::set<LinkId> suspended_;
};

}  // namespace linkmeter
