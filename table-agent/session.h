// Session: one run of the agent. It takes the driver's steps, submits them through the agent, and
// carries frames between agent and uplink. It ends when the driver is done and every message is
// acknowledged, or when it is stopped.
//
// Laws: a locked table begins no round (L5, lockout.h): the driver waits at its next lock or pot.
// The messages of a round that has begun are submitted as far as there is room, and delivered once.
// What a stop leaves undelivered is kept for the next run, and logged. The loop never polls: it
// sleeps until a frame, a signal, or the next due time of agent, driver or panel.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "table-agent/link/node_fault.h"
#include "table-agent/link/table_agent.h"
#include "table-agent/link/uplink.h"
#include "table-agent/panel/panel.h"
#include "table-agent/round/round_driver.h"
#include "table-agent/round/round_observer.h"

namespace linkmeter {

class Session {
 public:
  struct Setup {
    TableAgent& agent;
    Uplink& uplink;
    RoundDriver& driver;
    int stop_descriptor = -1;  // readable: stop the driver, drain for a moment, end
    std::string endpoint;      // or several, as a text: for log lines only
    std::function<void(const std::string&)> log;  // one line
    // Called in run() with the lock-out at the start, and at once at every change.
    std::function<void(const Lockout&)> lockout_changed = {};
    // Called in every turn of the loop, at least every heartbeat: for the service's watchdog.
    std::function<void()> alive = {};
    Panel* panel = nullptr;              // null: none
    const TableOffers* table = nullptr;  // REQUIRED with a panel
  };

  explicit Session(const Setup& setup)
      : setup_(setup), lockout_lines_(setup.agent.table(), setup.agent.intervals().lost_after_us) {}

  // Returns the number of messages that were refused. Throws Fault.
  std::uint64_t run();
  [[nodiscard]] bool was_stopped() const { return stop_at_.has_value(); }

 private:
  void run_driver(Timestamp now);
  [[nodiscard]] bool wait_is_over(const Wait& wait, Timestamp now);
  void update(Timestamp now);
  void show_panel(Timestamp now);
  void submit_batch(Timestamp now);
  bool submit_now(Timestamp now);
  void send_pending(Timestamp now);
  void on_reply();
  // The same for one frame. Throws NodeFault.
  void on_frame(const std::string& frame, Timestamp now);
  void pass_over(const NodeFault& fault);
  void report_answer(const Answered& answered);
  void report_resent(const Resent& resent);
  void on_left_open(const std::vector<OpenRound>& rounds);
  void wait_a_while(Timestamp now);
  void report_connection(Timestamp now);
  void report_connected(const NodeAddress& controller);
  // For the panel; "": the house has one controller, as far as is known.
  [[nodiscard]] std::string controller_words() const;
  void note_lockout(Timestamp now);
  void stop();
  // Why no round may begin; "": one may.
  [[nodiscard]] std::string locked_by() const;
  [[nodiscard]] bool can_submit_more(Timestamp now) const;
  [[nodiscard]] bool is_over(Timestamp now) const;
  [[nodiscard]] std::chrono::milliseconds wait_time(Timestamp now) const;

  Setup setup_;
  std::optional<Step> upcoming_;
  bool driver_is_over_ = false;
  std::optional<Timestamp> wait_until_;
  std::optional<Position> stored_;
  // Where in its script each unacknowledged message of this run stands.
  std::map<MessageNumber, std::string> script_places_;
  RoundObserver observer_;  // the round that a panel shows, if the driver has no round machine
  std::uint64_t refused_count_ = 0;
  bool takeover_logged_ = false;
  std::set<RoundId> left_open_logged_;
  std::optional<Timestamp> stop_at_;  // set: stopping

  bool is_blocked_ = false;  // the uplink took no more; start over when it does
  // The log line about the first connection, and about one to another controller. LockoutChange has
  // the others.
  enum class FirstLine : std::uint8_t { none, no_credentials, no_controller, connected };
  FirstLine first_line_ = FirstLine::none;
  std::string connected_to_;  // as logged last
  // When the log said last that a controller was passed over: its endpoint, and the words.
  std::map<std::pair<std::string, std::string>, Timestamp> passed_over_logged_;
  std::string passed_over_words_;  // for the panel, since the table was served
  bool replaced_logged_ = false;
  bool had_credentials_ = false;
  Timestamp tried_since_;           // to connect: since the start, or since there are credentials
  std::optional<Lockout> lockout_;  // as noted last
  LockoutChange lockout_lines_;
};

}  // namespace linkmeter
