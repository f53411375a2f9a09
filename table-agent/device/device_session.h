// Device talk: one conversation of the agent with its device (table-agent/device/README.md): what
// makes a line that was lost, doubled, late or damaged harmless. Lines in, lines out, moments
// handed in; what the lines mean for the table is DeviceDriver's.
//
// Laws: a session is begun by the agent's Hello with a word of its own, and nothing is taken before
// the device has answered with that word. Of a session the device's numbered lines are taken once
// each and in their order: a repeat is answered as the first time, after a gap the device is asked
// to say again. The agent's own numbered lines are the picture (lock or open, lights); a device
// that misses one asks, and is told the whole picture. A device that says nothing for lost_after is
// gone; one that has lost its session begins a new one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
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
  // A word that no other session had.
  using NewSession = std::function<std::string()>;
  // Of the device's numbered lines: how many answers are remembered for a repeat.
  static constexpr std::size_t answers_remembered = 256;

  DeviceSession(std::string table, NewSession new_session, Intervals intervals);

  // The line is open anew: a new session.
  void begin(Timestamp now);
  void end();

  // A numbered line of the device, taken for the first time. Every one is to be answered.
  struct Heard {
    std::uint64_t number = 0;
    DeviceInput word;
  };
  // Takes a line, without its newline. nullopt: it was not for the table to hear.
  std::optional<Heard> take(std::string_view line, Timestamp now);
  void accept(std::uint64_t number);
  void refuse(std::uint64_t number, std::string_view why);

  // A line of the picture. REQUIRES: is_begun().
  void say(std::string_view text);
  void ask_state() { put(0, "state"); }
  // Everything to be written now.
  [[nodiscard]] std::string output(Timestamp now);
  // When output() may have something though nothing was taken or said.
  [[nodiscard]] std::optional<Timestamp> wakes_at() const;

  // The device has answered the session's Hello.
  [[nodiscard]] bool is_begun() const { return device_.has_value(); }
  // REQUIRES: is_begun().
  [[nodiscard]] const device::Hello& device() const { return *device_; }
  // Counts the sessions: whoever remembers a picture of the device forgets it when this changes.
  [[nodiscard]] std::uint64_t session_count() const { return session_count_; }
  // The device missed a line of the picture. Told once.
  [[nodiscard]] bool picture_is_wanted();
  [[nodiscard]] bool is_silent(Timestamp now) const;
  // Lines that were none, or damaged; since the start.
  [[nodiscard]] std::uint64_t bad_count() const { return bad_count_; }
  // What people should be told: "" nothing new.
  [[nodiscard]] std::string trouble();

 private:
  void put(std::uint64_t number, const std::string& text);
  void bad(std::string_view why);
  void take_aside(const DeviceInput& word, Timestamp now);
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
  std::uint64_t said_ = 0;                        // the last number of the picture
  bool picture_is_wanted_ = false;
  std::string output_;
  Timestamp last_heard_at_, alive_due_;
  Timestamp asked_again_at_;
  std::uint64_t bad_count_ = 0;
  std::string trouble_;
};

}  // namespace linkmeter
