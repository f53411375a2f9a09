// Script play: plays a floor script, a file of one JSON event a line.
//
// Laws: the whole file is read and checked before its first event is said. A run that was cut short
// goes on behind the last event that is in the outbox: the position is the length of the part that
// was played and a fingerprint of it. Every file has a place of its own, named by the fingerprint
// of the whole file, so that going back to an earlier script does not say it again. A file that
// begins with the part that was played of any script goes on after the longest such part, so a
// script may grow at its end; any other file is played from line 1. (The fingerprint is FNV-1a:
// good against a mistaken file, not against one made to deceive.)
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

// The script, or the first error as "FILE:LINE: sentence". `file` is used in messages only.
std::variant<Script, ScriptError> parse_script(const std::string& file, std::string_view text);
std::variant<Script, ScriptError> read_script(const std::filesystem::path& file);

class ScriptDriver final : public RoundDriver {
 public:
  // Of the names of all scripts' places: "script/0123456789abcdef".
  static constexpr std::string_view prefix = "script/";

  // `places` are what the outbox holds for `prefix`.
  ScriptDriver(Script script, const std::vector<Position>& places);

  [[nodiscard]] std::optional<Step> next() override;
  // How many events an earlier run has played already.
  [[nodiscard]] std::size_t resumed_after() const { return resumed_after_; }
  [[nodiscard]] std::size_t event_count() const { return script_.events.size(); }

 private:
  Script script_;
  std::size_t resumed_after_ = 0;
  std::size_t next_ = 0;
};

}  // namespace linkmeter
