// DiskSpace: how much the journal can still grow: the free space on its disk, and the unused part
// of its map. Links suspend themselves while there is still space to complete every open round
// (L3): after the last byte, no entry could record why they stopped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace linkmeter {

struct DiskSpace {
  std::uint64_t disk_bytes_free = 0;
  std::uint64_t map_bytes_free = 0;
  double map_used = 0;           // 0 to 1
  bool disk_is_writable = true;  // as it is mounted
};

// The reserve on the disk and in the map, enough to complete all open rounds.
struct DiskReserve {
  std::uint64_t bytes_least = std::uint64_t{64} << 20U;
  double map_used_most = 0.95;
};

// Why no link should take wagers, as a sentence; nullopt: there is enough space.
std::optional<std::string> shortage(const DiskSpace& room, const DiskReserve& margins);

// The free space on this folder's disk. Throws Fault if it cannot be read: the disk is lost.
DiskSpace free_bytes_on(const std::filesystem::path& folder, std::uint64_t map_bytes_free,
                        double map_used);

// The disk space that a start needs to journal its self-check and the reason why links stop.
inline constexpr std::uint64_t start_bytes_min = std::uint64_t{1} << 20U;

// Waits until the disk of this folder has that many bytes free; returns at once if it has them. So
// a controller that ended because of a full disk recovers by itself, however long that takes. If it
// ended again instead, that would count as a failed start, and the service manager gives up after a
// few. `tell` is called with a sentence when the wait begins, and once a minute. Throws Fault as
// free_bytes_on() does.
void await_disk_space(const std::filesystem::path& folder, std::uint64_t bytes_min,
                      const std::function<void(const std::string&)>& tell);

// Parses "64M", "1G", "4096" into bytes. nullopt: not a size.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace linkmeter
