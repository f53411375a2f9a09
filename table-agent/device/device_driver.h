// DeviceDriver: a table's sensors, button and lights (table-agent/device/README.md). It is one of
// the two drivers of the table's round (round_machine.h): the sensors hold the wagers, the dealer's
// button locks them, and his count and the shown hands may also come from the device.
//
// Laws: the sensors are open only while betting is open, the table is linked and not suspended, the
// device has no fault, and the wagers on its sensors are known. In doubt they are locked. A line
// that becomes a message is answered "ok" only when the message is in the outbox.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "proto/host/byte_port.h"
#include "table-agent/device/device_session.h"
#include "table-agent/round/round_machine.h"

namespace linkmeter {

class DeviceDriver {
 public:
  // All of these must outlive the driver.
  struct Setup {
    RoundMachine& machine;
    BytePort& port;
    std::string table;
    std::function<std::string()> new_word;
    std::function<void(const std::string&)> tell;
    DeviceSession::Intervals intervals;
    bool is_counted_elsewhere = false;  // the dealer counts at a panel
  };
  explicit DeviceDriver(const Setup& setup);

  // Called in every turn of the session.
  void update(Timestamp now);
  // Takes the waiting lines, up to and including one that becomes a message.
  void take_lines();
  // Answers the line that became the pending message, if there is one. `why`: "" if the message was
  // submitted, otherwise why it never will be.
  void settle(std::string_view why);
  // Sends the device the changes of its outputs.
  void paint();
  void flush();

  [[nodiscard]] int descriptor() const { return port_.descriptor(); }
  [[nodiscard]] std::optional<Timestamp> wakes_at() const;
  [[nodiscard]] bool is_connected() const { return is_connected_ && session_.is_begun(); }
  // Whether the wagers on the sensors are known.
  [[nodiscard]] bool bets_are_known() const { return state_is_whole_; }
  // How "no more bets" closes betting now, whichever driver submits it.
  [[nodiscard]] RoundMachine::Closing closing() const;

 private:
  void take_line(const std::string& line);
  // Each returns the answer to the line: "" for ok, otherwise the reason. A line that becomes a
  // message is answered later.
  std::string_view take(const device::Hello&) { return {}; }
  std::string_view take(const device::Alive&) { return {}; }
  std::string_view take(const device::Again&) { return {}; }
  std::string_view take(const device::State& state);
  std::string_view take(const device::Held& held);
  std::string_view take(const input::WagerPlaced& placed);
  std::string_view take(const input::WagerRemoved& removed);
  std::string_view take(const input::BettingSwitched& bets);
  std::string_view take(const input::ChipCount& count);
  std::string_view take(const device::Faulty& fault);
  std::string_view take(const device::Sound& sound);
  std::string_view take(const device::Event& event);

  void note_connection(bool is_open);
  void note_session();
  void note_state();
  [[nodiscard]] bool is_open() const;

  RoundMachine& machine_;
  BytePort& port_;
  std::function<void(const std::string&)> tell_;
  bool is_counted_elsewhere_;
  DeviceSession session_;
  LineSplitter cutter_;
  Timestamp now_;
  bool is_connected_ = false;
  std::uint64_t session_count_ = 0;
  bool has_asked_ = false;
  std::uint64_t asked_line_ = 0;  // the line to answer; 0 if its session is over
  // The device's whole seat state, as far as it has arrived.
  std::optional<device::State> state_;
  std::uint32_t held_count_ = 0;
  bool state_is_whole_ = false;
  Timestamp state_due_;
};

}  // namespace linkmeter
