#include "controller/telemetry/turn_log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

std::string from_words(const std::string& from) { return from.empty() ? "" : " from=" + from; }

}  // namespace

std::string printable(const std::string& text) {
  constexpr std::size_t length_max = 64;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  for (const char letter : std::string_view(text).substr(0, length_max)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte > ' ' && byte < 0x7f && byte != '\\') {
      shown += letter;
    } else {
      shown += "\\x";
      shown += digits[byte >> 4U];
      shown += digits[byte & 15U];
    }
  }
  if (text.size() > length_max) shown += "...";
  return shown;
}

void TurnLog::note(const Controller::Turn& turn, const State& state,
                   std::chrono::microseconds uptime) {
  for (const Controller::Refused& refused : turn.refused) note(refused, uptime);
  for (const Controller::CommandDone& acted : turn.acted) {
    spdlog::info("person badge={} act={} entry={}{}", acted.by.text(), acted.act,
                 acted.entry.value(), from_words(acted.from));
  }
  for (const Controller::CountBlocked& round : turn.miscounted) {
    spdlog::warn("blocked table={} round={} chips={} expected={}", round.table.text(),
                 round.round.text(), round.chips, round.chips_expected);
  }
  for (const LinkIndex link : turn.suspended) {
    spdlog::error("suspended link={} reason=\"{}\"", state.floor().link(link).id.text(),
                  state.link(link).suspended);
  }
  for (const TableIndex table : turn.frozen) {
    spdlog::error("frozen table={} reason=\"{}\"", state.floor().table(table).id.text(),
                  state.session(table).frozen());
  }
  for (const ClaimNumber number : turn.raised) {
    const Claim* claim = state.find_claim(number);
    INVARIANT(claim != nullptr);
    spdlog::info("win claim={} link={} table={} seat={} line={} amount={}", number.value(),
                 state.floor().link(claim->link).id.text(),
                 state.floor().table(claim->table).id.text(), claim->seat.value(),
                 claim->line.text(), text_cents(claim->amount));
  }
}

void TurnLog::note(const std::vector<TablePresence::Change>& changes, const Floor& floor) {
  for (const TablePresence::Change& change : changes) {
    const std::string& table = floor.table(change.table).id.text();
    const double silence_s = std::chrono::duration<double>(change.silence).count();
    if (change.to == TableLinkState::lost) {
      spdlog::warn("table {} lost: no message for {:.1f} s", table, silence_s);
    } else if (change.from == TableLinkState::lost) {
      spdlog::info("table {} linked again after {:.1f} s", table, silence_s);
    } else {
      spdlog::info("table {} linked", table);
    }
  }
}

void TurnLog::note(const Controller::Refused& refused, std::chrono::microseconds uptime) {
  const auto second = std::chrono::duration_cast<std::chrono::seconds>(uptime);
  if (second != second_) {
    second_ = second;
    shown_in_second_ = 0;
    if (hidden_count_ > 0) {
      spdlog::warn("{} more refused messages were suppressed", std::exchange(hidden_count_, 0));
    }
  }
  if (shown_in_second_ == refusals_per_second_max) {
    ++hidden_count_;
    return;
  }
  ++shown_in_second_;
  if (!refused.act.empty()) {
    spdlog::warn("refused badge={} act={} refusal={}{}", printable(refused.by.text()), refused.act,
                 name(refused.refusal), from_words(refused.from));
    return;
  }
  spdlog::warn("refused source={} table={} number={} refusal={}", printable(refused.source),
               printable(refused.table.text()), refused.number.value(), name(refused.refusal));
}

namespace {

// syslog's levels, as sd-daemon(3) has them.
std::string_view level_mark(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::critical: return "<2>";
    case spdlog::level::err: return "<3>";
    case spdlog::level::warn: return "<4>";
    case spdlog::level::info: return "<6>";
    default: return "<7>";
  }
}

class LevelMark final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& out) override {
    const std::string_view mark = level_mark(message.level);
    out.append(mark.data(), mark.data() + mark.size());
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<LevelMark>();
  }
};

}  // namespace

void begin_log() {
  spdlog::set_default_logger(spdlog::stderr_logger_st("controller"));
  if (std::getenv("JOURNAL_STREAM") == nullptr) return;
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<LevelMark>('*').set_pattern("%*%v");
  spdlog::set_formatter(std::move(formatter));
}

}  // namespace linkmeter
