// SyncLog: the sync spy's record of a controller, and the check on it: was every message on disk
// before its acknowledgement was sent?
//
// Law of the check: after the program took a message from ZeroMQ, and before it gives the
// acknowledgement to ZeroMQ, these happen in order: a write to the journal that contains the
// message, a sync of the journal, and a durable write (O_DSYNC) of the page that makes the commit
// valid. LMDB commits in this way with full durability.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "meters/values/identity.h"

namespace linkmeter {

// A message that was sent, and the mark in it that the spy finds again in writes.
struct MarkedMessage {
  MessageNumber number;
  std::string mark;
  std::string bytes;
};

class SyncLog {
 public:
  // Throws Fault if a line does not come from the spy.
  static SyncLog parse(const std::string& text);
  static SyncLog read(const std::filesystem::path& file);

  // One sentence for every message that was acknowledged too early, or never.
  [[nodiscard]] std::vector<std::string> complaints(
      const std::vector<MarkedMessage>& messages) const;

 private:
  enum class Kind { write, write_durable, written, sync, synced };
  struct Event {
    std::size_t line = 0;
    Kind kind = Kind::write;
    std::vector<std::string> marks;
  };
  // One frame between the program and a socket.
  struct Frame {
    std::size_t line = 0;
    std::string bytes;
  };

  void take_line(const std::string& line, std::size_t number);
  // The lines at which acknowledgements were given, by message number.
  [[nodiscard]] static std::map<std::uint64_t, std::size_t> acknowledged_lines(
      const std::vector<Frame>& given);
  [[nodiscard]] std::string judge(const MarkedMessage& message, std::size_t taken_line,
                                  std::size_t acknowledged_line) const;

  std::vector<Event> events_;
  std::map<std::string, std::vector<Frame>> taken_, given_;  // by socket
};

}  // namespace linkmeter
