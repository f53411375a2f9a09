#include "controller/cli/shell/progress.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace linkmeter::cli {

namespace {

constexpr std::size_t bar_width = 30;

}  // namespace

Progress::Progress(std::string doing, std::uint64_t total, std::string counted)
    : doing_(std::move(doing)),
      total_(std::max<std::uint64_t>(total, 1)),
      counted_(std::move(counted)),
      on_terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (on_terminal_ && percent_shown_ <= 100) std::cerr << "\r\033[K" << std::flush;
}

void Progress::show(std::uint64_t done) {
  if (!on_terminal_) return;
  const std::uint64_t percent = std::min<std::uint64_t>(100, done * 100 / total_);
  if (percent == percent_shown_) return;
  percent_shown_ = percent;
  std::string bar(percent * bar_width / 100, '#');
  bar.resize(bar_width, ' ');
  std::cerr << "\r\033[K" << doing_ << " [" << bar << "] " << percent << " % of " << total_ << ' '
            << counted_ << std::flush;
}

}  // namespace linkmeter::cli
