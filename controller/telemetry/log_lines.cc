#include "controller/telemetry/log_lines.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace linkmeter {

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
