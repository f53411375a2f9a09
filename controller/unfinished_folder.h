// Unfinished folder: a folder in the making, beside the place where it shall stand. It is moved
// there by one rename, so that nobody ever sees a part of it; one that was not moved is gone again.
#pragma once

#include <filesystem>

namespace linkmeter {

// "a/b/" and "a/b" are the same folder; its parent is "a" either way.
std::filesystem::path without_end_slash(const std::filesystem::path& directory);

class UnfinishedFolder {
 public:
  // Only its owner may look into it. Throws Fault. REQUIRES: without_end_slash().
  explicit UnfinishedFolder(const std::filesystem::path& directory);
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
  ~UnfinishedFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Throws Fault, also if anything stands there.
  void move_to(const std::filesystem::path& directory);

 private:
  std::filesystem::path path_;
  bool moved_ = false;
};

}  // namespace linkmeter
