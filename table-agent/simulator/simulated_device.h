// SimulatedDevice: a table's sensors, lights, button and dealer panel, with players and a dealer.
// It is the other end of the device line, for the demo and for tests. It plays rounds dealt from a
// seed, and keeps its own account of what must have been counted.
//
// It can plant faults, chosen by the seed: lost, repeated, delayed or damaged lines, a connection
// that drops, a device that loses power, wrong counts, wagers that are not allowed. Whatever it
// plants, its account must agree with the controller's to the cent. Anything that the agent does
// wrong is reported as a complaint.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/values/timestamp.h"
#include "table-agent/device/device_codec.h"
#include "table-agent/round/table_offers.h"
#include "table-agent/simulator/device_account.h"
#include "table-agent/simulator/fault_injector.h"
#include "table-agent/simulator/prng.h"

namespace linkmeter {

class SimulatedDevice {
 public:
  struct Plan {
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> rounds;  // nullopt: no limit
    std::uint32_t pace_ms = 0;            // between rounds
    bool plants_faults = false;
  };
  using Account = DeviceAccount;

  SimulatedDevice(TableOffers table, const Plan& plan);

  // The line was connected, or has gone.
  void connect();
  void disconnect();
  void take(std::string_view bytes, Timestamp now);
  [[nodiscard]] std::string output(Timestamp now);
  // Whether a planted fault drops the connection now. Returns true once.
  [[nodiscard]] bool drops_connection();
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] const Account& account() const { return account_; }
  // The last "lock ..." or "open ..." from the agent; "" if none came in this session.
  [[nodiscard]] const std::string& mode() const { return mode_; }

 private:
  struct Said {
    std::uint64_t number = 0;
    std::string text;
  };
  // The state of the round, as players and dealer see it.
  struct Game {
    std::vector<TableCommand> commands;  // the lock comes first
    std::size_t next_event = 1;
    bool is_laid = false, was_locked = false, was_blocked = false;
    std::vector<AskedWager> counted;  // the wagers on the sensors when the dealer counted
  };

  void on_reply(const DeviceMessage& line);
  void on_hello(std::string_view session);
  void on_answer(std::uint64_t number, bool is_ok, std::string_view why);
  void on_outputs(std::uint64_t number, std::string_view text);
  void on_mode(std::string_view mode);
  void tell_state();
  void say(std::string text);
  void send_unnumbered(const std::string& text);
  void lose_power();
  void plant();

  void drive(Timestamp now);
  void drive_open();
  void drive_blocked();
  void drive_round();
  void drive_left_open();
  void drive_idle(Timestamp now);
  void begin_round();
  void lay_chips();
  void lay_badly();
  void count_chips();
  void finish_round();
  [[nodiscard]] std::multiset<std::string> accepted_lights() const;
  void emit(const std::string& line);
  bool happens(std::uint64_t permille);
  void complain(const std::string& what);

  TableOffers table_;
  Plan plan_;
  Prng chance_;
  FaultInjector noise_;
  Account account_;
  bool is_over_ = false;

  // The device line.
  LineSplitter cutter_;
  bool is_connected_ = false;
  std::string session_ = "-";
  std::uint64_t number_ = 0;  // of the last line sent
  std::uint64_t heard_ = 0;   // of the agent's last output line
  std::deque<Said> unanswered_;
  std::vector<std::string> carried_;  // to send again in a new session
  std::string output_;
  Timestamp alive_due_, resend_due_;
  bool drops_ = false;
  std::uint64_t planted_in_ = 0;  // the round of the last check

  // What the agent told it.
  std::string mode_;
  std::multiset<std::string> lights_;

  // Sensors and button.
  std::vector<AskedWager> chips_;
  std::string round_;  // that it was last opened for, or is in
  bool is_closed_ = false;

  // Players and dealer.
  std::uint64_t round_number_ = 1;
  Game game_;
  std::set<std::string> bad_;  // wagers that were placed although they are not allowed
  bool knows_state_ = false;   // the agent has had the seat state since it opened betting
  std::optional<Timestamp> idle_since_;
};

// Serves a simulated device at a Unix socket; an agent connects to it as to a real device. Serves
// one agent after the other until the device has finished or `stop_descriptor` is readable.
// Throws Fault if it cannot listen at `path`.
void host(SimulatedDevice& device, const std::filesystem::path& path, int stop_descriptor);

}  // namespace linkmeter
