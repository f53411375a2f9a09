#include "controller/store/staging_directory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

[[noreturn]] void cannot_make(const std::filesystem::path& path, const std::string& doing) {
  throw Fault(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

constexpr std::string_view draft_mark = ".new-";
constexpr std::size_t draft_letters = 6;  // the length of mkdtemp's suffix
constexpr int lock_tries_max = 20;

int open_folder(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The final path of a draft; "": the name is not a draft's.
std::string final_path_of(const std::string& name) {
  if (name.size() <= draft_mark.size() + draft_letters) return "";
  const std::size_t stem = name.size() - draft_letters - draft_mark.size();
  const bool is_draft =
      name.compare(stem, draft_mark.size(), draft_mark) == 0 &&
      std::all_of(name.end() - draft_letters, name.end(),
                  [](unsigned char letter) { return letter < 0x80 && std::isalnum(letter) != 0; });
  return is_draft ? name.substr(0, stem) : "";
}

bool is_only_ours(const FileDescriptor& folder) {
  struct stat status {};
  return ::fstat(folder.get(), &status) == 0 && status.st_uid == ::geteuid() &&
         (status.st_mode & 0777U) == S_IRWXU;
}

// The report on one draft; "": none, it is in use.
std::string clear_draft(const std::filesystem::path& draft, bool is_of_place) {
  const FileDescriptor folder(open_folder(draft));
  if (!folder.is_open() || !is_only_ours(folder)) return "";
  const bool is_free = ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0;
  if (!is_free && errno == EWOULDBLOCK) return "";
  if (!is_still_at(folder, draft)) return "";  // moved to its place meanwhile
  if (is_free && is_of_place) {
    std::error_code error;
    std::filesystem::remove_all(draft, error);
    return draft.string() + ": left behind by an interrupted program; " +
           (error ? "cannot remove it: " + error.message() : "removed");
  }
  return draft.string() +
         ": probably left behind by an interrupted program, and may hold keys; check it, and "
         "remove it if no program is using it";
}

}  // namespace

bool is_still_at(const FileDescriptor& opened, const std::filesystem::path& path) {
  struct stat inside {
  }, named{};
  return ::fstat(opened.get(), &inside) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         inside.st_dev == named.st_dev && inside.st_ino == named.st_ino;
}

std::filesystem::path without_end_slash(const std::filesystem::path& directory) {
  const std::filesystem::path whole = std::filesystem::absolute(directory).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

StagingDirectory::StagingDirectory(const std::filesystem::path& directory) {
  // Another process may remove the directory as abandoned between its creation and its lock: then
  // try another.
  for (int tries = 0; tries < lock_tries_max; ++tries) {
    std::string name = directory.string() + std::string(draft_mark) + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
      cannot_make(directory, "make it; does its parent exist?");  // mode 0700
    }
    path_ = name;
    lock_ = std::make_unique<FileDescriptor>(open_folder(path_));
    const bool is_held = lock_->is_open() && ::flock(lock_->get(), LOCK_EX | LOCK_NB) == 0;
    const bool is_taken = !lock_->is_open() || (!is_held && errno == EWOULDBLOCK);
    if (!is_taken && is_still_at(*lock_, path_)) return;
  }
  throw Fault(directory.string() + ": cannot make it: another program keeps removing it");
}

StagingDirectory::~StagingDirectory() {
  std::error_code ignored;
  if (!moved_) std::filesystem::remove_all(path_, ignored);
}

void StagingDirectory::move_to(const std::filesystem::path& directory) {
  int code = ::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, directory.c_str(), RENAME_NOREPLACE);
  // Some file systems do not support RENAME_NOREPLACE. A plain rename replaces at most an empty
  // folder.
  if (code != 0 && errno == EINVAL) code = ::rename(path_.c_str(), directory.c_str());
  if (code != 0) cannot_make(directory, "create it");
  moved_ = true;
  lock_.reset();
}

std::vector<std::string> clear_leftovers(const std::filesystem::path& directory) {
  const std::filesystem::path place = without_end_slash(directory);
  std::vector<std::filesystem::path> drafts;
  std::error_code error;
  using Walk = std::filesystem::directory_iterator;
  for (Walk found(place.parent_path(), error); !error && found != Walk(); found.increment(error)) {
    if (!final_path_of(found->path().filename().string()).empty()) drafts.push_back(found->path());
  }
  std::sort(drafts.begin(), drafts.end());
  std::vector<std::string> told;
  for (const std::filesystem::path& draft : drafts) {
    const bool is_of_place = final_path_of(draft.filename().string()) == place.filename().string();
    std::string sentence = clear_draft(draft, is_of_place);
    if (!sentence.empty()) told.push_back(std::move(sentence));
  }
  return told;
}

}  // namespace linkmeter
