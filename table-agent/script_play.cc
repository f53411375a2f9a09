#include "table-agent/script_play.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <utility>

#include "meters/codec/fingerprint.h"
#include "meters/codec/wire_codec.h"
#include "meters/limits.h"

namespace linkmeter {

namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

// Would the command fit one message? A line far shorter than a message always does.
bool fits_message(const ScriptEvent& event, std::size_t line_length) {
  if (line_length < limits::message_bytes_max / 2) return true;
  const auto* command = std::get_if<TableCommand>(&event);
  if (command == nullptr) return true;
  const TableMessage message{TableId(std::string(limits::name_length_max, 'x')),
                             MessageNumber(UINT64_MAX), Digest{},
                             Timestamp::from_microseconds(INT64_MAX), *command};
  return encode(message).size() <= limits::message_bytes_max;
}

}  // namespace

std::variant<Script, ScriptError> parse_script(const std::string& file, std::string_view text) {
  Script script;
  Fingerprint played;
  std::size_t line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    ++line_number;
    // The end of a line is before its newline: the last line is the same with and without one.
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    played.add(line);
    if (!is_blank(line)) {
      auto parsed = parse_script_line(line);
      const std::string where = file + ":" + std::to_string(line_number) + ": ";
      if (const auto* error = std::get_if<ScriptError>(&parsed)) {
        return ScriptError{where + error->message};
      }
      auto& event = std::get<ScriptEvent>(parsed);
      if (!fits_message(event, line.size())) {
        return ScriptError{where + "longer than one message may be"};
      }
      Position position{std::string(ScriptPlay::name),
                        std::to_string(end) + " " + std::to_string(played.value())};
      script.events.push_back({std::move(event), std::move(position)});
    }
    played.add("\n");
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
  // An empty file gives nothing to insert, which a stream calls a failure.
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad() || text.fail())
    return ScriptError{file.string() + ": cannot be read to its end"};
  return parse_script(file.string(), text.view());
}

ScriptPlay::ScriptPlay(Script script, std::string_view place) : script_(std::move(script)) {
  for (std::size_t count = 0; count < script_.events.size(); ++count) {
    if (script_.events[count].position.place == place) resumed_after_ = count + 1;
  }
  next_ = resumed_after_;
}

std::optional<Step> ScriptPlay::next() {
  if (next_ == script_.events.size()) return std::nullopt;
  const Script::Event& event = script_.events[next_++];
  return Step{event.event, event.position};
}

}  // namespace linkmeter
