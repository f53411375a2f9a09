#include "controller/telemetry/metrics_file.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {

std::chrono::milliseconds MetricsFile::time_until_due(std::chrono::microseconds uptime) const {
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(due_ - uptime));
}

void MetricsFile::write(const std::string& text, std::chrono::microseconds uptime) {
  due_ = uptime + interval;
  try {
    // The collector reads *.prom alone, not the draft beside it. Whoever may enter the folder may
    // read it, whatever the umask.
    replace_whole(path_, text, readable_by_all);
    failed_ = false;
  } catch (const Fault& fault) {
    if (!failed_) spdlog::warn("metrics {} cannot be written: {}", path_.string(), fault.what());
    failed_ = true;
  }
}

}  // namespace linkmeter
