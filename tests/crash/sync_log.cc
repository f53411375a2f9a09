#include "tests/crash/sync_log.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <variant>

#include "proto/codec/wire_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16));
  }
  return bytes;
}

}  // namespace

SyncLog SyncLog::parse(const std::string& text) {
  SyncLog log;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) log.take_line(line, ++number);
  return log;
}

SyncLog SyncLog::read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw Fault(file.string() + ": cannot be read");
  return parse(text.str());
}

void SyncLog::take_line(const std::string& line, std::size_t number) {
  static const std::map<std::string, Kind> kinds{{"write", Kind::write},
                                                 {"write-durable", Kind::write_durable},
                                                 {"written", Kind::written},
                                                 {"sync", Kind::sync},
                                                 {"synced", Kind::synced}};
  std::istringstream words(line);
  std::string what, word;
  words >> what;
  if (what == "taken" || what == "given") {
    std::string socket;
    words >> socket >> word;  // an empty frame has no second word
    (what == "taken" ? taken_ : given_)[socket].push_back({number, bytes_of(word)});
  } else if (const auto kind = kinds.find(what); kind != kinds.end()) {
    Event event{number, kind->second, {}};
    while (words >> word) event.marks.push_back(word);
    events_.push_back(std::move(event));
  } else if (what != "not-synced") {  // a failed sync does not count
    throw Fault("line " + std::to_string(number) + " of the spy's log: " + what);
  }
}

std::map<std::uint64_t, std::size_t> SyncLog::acknowledged_lines(const std::vector<Frame>& given) {
  std::map<std::uint64_t, std::size_t> lines;
  for (const Frame& frame : given) {
    const std::optional<ToTable> reply = decode_to_table(frame.bytes);
    const auto* answers = reply ? std::get_if<Acknowledgements>(&*reply) : nullptr;
    if (answers == nullptr) continue;
    for (const Acknowledgement& one : answers->list) {
      lines.emplace(one.number.value(), frame.line);  // the first one counts
    }
  }
  return lines;
}

std::string SyncLog::judge(const MarkedMessage& message, std::size_t taken_line,
                           std::size_t acknowledged_line) const {
  auto event = events_.begin();
  // Advances to the next matching event. Returns whether it came before the acknowledgement.
  const auto comes = [&](const auto& fits) {
    event = std::find_if(event, events_.end(), fits);
    return event != events_.end() && event->line < acknowledged_line;
  };
  const auto comes_kind = [&](Kind kind) {
    return comes([kind](const Event& one) { return one.kind == kind; });
  };
  const bool is_written = comes([&](const Event& one) {
    const bool holds =
        std::find(one.marks.begin(), one.marks.end(), message.mark) != one.marks.end();
    return one.line > taken_line && one.kind == Kind::write && holds;
  });
  if (!is_written || !comes_kind(Kind::written)) return "acknowledged before it was written";
  if (!comes_kind(Kind::sync) || !comes_kind(Kind::synced)) {
    return "acknowledged before the journal was synced";
  }
  if (!comes_kind(Kind::write_durable) || !comes_kind(Kind::written)) {
    return "acknowledged before the commit was durable";
  }
  return "";
}

std::vector<std::string> SyncLog::complaints(const std::vector<MarkedMessage>& messages) const {
  std::vector<std::string> all;
  for (const MarkedMessage& message : messages) {
    std::string why = "never received";
    for (const auto& [socket, taken] : taken_) {
      const auto frame = std::find_if(taken.begin(), taken.end(), [&message](const Frame& one) {
        return one.bytes == message.bytes;
      });
      if (frame == taken.end()) continue;
      why = "never acknowledged";
      const auto given = given_.find(socket);
      if (given == given_.end()) continue;
      const auto lines = acknowledged_lines(given->second);
      const auto acknowledged = lines.find(message.number.value());
      if (acknowledged == lines.end()) continue;
      why = judge(message, frame->line, acknowledged->second);
    }
    if (!why.empty()) {
      all.push_back("message " + std::to_string(message.number.value()) + ": " + why);
    }
  }
  return all;
}

}  // namespace linkmeter
