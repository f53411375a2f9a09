#include "controller/metrics_file.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace linkmeter {

std::chrono::milliseconds MetricsFile::time_until_due(std::chrono::microseconds uptime) const {
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(due_ - uptime));
}

void MetricsFile::write(const std::string& text, std::chrono::microseconds uptime) {
  due_ = uptime + interval;
  // Beside it: a rename is whole only within one file system. The collector reads *.prom alone.
  std::filesystem::path beside = path_;
  beside += ".new";
  std::error_code error;
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  // For whoever collects them: what may enter the folder may read it, whatever the umask.
  using std::filesystem::perms;
  constexpr perms readable =
      perms::owner_read | perms::owner_write | perms::group_read | perms::others_read;
  if (!error) std::filesystem::permissions(beside, readable, error);
  if (!error) std::filesystem::rename(beside, path_, error);
  if (error && !failed_) spdlog::warn("metrics {} cannot be written", path_.string());
  failed_ = static_cast<bool>(error);
}

}  // namespace linkmeter
