// Unfinished folder: a folder in the making, beside the place where it shall stand. It is moved
// there by one rename, so that nobody ever sees a part of it; one that was not moved is gone again.
// Only a process that is killed leaves one behind: PLACE.new-XXXXXX, with whatever was in it then.
//
// Laws: who makes one holds a lock on it until it ends, however it ends; so one that nobody holds
// is nobody's work any more. Where the disk has no such locks, none is removed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "proto/host/file_descriptor.h"

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
  std::unique_ptr<Descriptor> lock_;
  bool moved_ = false;
};

// What was left behind in the making of `directory`: removed if it is provably that (so named, only
// this user's, and held by nobody), and else named, as is what was left of other folders beside it.
// A sentence each, for a person.
std::vector<std::string> clear_leftovers(const std::filesystem::path& directory);

}  // namespace linkmeter
