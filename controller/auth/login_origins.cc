#include "controller/auth/login_origins.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>

#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {

void LoginOrigins::add(const std::filesystem::path& file, LoginThrottle& tries, Moment now) {
  files_.push_back({file, &tries});
  const auto saved = read_file(file);
  if (saved && !tries.read_trusted_origins(*saved, now.uptime, now.as_of)) {
    spdlog::warn("{} cannot be read: every origin is untrusted until a right PIN comes from it",
                 file.string());
  }
}

void LoginOrigins::serve(Moment now) {
  save(now, /*is_end=*/false);
  journal_counts(now, /*is_end=*/false);
}

void LoginOrigins::finish(Moment now) {
  save(now, /*is_end=*/true);
  journal_counts(now, /*is_end=*/true);
}

void LoginOrigins::save(Moment now, bool is_end) {
  for (OriginFile& file : files_) {
    const std::uint64_t version = file.tries->trusted_origins_version();
    if (file.saved_version == version || (now.uptime < file.due && !is_end)) continue;
    file.saved_version = version;
    file.due = now.uptime + save_interval;
    try {
      write_atomically(file.file, file.tries->trusted_origins(now.uptime, now.as_of),
                       readable_by_owner);
    } catch (const Fault& fault) {
      spdlog::warn("trusted login origins were not saved: {}", fault.what());
    }
  }
}

void LoginOrigins::journal_counts(Moment now, bool is_end) {
  const bool has_counts = std::any_of(files_.begin(), files_.end(), [](const OriginFile& file) {
    return file.tries->has_counts();
  });
  if (!has_counts) return;
  if (!entry_due_) entry_due_ = now.uptime + entry_interval;
  if (now.uptime < *entry_due_ && !is_end) return;
  entry_due_.reset();
  std::map<Badge, std::uint64_t> all;
  for (OriginFile& file : files_) {
    for (const auto& [badge, count] : file.tries->take_counts()) all[badge] += count;
  }
  PinsTried counted;
  for (const auto& [badge, count] : all) counted.tries.push_back({badge, count});
  controller_.record_pins_tried(counted, now.as_of);
}

}  // namespace linkmeter
