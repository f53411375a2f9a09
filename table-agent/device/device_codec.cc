#include "table-agent/device/device_codec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

constexpr std::size_t check_digits = 4;
constexpr std::string_view event_word = "event ";
constexpr std::size_t words_bytes_max = 100;
constexpr std::int64_t cents_max = limits::amount_max.units() / Amount::units_per_cent;

template <class Integer>
std::optional<Integer> parse_integer(std::string_view text, int base = 10) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (base == 10 && text.size() > 1 && text.front() == '0') return std::nullopt;
  return value;
}

std::string check_text(std::uint16_t check) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (int shift = 12; shift >= 0; shift -= 4) {
    text += digits[(static_cast<unsigned>(check) >> static_cast<unsigned>(shift)) & 15U];
  }
  return text;
}

bool prints(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) { return byte >= ' ' && byte < 127; });
}

// Reads the arguments of a word one after the other. It keeps the first mistake and ignores
// everything after it.
class Arguments {
 public:
  explicit Arguments(std::string_view text) : rest_(text) {}

  std::string_view text() {
    if (rest_.empty()) return mistaken(LineError::argument_missing), std::string_view();
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view argument = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (argument.empty()) mistaken(LineError::argument_malformed);
    return argument;
  }
  template <class Integer>
  Integer number(Integer max = std::numeric_limits<Integer>::max()) {
    const auto value = parse_integer<Integer>(text());
    if (!value || *value > max) mistaken(LineError::argument_malformed);
    return value.value_or(0);
  }
  // True for `yes`, false for `no`.
  bool either(std::string_view yes, std::string_view no) {
    const std::string_view argument = text();
    if (argument != yes && argument != no) mistaken(LineError::argument_malformed);
    return argument == yes;
  }
  // A name, or "-" where the name is optional.
  std::string name() {
    const std::string_view argument = text();
    if (!is_well_formed_name(argument)) mistaken(LineError::argument_malformed);
    return std::string(argument);
  }
  Seat seat() { return Seat(number<std::uint8_t>()); }
  AskedWager wager() {
    AskedWager wager;
    wager.seat = seat();
    wager.wager = WagerId(name());
    const auto cents = number<std::int64_t>(cents_max);
    if (cents < 0) mistaken(LineError::argument_malformed);
    wager.amount = Amount::cents(std::clamp<std::int64_t>(cents, 0, cents_max));
    wager.on_dealer = either("dealer", "own");
    return wager;
  }
  std::string rest() {
    if (rest_.empty()) mistaken(LineError::argument_missing);
    return std::string(std::exchange(rest_, std::string_view()));
  }
  [[nodiscard]] std::optional<LineError> end() {
    if (!rest_.empty()) mistaken(LineError::argument_unexpected);
    return mistake_;
  }

 private:
  void mistaken(LineError mistake) {
    if (!mistake_) mistake_ = mistake;
  }

  std::string_view rest_;
  std::optional<LineError> mistake_;
};

std::string unless_dash(const std::string& name) { return name == "-" ? std::string() : name; }

device::Hello read_hello(Arguments& in) {
  device::Hello hello;
  hello.version = in.number<std::uint32_t>();
  hello.seats = in.number<std::uint8_t>();
  hello.counts_chips = in.either("counted", "uncounted");
  hello.session = in.name();
  return hello;
}
device::State read_state(Arguments& in) {
  device::State state;
  state.wagers = in.number<std::uint32_t>(static_cast<std::uint32_t>(limits::wagers_per_round_max));
  state.is_open = in.either("open", "closed");
  state.round = RoundId(unless_dash(in.name()));
  return state;
}
input::WagerRemoved read_removed(Arguments& in) {
  input::WagerRemoved removed{in.seat(), WagerId(in.name())};
  removed.on_dealer = in.either("dealer", "own");
  return removed;
}
device::Faulty read_fault(Arguments& in) {
  device::Faulty fault{in.name(), in.seat(), {}};
  fault.words = in.rest().substr(0, words_bytes_max);
  return fault;
}

using Reader = DeviceInput (*)(Arguments&);
constexpr std::array<std::pair<std::string_view, Reader>, 12> readers{{
    {"hello", [](Arguments& in) -> DeviceInput { return read_hello(in); }},
    {"alive", [](Arguments& in) -> DeviceInput { return device::Alive{in.name()}; }},
    {"again", [](Arguments&) -> DeviceInput { return device::Again{}; }},
    {"state", [](Arguments& in) -> DeviceInput { return read_state(in); }},
    {"held", [](Arguments& in) -> DeviceInput { return device::Held{in.wager()}; }},
    {"placed", [](Arguments& in) -> DeviceInput { return input::WagerPlaced{in.wager()}; }},
    {"removed", [](Arguments& in) -> DeviceInput { return read_removed(in); }},
    {"bets",
     [](Arguments& in) -> DeviceInput {
       return input::BettingSwitched{in.either("open", "closed")};
     }},
    {"count",
     [](Arguments& in) -> DeviceInput { return input::ChipCount{in.number<std::uint32_t>()}; }},
    {"fault", [](Arguments& in) -> DeviceInput { return read_fault(in); }},
    {"sound",
     [](Arguments& in) -> DeviceInput {
       std::string sensor = in.name();
       return device::Sound{std::move(sensor), in.seat()};
     }},
    {"event", [](Arguments& in) -> DeviceInput { return device::Event{in.rest()}; }},
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
  const auto number = parse_integer<std::uint64_t>(body.substr(0, number_end));
  if (!number || number_end == body.size()) return LineError::number_malformed;
  return DeviceMessage{*number, std::string(body.substr(number_end + 1))};
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
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  for (const auto& [known, read] : readers) {
    if (word != known) continue;
    Arguments arguments(text.substr(std::min(end + 1, text.size())));
    DeviceInput received = read(arguments);
    if (const auto mistake = arguments.end()) return *mistake;
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
