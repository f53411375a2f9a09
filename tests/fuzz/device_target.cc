// Input from the device line: a stream that is cut into lines, lines with their check, and words. A
// line that was read is written unchanged; a wager is read back unchanged; for every stream, no
// returned line is longer than allowed.
#include <algorithm>
#include <string>
#include <vector>

#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "table-agent/device/device_codec.h"
#include "table-agent/round/wager_text.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

// The lines of the stream, in pieces of this size.
std::vector<std::string> lines_of(std::string_view stream, std::size_t piece) {
  LineSplitter cutter;
  std::vector<std::string> lines;
  for (; !stream.empty(); stream.remove_prefix(std::min(piece, stream.size()))) {
    cutter.add(stream.substr(0, piece));
    while (auto line = cutter.next()) lines.push_back(std::move(*line));
  }
  return lines;
}

void hold_word(const std::string& text) {
  const auto word = parse_device_input(text);
  if (const auto* mistake = std::get_if<LineError>(&word)) {
    INVARIANT(*mistake > LineError::number_malformed);
    INVARIANT(!name(*mistake).empty());
    return;
  }
  const auto& said = std::get<DeviceInput>(word);
  if (const auto* placed = std::get_if<input::WagerPlaced>(&said)) {
    INVARIANT(placed->wager.amount.is_whole_cents());
    INVARIANT(placed->wager.amount >= Amount() && placed->wager.amount <= limits::amount_max);
    INVARIANT(text == "placed " + wager_text(placed->wager));
    INVARIANT(parse_wager_text(wager_text(placed->wager)) == placed->wager);
  }
  if (const auto* state = std::get_if<device::State>(&said)) {
    INVARIANT(state->wagers <= limits::wagers_per_round_max);
  }
}

void hold_line(const std::string& line) {
  const auto read = read_device_line(line);
  if (const auto* mistake = std::get_if<LineError>(&read)) {
    INVARIANT(*mistake <= LineError::number_malformed);
    INVARIANT(!name(*mistake).empty());
    return;
  }
  const auto& said = std::get<DeviceMessage>(read);
  INVARIANT(line.size() < device_event_bytes_max);
  const std::string written = write_device_line(said);
  INVARIANT(written.back() == '\n');
  const auto again = read_device_line(std::string_view(written).substr(0, written.size() - 1));
  INVARIANT(std::holds_alternative<DeviceMessage>(again));
  INVARIANT(std::get<DeviceMessage>(again) == said);
  hold_word(said.text);
}

// Adds the right check to any line, because most random bytes would fail at the check.
std::string with_check(const std::string& line) {
  constexpr std::string_view digits = "0123456789abcdef";
  const unsigned check = device_check(line);
  std::string text = line + '*';
  for (const unsigned shift : {12U, 8U, 4U, 0U}) text += digits[(check >> shift) & 15U];
  return text;
}

}  // namespace

void judge_device(std::string_view bytes) {
  const std::vector<std::string> lines = lines_of(bytes, bytes.size());
  INVARIANT(lines == lines_of(bytes, 1));
  INVARIANT(lines == lines_of(bytes, 7));
  for (const std::string& line : lines) {
    INVARIANT(line.size() <= device_event_bytes_max + 1);
    INVARIANT(line.find('\n') == std::string::npos);
    hold_line(line);
    const std::size_t star = line.rfind('*');
    hold_line(with_check(star == std::string::npos ? line : line.substr(0, star)));
    hold_word(line);
  }
}

}  // namespace linkmeter::fuzz
