// DiskSpace: how much the journal can still grow: free space on its disk, and the part of its map
// that was never used. Links suspend themselves while what is left still holds the completion of
// every open round (L3): after the last byte nothing could say why they stopped.
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

// Open rounds are completed in less than this many bytes: of each, on the disk and in the map.
struct DiskReserve {
  std::uint64_t bytes_least = std::uint64_t{64} << 20U;
  double map_used_most = 0.95;
};

// Why no link should take wagers, as a sentence; nullopt: there is room.
std::optional<std::string> shortage(const DiskSpace& room, const DiskReserve& margins);

// The disk of this folder. Throws Fault if it cannot be asked: it is lost.
DiskSpace room_on(const std::filesystem::path& folder, std::uint64_t map_bytes_free,
                  double map_used);

// What a start needs on the disk to write what it must: its self-check, and why links stop.
inline constexpr std::uint64_t start_bytes_min = std::uint64_t{1} << 20U;

// Returns once the disk of this folder has so many bytes free, at once if it has. So a controller
// that ended because its disk was full comes back by itself when there is room, however long that
// takes: to end would count as one more failed start, and the service manager gives up after some.
// `tell` is called with a sentence when the wait begins, and once a minute. Throws Fault as
// room_on() does.
void await_room(const std::filesystem::path& folder, std::uint64_t bytes_min,
                const std::function<void(const std::string&)>& tell);

// "64M", "1G", "4096": bytes; nullopt: it is no size.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace linkmeter
