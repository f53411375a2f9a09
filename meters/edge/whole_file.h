// Whole file: read at once, or written in one step: who reads it, even after a power cut, sees the
// old text or the new one, never a part.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace linkmeter {

inline constexpr mode_t readable_by_owner = 0600;

// In a folder that somebody else gave, a link may lead anywhere.
enum class Links { follow, refuse };

// nullopt with `errno` if it cannot be read, is not a file (a pipe is not waited for), or is larger
// than anything that we read whole.
std::optional<std::string> read_whole(const std::filesystem::path& path,
                                      Links links = Links::follow);
// Durable on return. Throws Fault.
void write_whole(const std::filesystem::path& path, std::string_view text, mode_t mode);
// Throws Fault. Of a file that somebody else wrote.
void sync_file(const std::filesystem::path& path);
// Throws Fault. What is in a folder survives a power cut only after this.
void sync_directory(const std::filesystem::path& path);

}  // namespace linkmeter
