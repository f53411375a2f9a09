// StagingDirectory: a directory under construction beside its final place. One rename moves it to
// that place, so a partial directory is never visible. A directory that was not moved is deleted.
// Only a killed process leaves one behind: PLACE.new-XXXXXX, with its contents at that time.
//
// Laws: the process that makes the directory holds a lock on it until it ends in any way. A
// directory without a lock is abandoned. If the file system does not support such locks, no
// directory is removed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "proto/host/file_descriptor.h"

namespace linkmeter {

// Whether the path still leads to the opened file or directory.
bool is_still_at(const FileDescriptor& opened, const std::filesystem::path& path);

// Removes the slash at the end: "a/b/" and "a/b" are the same folder, and its parent is "a".
std::filesystem::path without_end_slash(const std::filesystem::path& directory);

class StagingDirectory {
 public:
  // Only its owner may open it. Throws Fault. REQUIRES: without_end_slash().
  explicit StagingDirectory(const std::filesystem::path& directory);
  StagingDirectory(const StagingDirectory&) = delete;
  StagingDirectory& operator=(const StagingDirectory&) = delete;
  ~StagingDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Throws Fault, also if anything exists there.
  void move_to(const std::filesystem::path& directory);

 private:
  std::filesystem::path path_;
  std::unique_ptr<FileDescriptor> lock_;
  bool moved_ = false;
};

// Handles staging directories left behind for `directory`: removes those that are provably
// abandoned (named so, owned only by this user, and not locked). Reports the others, and those for
// other folders beside it. Returns one sentence each, for a person.
std::vector<std::string> clear_leftovers(const std::filesystem::path& directory);

}  // namespace linkmeter
