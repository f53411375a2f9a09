// DeviceSession: one session of the agent with its device (table-agent/device/README.md). It makes
// lost, repeated, late and damaged lines harmless. The caller passes in lines and times and takes
// out lines; DeviceDriver interprets them.
//
// Laws: the agent begins a session with a Hello that names it. No line is taken before the device
// has answered with that name. The device's numbered lines are taken once each, in order: a repeat
// gets the first answer, and after a gap the device is asked to repeat. The agent's own numbered
// lines are the outputs: lock or open, and the lights. Only changes are sent. To turn a light off,
// or if the device missed a line, the whole output state is sent again, after "dark". A device that
// is silent for lost_after counts as gone. A device that has lost its session begins a new one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "meters/values/timestamp.h"
#include "table-agent/device/device_codec.h"

namespace linkmeter {

class DeviceSession {
 public:
  struct Intervals {
    std::int64_t alive_us = 250'000;
    std::int64_t lost_after_us = 2'000'000;
  };
  // Returns a name that no other session had.
  using NewSession = std::function<std::string()>;
  // How many answers to the device's numbered lines are kept for repeats.
  static constexpr std::size_t answers_remembered = 256;

  DeviceSession(std::string table, NewSession new_session, Intervals intervals);

  // Begins a new session after the line was opened.
  void begin(Timestamp now);
  void end();

  // A numbered line of the device, taken for the first time. Each one must be answered.
  struct Heard {
    std::uint64_t number = 0;
    DeviceInput word;
  };
  // Takes a line without its newline. Returns nullopt if the line has no meaning for the table.
  std::optional<Heard> take(std::string_view line, Timestamp now);
  // `why`: "" if the line is accepted.
  void answer(std::uint64_t number, std::string_view why);

  // Queues the changes of the outputs. Returns whether the mode changed. REQUIRES: is_begun().
  bool paint(const std::string& mode, const std::multiset<std::string>& lights);
  // Whether the device was told in this session to open its sensors.
  [[nodiscard]] bool shows_open() const { return mode_.starts_with("open "); }
  void ask_state() { put(0, "state"); }
  // Returns everything to write now.
  [[nodiscard]] std::string output(Timestamp now);
  // When output() may have something without a new line or output.
  [[nodiscard]] std::optional<Timestamp> wakes_at() const;

  // The device has answered the session's Hello.
  [[nodiscard]] bool is_begun() const { return device_.has_value(); }
  // REQUIRES: is_begun().
  [[nodiscard]] const device::Hello& device() const { return *device_; }
  // The number of sessions so far.
  [[nodiscard]] std::uint64_t session_count() const { return session_count_; }
  [[nodiscard]] bool is_silent(Timestamp now) const;
  // What is wrong on the line, as a sentence for people; "" if there is nothing new.
  [[nodiscard]] std::string trouble();

 private:
  void say(std::string_view text) { put(++said_, std::string(text)); }
  void put(std::uint64_t number, const std::string& text);
  void bad(std::string_view why) { put(0, "bad " + std::string(why)); }
  void take_unnumbered(const DeviceInput& word, Timestamp now);
  void take_hello(const device::Hello& hello);
  void ask_again(Timestamp now);

  std::string table_;
  NewSession new_session_;
  Intervals intervals_;

  bool is_open_ = false;
  std::string session_;
  std::uint64_t session_count_ = 0;
  std::optional<device::Hello> device_;
  std::uint64_t expected_ = 1;                    // the device's next number
  std::map<std::uint64_t, std::string> answers_;  // to the latest lines
  std::uint64_t said_ = 0;                        // the last number of an output line
  bool outputs_are_wanted_ = false;               // the device missed an output line
  std::string mode_;                              // as sent to the device; "": not yet
  std::multiset<std::string> lights_;             // as sent to the device
  std::string output_;
  Timestamp last_heard_at_, alive_due_;
  Timestamp asked_again_at_;
  std::string error_;
};

}  // namespace linkmeter
