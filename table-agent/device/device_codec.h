// Device messages as bytes: the lines between an agent and the sensors, lights and lock-out button
// of its table. table-agent/device/README.md defines which side sends what and when; this file has
// only the format.
//
// A line is NUMBER WORD ARGUMENTS*CHECK and a newline. It is printing ASCII, with one blank between
// words. CHECK is four hexadecimal digits: the CRC-16 (CCITT, from 0xffff) of everything before the
// star. A line has at most 256 bytes with the newline; an `event` of a dealer panel has at most
// 4,096.
//
// Laws: reading is total: any bytes, of any length, give a line or a named mistake. A mistake
// changes nothing. Amounts are whole cents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_input.h"

namespace linkmeter {

inline constexpr std::size_t device_line_bytes_max = 256;
inline constexpr std::size_t device_event_bytes_max = 4'096;
inline constexpr std::uint32_t device_version = 1;

// What is wrong with a line: the first mistake that applies. Up to check_wrong the input is not a
// line, and its number, if it shows one, is not used up.
enum class LineError : std::uint8_t {
  line_too_long,
  not_ascii,         // a byte that is not printing ASCII, or a carriage return
  check_missing,     // no star with four hexadecimal digits at its end
  check_wrong,       // damaged in transit
  number_malformed,  // does not begin with a number
  word_unknown,
  argument_missing,
  argument_unexpected,
  argument_malformed,
};
std::string_view name(LineError mistake);

std::uint16_t device_check(std::string_view bytes);

// A line with a correct check, without its number and check.
struct DeviceMessage {
  std::uint64_t number = 0;  // 0: outside the sequence
  std::string text;
  friend bool operator==(const DeviceMessage&, const DeviceMessage&) = default;
};
// `line` has no newline.
std::variant<DeviceMessage, LineError> read_device_line(std::string_view line);
// Adds the check and the newline. REQUIRES: printing ASCII, short enough.
std::string write_device_line(const DeviceMessage& line);

// ---- messages from the device ------------------------------------------------------------------

namespace device {

struct Hello {
  std::uint32_t version = 0;
  std::uint8_t seats = 0;
  bool counts_chips = false;  // a lock waits for the dealer's count
  std::string session;        // the agent's own name for this session
  friend bool operator==(const Hello&, const Hello&) = default;
};
struct Alive {
  std::string session;  // "-": no session since power-on
  friend bool operator==(const Alive&, const Alive&) = default;
};
struct Again {  // the device missed an output line of the agent
  friend bool operator==(const Again&, const Again&) = default;
};
// The whole seat state; `wagers` Held messages follow.
struct State {
  std::uint32_t wagers = 0;
  bool is_open = false;
  RoundId round;  // the round that the device was last opened for; "" if none
  friend bool operator==(const State&, const State&) = default;
};
struct Held {
  AskedWager wager;
  friend bool operator==(const Held&, const Held&) = default;
};
struct Faulty {
  std::string sensor;
  Seat seat;  // 0: the whole device
  std::string words;
  friend bool operator==(const Faulty&, const Faulty&) = default;
};
struct Sound {  // the fault of this sensor at this seat is over
  std::string sensor;
  Seat seat;
  friend bool operator==(const Sound&, const Sound&) = default;
};
// A line of a floor script: resolve, show, close or void.
struct Event {
  std::string text;
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace device

using DeviceInput =
    std::variant<device::Hello, device::Alive, device::Again, device::State, device::Held,
                 input::WagerPlaced, input::WagerRemoved, input::BettingSwitched, input::ChipCount,
                 device::Faulty, device::Sound, device::Event>;

// Parses a line's text. It checks the form only, not whether the table has such a seat or wager.
std::variant<DeviceInput, LineError> parse_device_input(std::string_view text);

// Cuts a byte stream into lines. A line that grows too long is returned once, cut so that
// read_device_line() reports it as too long; the rest of it is skipped.
class LineSplitter {
 public:
  void add(std::string_view bytes);
  [[nodiscard]] std::optional<std::string> next();

 private:
  std::string waiting_;
  std::size_t begin_ = 0;
  bool is_passing_over_ = false;
};

}  // namespace linkmeter
