#include "table-agent/device/device_codec.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/codec/big_endian.h"
#include "table-agent/round/wager_text.h"

namespace linkmeter {

namespace {

constexpr std::size_t check_digits = 4;
constexpr std::string_view event_word = "event ";
constexpr std::size_t words_bytes_max = 100;

std::string check_text(std::uint16_t check) { return hexadecimal(big_endian(check, sizeof check)); }

bool prints(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) { return byte >= ' ' && byte < 127; });
}

device::Hello read_hello(WordReader& in) {
  device::Hello hello;
  hello.version = in.number<std::uint32_t>();
  hello.seats = in.number<std::uint8_t>();
  hello.counts_chips = in.either("counted", "uncounted");
  hello.session = in.name();
  return hello;
}
device::State read_state(WordReader& in) {
  device::State state;
  state.wagers = static_cast<std::uint32_t>(in.number(limits::wagers_per_round_max));
  state.is_open = in.either("open", "closed");
  state.round = RoundId(in.name_or_none());
  return state;
}
input::WagerRemoved read_removed(WordReader& in) {
  input::WagerRemoved removed{in.seat(), WagerId(in.name())};
  removed.on_dealer = in.either("dealer", "own");
  return removed;
}
device::Faulty read_fault(WordReader& in) {
  device::Faulty fault{in.name(), in.seat(), {}};
  fault.words = std::string(in.rest().substr(0, words_bytes_max));
  return fault;
}

LineError line_error(WordReader::Mistake mistake) {
  switch (mistake) {
    case WordReader::Mistake::missing: return LineError::argument_missing;
    case WordReader::Mistake::unexpected: return LineError::argument_unexpected;
    case WordReader::Mistake::malformed: break;
  }
  return LineError::argument_malformed;
}

using Reader = DeviceInput (*)(WordReader&);
constexpr std::array<std::pair<std::string_view, Reader>, 12> readers{{
    {"hello", [](WordReader& in) -> DeviceInput { return read_hello(in); }},
    {"alive", [](WordReader& in) -> DeviceInput { return device::Alive{in.name()}; }},
    {"again", [](WordReader&) -> DeviceInput { return device::Again{}; }},
    {"state", [](WordReader& in) -> DeviceInput { return read_state(in); }},
    {"held", [](WordReader& in) -> DeviceInput { return device::Held{read_wager(in)}; }},
    {"placed", [](WordReader& in) -> DeviceInput { return input::WagerPlaced{read_wager(in)}; }},
    {"removed", [](WordReader& in) -> DeviceInput { return read_removed(in); }},
    {"bets",
     [](WordReader& in) -> DeviceInput {
       return input::BettingSwitched{in.either("open", "closed")};
     }},
    {"count",
     [](WordReader& in) -> DeviceInput { return input::ChipCount{in.number<std::uint32_t>()}; }},
    {"fault", [](WordReader& in) -> DeviceInput { return read_fault(in); }},
    {"sound",
     [](WordReader& in) -> DeviceInput {
       std::string sensor = in.name();
       return device::Sound{std::move(sensor), in.seat()};
     }},
    {"event", [](WordReader& in) -> DeviceInput { return device::Event{std::string(in.rest())}; }},
}};

}  // namespace

std::string_view name(LineError mistake) {
  switch (mistake) {
    case LineError::line_too_long: return "line_too_long";
    case LineError::not_ascii: return "not_ascii";
    case LineError::check_missing: return "check_missing";
    case LineError::check_wrong: return "check_wrong";
    case LineError::number_malformed: return "number_malformed";
    case LineError::word_unknown: return "word_unknown";
    case LineError::argument_missing: return "argument_missing";
    case LineError::argument_unexpected: return "argument_unexpected";
    case LineError::argument_malformed: return "argument_malformed";
  }
  INVARIANT(false);
  return {};
}

std::uint16_t device_check(std::string_view bytes) {
  constexpr unsigned polynomial = 0x1021;
  unsigned check = 0xffff;
  for (const char byte : bytes) {
    check ^= static_cast<unsigned>(static_cast<unsigned char>(byte)) << 8U;
    for (int bit = 0; bit < 8; ++bit) {
      const bool carries = (check & 0x8000U) != 0;
      check = (check << 1U) & 0xffffU;
      if (carries) check ^= polynomial;
    }
  }
  return static_cast<std::uint16_t>(check);
}

std::variant<DeviceMessage, LineError> read_device_line(std::string_view line) {
  const std::size_t blank = line.find(' ');
  const bool is_event =
      blank != std::string_view::npos && line.substr(blank + 1).starts_with(event_word);
  if (line.size() >= (is_event ? device_event_bytes_max : device_line_bytes_max)) {
    return LineError::line_too_long;
  }
  if (!prints(line)) return LineError::not_ascii;
  if (line.size() <= check_digits || line[line.size() - check_digits - 1] != '*') {
    return LineError::check_missing;
  }
  const std::string_view body = line.substr(0, line.size() - check_digits - 1);
  const std::string_view received = line.substr(line.size() - check_digits);
  if (received.find_first_not_of("0123456789abcdef") != std::string_view::npos) {
    return LineError::check_missing;
  }
  if (received != check_text(device_check(body))) return LineError::check_wrong;
  const std::size_t number_end = std::min(body.find(' '), body.size());
  WordReader in(body.substr(0, number_end));
  const std::uint64_t number = in.number();
  if (in.end() || number_end == body.size()) return LineError::number_malformed;
  return DeviceMessage{number, std::string(body.substr(number_end + 1))};
}

std::string write_device_line(const DeviceMessage& line) {
  std::string body = std::to_string(line.number) + " " + line.text;
  INVARIANT(prints(body));
  const std::size_t bytes_max =
      line.text.starts_with(event_word) ? device_event_bytes_max : device_line_bytes_max;
  INVARIANT(body.size() + 1 + check_digits < bytes_max);
  return body + "*" + check_text(device_check(body)) + "\n";
}

std::variant<DeviceInput, LineError> parse_device_input(std::string_view text) {
  WordReader in(text);
  const std::string_view word = in.any_word();
  for (const auto& [known, read] : readers) {
    if (word != known) continue;
    DeviceInput received = read(in);
    if (const auto mistake = in.end()) return line_error(*mistake);
    return received;
  }
  return LineError::word_unknown;
}

void LineSplitter::add(std::string_view bytes) {
  waiting_.erase(0, std::exchange(begin_, 0));
  waiting_ += bytes;
}

std::optional<std::string> LineSplitter::next() {
  while (true) {
    const std::size_t end = waiting_.find('\n', begin_);
    if (end == std::string::npos) break;
    std::string line = waiting_.substr(begin_, end - begin_);
    begin_ = end + 1;
    if (!std::exchange(is_passing_over_, false)) return line;
  }
  if (waiting_.size() - begin_ < device_event_bytes_max) return std::nullopt;
  const bool is_told = std::exchange(is_passing_over_, true);
  std::string line = waiting_.substr(begin_, device_event_bytes_max);
  begin_ = waiting_.size();
  if (is_told) return std::nullopt;
  return line;
}

}  // namespace linkmeter
