// Whole files: read completely or not at all, and written so that the old or the new text is there.
#include "proto/host/atomic_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "proto/host/fault.h"
#include "tests/support/process_limit.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::atomic_file_test {
namespace {

struct Folder : ScopedDirectory {
  const std::filesystem::path file = path() / "file", draft = path() / "file.new";
};

std::string fault_of_writing(const std::filesystem::path& path, std::string_view text) {
  try {
    write_atomically(path, text, readable_by_owner);
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a written file is read back and is private to its owner") {
  const Folder folder;
  const std::string zeros(3, '\0');
  for (const std::string& text : {std::string("the first text"), std::string(), zeros}) {
    write_atomically(folder.file, text, readable_by_owner);
    CHECK_EQ(read_file(folder.file), text);
    CHECK_FALSE(std::filesystem::exists(folder.draft));
  }
  struct stat status {};
  REQUIRE_EQ(::stat(folder.file.c_str(), &status), 0);
  CHECK_EQ(status.st_mode & 0777U, 0600);
}

TEST_CASE("a name without a folder is a file in the working folder") {
  const Folder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_atomically("file", "text", readable_by_owner);
  std::filesystem::current_path(before);
  CHECK_EQ(read_file(folder.file), "text");
}

TEST_CASE("a leftover draft file is not written into") {
  const Folder folder;
  const std::filesystem::path elsewhere = folder.path() / "elsewhere";
  std::ofstream(elsewhere) << "mine";
  std::filesystem::create_symlink(elsewhere, folder.draft);
  write_atomically(folder.file, "text", readable_by_owner);
  CHECK_EQ(read_file(elsewhere), "mine");
  CHECK_EQ(read_file(folder.file), "text");
  CHECK_FALSE(std::filesystem::is_symlink(folder.file));
}

TEST_CASE("a failed write names the file and keeps the old text") {
  const Folder folder;
  const std::string cannot = folder.file.string() + ": cannot write it: ";
  write_atomically(folder.file, "old", readable_by_owner);
  CHECK_THROWS_WITH_AS(
      under_limit(RLIMIT_FSIZE, 2,
                  [&] { write_atomically(folder.file, "new", readable_by_owner); }),
      (cannot + "File too large").c_str(), Fault);
  CHECK_THROWS_WITH_AS(
      under_limit(RLIMIT_NOFILE, 0,
                  [&] { write_atomically(folder.file, "new", readable_by_owner); }),
      (cannot + "Too many open files").c_str(), Fault);
  CHECK_EQ(read_file(folder.file), "old");
  std::filesystem::remove(folder.draft);
  std::filesystem::create_directory(folder.draft);
  CHECK_EQ(fault_of_writing(folder.file, "new"),
           folder.draft.string() + ": cannot make room for it: Is a directory");
  CHECK_EQ(read_file(folder.file), "old");
  write_atomically(folder.path() / "other", "text", readable_by_owner);
  CHECK_EQ(fault_of_writing(folder.path() / "none" / "file", "new"),
           (folder.path() / "none" / "file: cannot write it: No such file or directory").string());
  const std::filesystem::path taken = folder.path() / "taken";
  std::filesystem::create_directory(taken);
  CHECK_EQ(fault_of_writing(taken, "new"), taken.string() + ": cannot write it: Is a directory");
}

TEST_CASE("a file that is too large, or not a regular file, is not read") {
  const Folder folder;
  const auto errno_of = [](const std::filesystem::path& path, Links links = Links::follow) {
    errno = 0;
    const bool is_read = read_file(path, links).has_value();
    return is_read ? 0 : errno;
  };
  CHECK_EQ(errno_of(folder.file), ENOENT);
  CHECK_EQ(errno_of(folder.path()), EINVAL);
  REQUIRE_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  CHECK_EQ(errno_of(folder.path() / "pipe"), EINVAL);  // without waiting for a writer
  std::ofstream(folder.file) << "text";
  std::filesystem::create_symlink(folder.file, folder.path() / "link");
  CHECK_EQ(errno_of(folder.path() / "link"), 0);
  CHECK_EQ(errno_of(folder.path() / "link", Links::refuse), ELOOP);
  CHECK_EQ(errno_of(folder.file, Links::refuse), 0);
  // A sparse file: it has this length and uses no disk space.
  REQUIRE_EQ(::truncate(folder.file.c_str(), (off_t{256} << 20U) + 1), 0);
  CHECK_EQ(errno_of(folder.file), EFBIG);
}

TEST_CASE("a file that ends early is read to its end; a read error rejects it") {
  // The kernel reports 4,096 bytes for these; one returns a few bytes, the other an error.
  const std::filesystem::path mtu = "/sys/class/net/lo/mtu", speed = "/sys/class/net/lo/speed";
  if (!std::filesystem::exists(mtu) || !std::filesystem::exists(speed)) {
    MESSAGE("this machine shows no network under /sys: it is not tried");
    return;
  }
  const std::optional<std::string> text = read_file(mtu);
  REQUIRE(text.has_value());
  CHECK_EQ(std::to_string(std::stoul(*text)) + "\n", *text);
  CHECK_FALSE(read_file(speed).has_value());
}

TEST_CASE("a missing file or one without a disk cannot be synced") {
  const Folder folder;
  std::ofstream(folder.file) << "text";
  sync_file(folder.file);
  sync_directory(folder.path());
  CHECK_THROWS_WITH_AS(
      sync_file(folder.draft),
      (folder.draft.string() + ": cannot sync it: No such file or directory").c_str(), Fault);
  CHECK_THROWS_WITH_AS(sync_file("/dev/null"), "/dev/null: cannot sync it: Invalid argument",
                       Fault);
  CHECK_THROWS_WITH_AS(sync_directory("/proc"), "/proc: cannot sync it: Invalid argument", Fault);
  CHECK_THROWS_WITH_AS(sync_directory(folder.file),
                       (folder.file.string() + ": cannot open it: Not a directory").c_str(), Fault);
}

TEST_CASE("neither a replaced nor a new file is written through a symbolic link") {
  const ScopedDirectory folder;
  const std::filesystem::path victim = folder.path() / "victim", file = folder.path() / "file";
  write_atomically(victim, "kept", readable_by_owner);
  std::filesystem::create_symlink(victim, file.string() + ".new");
  replace_atomically(file, "text", readable_by_all);
  CHECK_EQ(read_file(file), "text");
  CHECK_EQ(read_file(victim), "kept");
  using std::filesystem::perms;
  CHECK_EQ(std::filesystem::status(file).permissions(),
           perms::owner_read | perms::owner_write | perms::group_read | perms::others_read);
  std::filesystem::remove(file);
  std::filesystem::create_hard_link(victim, file);
  CHECK(new_file(file, readable_by_owner).write_all("new"));
  CHECK_EQ(read_file(file), "new");
  CHECK_EQ(read_file(victim), "kept");
}

}  // namespace linkmeter::atomic_file_test
