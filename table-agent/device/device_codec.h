// Device line: the words between an agent and the sensors, lights and lock-out button of its table,
// as bytes. table-agent/device/README.md says who says what and when; this file is the words alone.
//
// A line is NUMBER WORD ARGUMENTS*CHECK and a newline: printing ASCII, words apart by one blank,
// the check four hexadecimal digits of the CRC-16 (CCITT, from 0xffff) of everything before the
// star. At most 256 bytes with the newline; an `event` of a dealer panel at most 4,096.
//
// Laws: reading is total: any bytes are a line or a named mistake, whatever their length. A mistake
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

// What is wrong with a line; the first that applies. Up to check_wrong it is no line at all, and
// its number, if it shows one, is not used up.
enum class LineError : std::uint8_t {
  line_too_long,
  not_ascii,         // a byte that does not print, or a carriage return
  check_missing,     // no star with four hexadecimal digits at its end
  check_wrong,       // damaged on the way
  number_malformed,  // does not begin with a number
  word_unknown,
  argument_missing,
  argument_unexpected,
  argument_malformed,
};
std::string_view name(LineError mistake);

std::uint16_t device_check(std::string_view bytes);

// A line whose check was right, without number and check.
struct DeviceMessage {
  std::uint64_t number = 0;  // 0: outside the sequence
  std::string text;
  friend bool operator==(const DeviceMessage&, const DeviceMessage&) = default;
};
// `line` is without its newline.
std::variant<DeviceMessage, LineError> read_device_line(std::string_view line);
// With check and newline. REQUIRES: printing ASCII, short enough.
std::string write_device_line(const DeviceMessage& line);

// ---- what a device says ------------------------------------------------------------------------

namespace device {

struct Hello {
  std::uint32_t version = 0;
  std::uint8_t seats = 0;
  bool counts_chips = false;  // a lock waits for the dealer's count
  std::string session;        // the agent's own word of this session
  friend bool operator==(const Hello&, const Hello&) = default;
};
struct Alive {
  std::string session;  // "-": none since it has power
  friend bool operator==(const Alive&, const Alive&) = default;
};
struct Again {  // a line of the agent's picture is missing
  friend bool operator==(const Again&, const Again&) = default;
};
// The whole seat state: so many Held follow.
struct State {
  std::uint32_t wagers = 0;
  bool is_open = false;
  RoundId round;  // the round that it was last opened for; "" none
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

// Of a line's text. Shapes only: whether the table has such a seat or wager is not asked.
std::variant<DeviceInput, LineError> parse_device_input(std::string_view text);

// Cuts a stream into lines. A line that grows too long is given out once, cut short so that
// read_device_line() calls it too long; the rest of it is passed over.
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
