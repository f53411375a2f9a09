// ScriptDriver: plays a floor script, a file with one JSON event on each line.
//
// Laws: the whole file is read and checked before its first event is submitted. An interrupted run
// continues after the last event in the outbox: the position is the length of the played part and a
// fingerprint of it. Every file has its own position in the outbox, named by the fingerprint of the
// whole file, so playing an earlier script again does not repeat it. A file that begins with a
// played part of any script continues after the longest such part, so a script may grow at its end.
// Any other file is played from line 1. (The fingerprint is FNV-1a: it detects a wrong file, but
// not one that was made to deceive.)
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "table-agent/round/round_driver.h"

namespace linkmeter {

// A checked script.
struct Script {
  struct Event {
    ScriptEvent event;
    Position position;  // after it
    std::string where;  // "FILE:LINE"
  };
  std::vector<Event> events;
};

// Returns the script, or the first error as "FILE:LINE: sentence". `file` is used only in messages.
std::variant<Script, ScriptError> parse_script(const std::string& file, std::string_view text);
std::variant<Script, ScriptError> read_script(const std::filesystem::path& file);

class ScriptDriver final : public RoundDriver {
 public:
  // The prefix of the names of all scripts' positions: "script/0123456789abcdef".
  static constexpr std::string_view prefix = "script/";

  // `places` are the positions in the outbox whose names begin with `prefix`.
  ScriptDriver(Script script, const std::vector<Position>& places);

  [[nodiscard]] std::optional<Step> next() override;
  // How many events an earlier run has already played.
  [[nodiscard]] std::size_t resumed_after() const { return resumed_after_; }
  [[nodiscard]] std::size_t event_count() const { return script_.events.size(); }

 private:
  Script script_;
  std::size_t resumed_after_ = 0;
  std::size_t next_ = 0;
};

}  // namespace linkmeter
