#include "tests/crash/sync_log.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <variant>

#include "meters/codec/wire_codec.h"
#include "meters/edge/fault.h"

namespace linkmeter {
namespace {

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16));
  }
  return bytes;
}

// ZMTP 3: after 64 bytes of greeting, frames: flags, a length of one or eight bytes, a body.
struct Frame {
  std::size_t begin = 0;
  bool is_command = false;
  std::string_view body;
};

std::vector<Frame> frames_of(std::string_view bytes) {
  constexpr std::size_t greeting_bytes = 64;
  constexpr unsigned flag_long = 2, flag_command = 4;
  std::vector<Frame> frames;
  for (std::size_t at = greeting_bytes; at < bytes.size();) {
    const auto flags = static_cast<unsigned char>(bytes[at]);
    const std::size_t length_bytes = (flags & flag_long) != 0 ? 8 : 1;
    if (at + 1 + length_bytes > bytes.size()) break;
    std::size_t length = 0;
    for (const char byte : bytes.substr(at + 1, length_bytes)) {
      length = length << 8U | static_cast<unsigned char>(byte);
    }
    const std::size_t body = at + 1 + length_bytes;
    if (length > bytes.size() - body) break;
    frames.push_back({at, (flags & flag_command) != 0, bytes.substr(body, length)});
    at = body + length;
  }
  return frames;
}

}  // namespace

std::size_t SyncLog::Stream::line_at(std::size_t offset) const {
  return std::prev(line_of_offset.upper_bound(offset))->second;
}

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
  if (what == "recv" || what == "send") {
    int connection = 0;
    words >> connection >> word;
    Stream& stream = (what == "recv" ? received_ : sent_)[connection];
    stream.line_of_offset[stream.bytes.size()] = number;
    stream.bytes += bytes_of(word);
  } else if (what == "sent") {
    int connection = 0;
    long long taken = 0;
    words >> connection >> taken;
    // What was not taken is offered, and noted, again.
    Stream& stream = sent_[connection];
    const std::size_t begin = stream.line_of_offset.rbegin()->first;
    stream.bytes.resize(begin + static_cast<std::size_t>(std::max(taken, 0LL)));
  } else if (const auto kind = kinds.find(what); kind != kinds.end()) {
    Event event{number, kind->second, {}};
    while (words >> word) event.marks.push_back(word);
    events_.push_back(std::move(event));
  } else if (what != "not-synced") {  // a sync that failed is none
    throw Fault("line " + std::to_string(number) + " of the spy's log: " + what);
  }
}

std::map<std::uint64_t, std::size_t> SyncLog::acknowledged_lines(const Stream& sent) const {
  std::map<std::uint64_t, std::size_t> lines;
  for (const Frame& frame : frames_of(sent.bytes)) {
    if (frame.is_command) continue;  // greetings and heartbeats
    const std::optional<ToTable> reply = decode_to_table(frame.body);
    const auto* answers = reply ? std::get_if<Acknowledgements>(&*reply) : nullptr;
    if (answers == nullptr) continue;
    for (const Acknowledgement& one : answers->list) {
      lines.emplace(one.number.value(), sent.line_at(frame.begin));  // the first one counts
    }
  }
  return lines;
}

std::string SyncLog::judge(const MarkedMessage& message, std::size_t received_line,
                           std::size_t acknowledged_line) const {
  auto event = events_.begin();
  // Goes on to the next event that fits, and says whether it came before the acknowledgement.
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
    return one.line > received_line && one.kind == Kind::write && holds;
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
    for (const auto& [connection, received] : received_) {
      const std::size_t begin = received.bytes.find(message.bytes);
      if (begin == std::string::npos) continue;
      why = "never acknowledged";
      if (!sent_.contains(connection)) continue;
      const auto lines = acknowledged_lines(sent_.at(connection));
      const auto acknowledged = lines.find(message.number.value());
      if (acknowledged == lines.end()) continue;
      const std::size_t last_byte = begin + message.bytes.size() - 1;
      why = judge(message, received.line_at(last_byte), acknowledged->second);
    }
    if (!why.empty()) {
      all.push_back("message " + std::to_string(message.number.value()) + ": " + why);
    }
  }
  return all;
}

}  // namespace linkmeter
