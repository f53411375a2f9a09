// Device play: plays what the sensors of a real table tell (DEVICE.md): the wagers lie on the
// sensors, the dealer's button locks them, his count comes on the line, and what the dealer panel
// says (show, close, void, resolve) comes as lines of a floor script.
//
// Laws:
// 1. The light of a wager is on only when the controller has acknowledged its lock as accepted.
// 2. The sensors are open only while betting is open, the table is linked and not suspended, the
//    device is sound, and what lies on its sensors is known. In doubt they are locked.
//    Betting that was open is over with any lock-out, with the device's session, and with a press
//    of "bets closed" that cannot be a lock: the base game goes on meanwhile, so only a press of
//    "bets open" opens them again. So is all betting when the agent starts.
// 3. "ok" to what becomes a message is said only when the message is in the outbox. What the device
//    repeats is not said twice, over restarts of either side too (TableRound), unless the
//    controller has refused it.
// 4. A lock that is not in the outbox when the table is locked out is no lock: its wagers are told
//    back. One that is in the outbox is delivered once.
// 5. The table says its rounds by names of the agent's own, which no outbox gives twice.
// 6. What is owed is the controller's word: the agent evaluates nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "table-agent/table_bets.h"
#include "table-agent/round_commands.h"
#include "table-agent/device_picture.h"
#include "table-agent/device_port.h"
#include "table-agent/table_round.h"
#include "table-agent/device_talk.h"
#include "table-agent/play.h"

namespace linkmeter {

class DevicePlay final : public Play {
 public:
  static constexpr std::string_view name = "device";

  struct Setup {
    DealTable table;
    DevicePort& port;
    std::string place;                          // what the outbox holds for `name`
    std::vector<StoredMessage> unacknowledged;  // of the outbox
    std::function<std::string()> new_word;      // a name that was never given before
    std::function<void(const std::string&)> tell;
    DeviceTalk::Intervals intervals = {};
  };
  // Throws Fault if the place cannot be read.
  explicit DevicePlay(const Setup& setup);

  [[nodiscard]] std::optional<Step> next() override;
  [[nodiscard]] bool is_over() const override { return false; }
  [[nodiscard]] bool is_live() const override { return true; }
  void attend(const Surroundings& surroundings) override;
  void said(MessageNumber number) override;
  void unsaid() override;
  std::optional<Position> hear(const std::vector<Answered>& answered) override;
  [[nodiscard]] int descriptor() const override { return port_.descriptor(); }
  [[nodiscard]] std::optional<Timestamp> wakes_at() const override;

 private:
  // Before a lock: beside the round that is over.
  enum class Betting : std::uint8_t { none, open, counting };
  // What the session is to say next.
  struct Pending {
    TableCommand command;
    std::string event;       // as it came on the line; "": the lock
    std::uint64_t line = 0;  // to be answered; 0: none
    [[nodiscard]] TableRound after(const TableRound& round, MessageNumber number) const;
  };

  void take_lines();
  void take_line(const std::string& line);
  // What is said to the line: "" ok, else why not. With a pending_ of its own it is answered later.
  std::string_view take(const device::Hello&) { return {}; }
  std::string_view take(const device::Alive&) { return {}; }
  std::string_view take(const device::Again&) { return {}; }
  std::string_view take(const device::State& state);
  std::string_view take(const device::Held& held);
  std::string_view take(const device::Placed& placed);
  std::string_view take(const device::Removed& removed);
  std::string_view take(const device::Bets& bets);
  std::string_view take(const device::Count& count);
  std::string_view take(const device::Faulty& fault);
  std::string_view take(const device::Sound& sound);
  std::string_view take(const device::Event& event);
  std::string_view open_bets();
  std::string_view close_bets();
  std::string_view lock(std::optional<std::uint32_t> chips);
  // Returns whether it moves the round.
  bool hear_one(const Answered& answered);
  // Why nothing may be recognised now; "": it may.
  [[nodiscard]] std::string_view lockout() const;
  // Of betting that is open: the button must open it anew.
  void end_betting(std::string_view why);
  // The wagers go back: there is no lock.
  void give_back(const std::vector<AskedWager>& wagers, std::string_view why);

  void note_connection(bool is_open);
  void note_session();
  void note_state();
  void go_on();
  void paint();
  void flush();
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] std::string mode() const;
  [[nodiscard]] std::multiset<std::string> lights() const;

  DevicePort& port_;
  std::function<void(const std::string&)> tell_;
  DeviceTalk talk_;
  LineCutter cutter_;
  TableBets bets_;
  TableRound round_;
  RoundCommands unanswered_;
  Betting betting_ = Betting::none;
  std::optional<Pending> pending_;
  bool place_is_stale_ = false;  // round_ has changed and is not stored

  Surroundings surroundings_;
  std::optional<Timestamp> started_at_;
  bool was_linked_ = false;
  bool is_connected_ = false;
  std::uint64_t session_count_ = 0;
  // The device's whole seat state, as far as it has come.
  std::optional<device::State> state_;
  std::uint32_t held_count_ = 0;
  bool state_is_whole_ = false;
  Timestamp state_due_;
  DevicePicture picture_;
  std::multiset<std::string> notes_;  // lights that no restart brings back
};

}  // namespace linkmeter
