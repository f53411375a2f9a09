#include "table-agent/round/script_driver.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "meters/values/hex.h"
#include "meters/values/limits.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/fnv1a.h"
#include "table-agent/link/send_window.h"

namespace linkmeter {

namespace {

constexpr std::string_view blanks = " \t\r";

// The file's own name: its fingerprint in 16 hexadecimal digits.
std::string play_name(std::string_view text) {
  return std::string(ScriptDriver::prefix) + hexadecimal(big_endian(fingerprint(text)));
}

}  // namespace

std::variant<Script, ScriptError> parse_script(const std::string& file, std::string_view text) {
  Script script;
  const std::string name = play_name(text);
  Fnv1a played;
  std::size_t line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view whole_line = text.substr(start, end - start);
    // A position ends before trailing blanks and the newline, so a last line without a newline is
    // the same line.
    const std::string_view line = whole_line.substr(0, whole_line.find_last_not_of(blanks) + 1);
    played.add(line);
    if (!line.empty()) {
      auto parsed = parse_script_line(line);
      const std::string where = file + ":" + std::to_string(line_number);
      if (const auto* error = std::get_if<ScriptError>(&parsed)) {
        return ScriptError{where + ": " + error->message};
      }
      auto& event = std::get<ScriptEvent>(parsed);
      const auto* command = std::get_if<TableCommand>(&event);
      // A line far shorter than a message fits in any case.
      if (command != nullptr && line.size() >= limits::message_bytes_max / 2 &&
          !fits_message(*command)) {
        return ScriptError{where + ": longer than one message may be"};
      }
      Position position{name,
                        std::to_string(start + line.size()) + " " + std::to_string(played.value())};
      script.events.push_back({std::move(event), std::move(position), where});
    }
    played.add(whole_line.substr(line.size())).add("\n");
    start = end + 1;
  }
  return script;
}

std::variant<Script, ScriptError> read_script(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || std::filesystem::is_directory(file)) {
    return ScriptError{file.string() + ": cannot be read"};
  }
  // Streaming an empty buffer sets the stream's failure bit, so an empty file is skipped.
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad() || text.fail())
    return ScriptError{file.string() + ": cannot be read to its end"};
  return parse_script(file.string(), text.view());
}

ScriptDriver::ScriptDriver(Script script, const std::vector<Position>& places)
    : script_(std::move(script)) {
  std::set<std::string_view> played;
  for (const Position& position : places) played.insert(position.place);
  for (std::size_t count = 0; count < script_.events.size(); ++count) {
    if (played.contains(script_.events[count].position.place)) resumed_after_ = count + 1;
  }
  next_ = resumed_after_;
}

std::optional<Step> ScriptDriver::next() {
  if (next_ == script_.events.size()) return std::nullopt;
  const Script::Event& event = script_.events[next_++];
  return Step{event.event, event.position, event.where};
}

}  // namespace linkmeter
