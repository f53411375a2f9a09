// Session: one run of the agent: plays what the table does, says it through the agent, carries
// frames between agent and uplink, and ends when everything said is answered or when it is told to
// stop.
//
// Laws: a locked table begins no round (L5, lockout.h): the play waits at its next lock or pot.
// What belongs to a begun round is said and kept, as far as there is room, and delivered once. What
// a stop leaves undelivered is kept for the next run, and that is told. Nothing here waits in a
// loop: it sleeps until a frame, a signal or the next moment of agent or play.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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
    RoundDriver* play =
        nullptr;               // null: only drains the outbox, then waits until it is told to stop
    int stop_descriptor = -1;  // readable: stop playing, drain for a moment, end
    std::string endpoint;      // for messages only
    std::function<void(const std::string&)> tell;  // one line for people
    // Called in run() with the lock-out at the start, and at every change of it, at its moment.
    std::function<void(const Lockout&)> lockout_changed = {};
    // Called in every round of the loop, at least every heartbeat: for who watches over it.
    std::function<void()> alive = {};
    Panel* panel = nullptr;              // null: none
    const TableOffers* table = nullptr;  // REQUIRED with a panel
  };

  explicit Session(const Setup& setup)
      : setup_(setup), lockout_news_(setup.agent.table(), setup.agent.intervals().lost_after_us) {}

  // Runs to its end; how many messages were refused. Throws Fault.
  std::uint64_t run();
  [[nodiscard]] bool was_stopped() const { return stop_at_.has_value(); }

 private:
  using Clock = std::chrono::steady_clock;

  void play_on(Clock::time_point now);
  [[nodiscard]] bool wait_is_over(const Wait& wait, Clock::time_point now);
  void update(Clock::time_point now);
  void update_panel(Clock::time_point now, const Lockout& lockout);
  void show_panel(Clock::time_point now);
  void submit_batch(Clock::time_point now);
  bool submit_now(Clock::time_point now);
  void send_pending(Clock::time_point now);
  void on_reply();
  void report_answer(const Answered& answered);
  void report_resent(const Resent& resent);
  void on_left_open(const std::vector<OpenRound>& rounds);
  void wait_a_while(Clock::time_point now);
  void report_connection(Clock::time_point now);
  void report_connected();
  void note_lockout(Clock::time_point now);
  void stop();
  [[nodiscard]] bool can_submit_more(Clock::time_point now) const;
  [[nodiscard]] bool is_over(Clock::time_point now) const;
  [[nodiscard]] std::chrono::milliseconds wait_time(Clock::time_point now) const;

  Setup setup_;
  std::optional<Step> upcoming_;
  bool play_is_over_ = false;
  std::optional<Clock::time_point> wait_until_;
  std::optional<Position> stored_;
  std::map<MessageNumber, std::string> where_;  // of what this run said and nobody answered yet
  RoundObserver watched_;                       // for a panel, where the play keeps no round
  std::uint64_t refused_count_ = 0;
  bool told_take_over_ = false;
  std::set<RoundId> told_open_;               // rounds that were left open, each told of once
  std::optional<Clock::time_point> stop_at_;  // set: stopping

  bool is_blocked_ = false;  // the uplink took no more; start over when it does
  // Of the first connection; what comes after it is the lock-out's news.
  enum class Told : std::uint8_t { nothing, no_credentials, no_controller, connected };
  Told told_ = Told::nothing;
  bool had_key_ = false;
  Clock::time_point tried_since_;   // to connect: from the start on, or since there is a key
  std::optional<Lockout> lockout_;  // as last noted
  LockoutChange lockout_news_;
};

}  // namespace linkmeter
