// Reading and writing whole files. A write happens in one step: a reader sees the old text or the
// new text, never a part of it, even after a power cut.
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

// In a folder from an untrusted source, a link may lead anywhere.
enum class Links { follow, refuse };

// Returns nullopt and sets `errno` if the file cannot be read, is not a regular file (a named pipe
// does not block), or is larger than the limit for whole files.
std::optional<std::string> read_file(const std::filesystem::path& path,
                                     Links links = Links::follow);
// Creates a new file for writing and replaces what was at the path. A link is removed, not
// followed, so a user with write access to the folder cannot redirect the write to another file.
// Throws Fault.
FileDescriptor new_file(const std::filesystem::path& path, mode_t mode);
// Like write_atomically(), but with exactly this mode and without sync: for files that the program
// writes again after a power cut. Throws Fault.
void replace_atomically(const std::filesystem::path& path, std::string_view text, mode_t mode);
// The file is durable on return. Throws Fault.
void write_atomically(const std::filesystem::path& path, std::string_view text, mode_t mode);
// Syncs a file that another function or program wrote. Throws Fault.
void sync_file(const std::filesystem::path& path);
// Syncs a directory; new names in it survive a power cut only after this. Throws Fault.
void sync_directory(const std::filesystem::path& path);

}  // namespace linkmeter
