// Whole file: read at once, or written in one step: who reads it, even after a power cut, sees the
// old text or the new one, never a part.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "proto/host/file_descriptor.h"

namespace linkmeter {

inline constexpr mode_t readable_by_owner = 0600;
inline constexpr mode_t readable_by_all = 0644;

// In a folder that somebody else gave, a link may lead anywhere.
enum class Links { follow, refuse };

// nullopt with `errno` if it cannot be read, is not a file (a pipe is not waited for), or is larger
// than anything that we read whole.
std::optional<std::string> read_file(const std::filesystem::path& path,
                                     Links links = Links::follow);
// A new file for writing, in the place of whatever stood there: a link is removed and never written
// through, so who may write to the folder cannot lead us to another file. Throws Fault.
FileDescriptor new_file(const std::filesystem::path& path, mode_t mode);
// As write_atomically, with exactly this mode, and not synced: for what is written anew after a
// power cut. Throws Fault.
void replace_atomically(const std::filesystem::path& path, std::string_view text, mode_t mode);
// Durable on return. Throws Fault.
void write_atomically(const std::filesystem::path& path, std::string_view text, mode_t mode);
// Throws Fault. Of a file that somebody else wrote.
void sync_file(const std::filesystem::path& path);
// Throws Fault. What is in a folder survives a power cut only after this.
void sync_directory(const std::filesystem::path& path);

}  // namespace linkmeter
