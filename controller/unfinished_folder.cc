#include "controller/unfinished_folder.h"

#include <fcntl.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "meters/edge/fault.h"

namespace linkmeter {
namespace {

[[noreturn]] void cannot_make(const std::filesystem::path& path, const std::string& doing) {
  throw Fault(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

}  // namespace

std::filesystem::path without_end_slash(const std::filesystem::path& directory) {
  const std::filesystem::path whole = std::filesystem::absolute(directory).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

UnfinishedFolder::UnfinishedFolder(const std::filesystem::path& directory) {
  std::string name = directory.string() + ".new-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    cannot_make(directory, "make it, or its parent is not there");  // mode 0700
  }
  path_ = name;
}

UnfinishedFolder::~UnfinishedFolder() {
  std::error_code ignored;
  if (!moved_) std::filesystem::remove_all(path_, ignored);
}

void UnfinishedFolder::move_to(const std::filesystem::path& directory) {
  int code = ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, directory.c_str(), RENAME_NOREPLACE);
  // Some file systems cannot refuse to replace. Then only an empty folder could be replaced.
  if (code != 0 && errno == EINVAL) code = ::rename(path_.c_str(), directory.c_str());
  if (code != 0) cannot_make(directory, "create it");
  moved_ = true;
}

}  // namespace linkmeter
