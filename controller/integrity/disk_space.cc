#include "controller/integrity/disk_space.h"

#include <sys/statvfs.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string_view>
#include <thread>

#include "meters/values/number.h"
#include "proto/host/fault.h"

namespace linkmeter {

std::optional<std::string> shortage(const DiskSpace& room, const DiskReserve& margins) {
  if (!room.disk_is_writable) return "the journal's disk is read-only";
  const auto too_full = [&margins](const char* what, std::uint64_t bytes_free) {
    return std::string("the journal's ") + what + " is full: " + std::to_string(bytes_free >> 10U) +
           " KiB are free, " + std::to_string(margins.bytes_least >> 10U) + " must be";
  };
  if (room.disk_bytes_free < margins.bytes_least) return too_full("disk", room.disk_bytes_free);
  if (room.map_bytes_free < margins.bytes_least) return too_full("map", room.map_bytes_free);
  if (room.map_used > margins.map_used_most) {
    return "the journal's map is full: " +
           std::to_string(static_cast<int>(std::floor(100 * room.map_used))) + " % are used";
  }
  return std::nullopt;
}

DiskSpace free_bytes_on(const std::filesystem::path& folder, std::uint64_t map_bytes_free,
                        double map_used) {
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) {
    throw Fault(folder.string() +
                ": cannot read the free space of its disk: " + std::strerror(errno));
  }
  return {std::uint64_t{disk.f_bavail} * disk.f_frsize, map_bytes_free, map_used,
          (disk.f_flag & ST_RDONLY) == 0};
}

void await_disk_space(const std::filesystem::path& folder, std::uint64_t bytes_min,
                      const std::function<void(const std::string&)>& tell) {
  constexpr int seconds_between_words = 60;
  for (int waited_s = 0;; ++waited_s) {
    const std::uint64_t bytes_free = free_bytes_on(folder, 0, 0).disk_bytes_free;
    if (bytes_free >= bytes_min) return;
    if (waited_s % seconds_between_words == 0) {
      tell("the journal's disk is full: " + std::to_string(bytes_free >> 10U) +
           " KiB are free, a start needs " + std::to_string(bytes_min >> 10U) +
           "; waiting for room");
    }
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

std::optional<std::uint64_t> parse_size(const std::string& text) {
  constexpr std::string_view units = "KMGT";
  const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  if (unit == std::string_view::npos) return parse_number(text);
  const std::size_t shift = 10 * (unit + 1);
  const auto size = parse_number(std::string_view(text).substr(0, text.size() - 1),
                                 (std::uint64_t{1} << 50U) >> shift);
  if (!size) return std::nullopt;
  return *size << shift;
}

}  // namespace linkmeter
