#include "controller/sockets/staff_socket.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "proto/host/fault.h"
#include "proto/host/local_socket.h"

namespace linkmeter {
namespace {

constexpr mode_t socket_mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP;
constexpr int pending_connections_max = 512;

std::string because() { return std::string(": ") + std::strerror(errno); }

// nullopt: there is no such group.
std::optional<gid_t> group_of(const std::string& name) {
  constexpr std::size_t entry_bytes = std::size_t{1} << 16U;
  std::vector<char> buffer(entry_bytes);
  group entry{};
  group* found = nullptr;
  ::getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found);
  return found == nullptr ? std::nullopt : std::optional(found->gr_gid);
}

}  // namespace

StaffSocket::StaffSocket(std::filesystem::path path, const std::string& group)
    : path_(std::move(path)), name_(path_.filename().string()) {
  open_folder();
  take_lock();
  bind_and_listen(group);
}

StaffSocket::~StaffSocket() {
  struct stat found {};
  if (::fstatat(folder_.get(), name_.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
      found.st_dev == device_ && found.st_ino == inode_) {
    ::unlinkat(folder_.get(), name_.c_str(), 0);
  }
}

void StaffSocket::fail(const std::string& why) const {
  throw Fault("cannot serve the staff socket " + path_.string() + ": " + why);
}

void StaffSocket::open_folder() {
  const std::filesystem::path parent = path_.parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (name_.empty() || name_ == "." || name_ == "..") fail("the path names no file");
  folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  if (!folder_.is_open()) {
    const int why = errno;
    if (::lstat(folder.c_str(), &found) == 0 && S_ISLNK(found.st_mode)) {
      fail(folder + " is a symbolic link");
    }
    fail("cannot open " + folder + ": " + std::strerror(why));
  }
  if (::fstat(folder_.get(), &found) != 0) fail("cannot look at " + folder + because());
  if (found.st_uid != ::geteuid() && found.st_uid != 0) {
    fail(folder + " belongs to another user");
  }
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    fail("users other than the owner can write " + folder + " (chmod go-w)");
  }
}

// Only the owner can open the file, so no other user can hold the lock.
void StaffSocket::take_lock() {
  const std::string lock = name_ + ".lock";
  lock_ = FileDescriptor(::openat(folder_.get(), lock.c_str(),
                                  O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!lock_.is_open()) fail("cannot open " + lock + because());
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) fail("another controller serves it");
}

void StaffSocket::bind_and_listen(const std::string& group) {
  struct stat found {};
  // Connects through the open folder: its path may be longer than a socket's may be.
  const std::string opened = "/proc/self/fd/" + std::to_string(folder_.get());
  const std::string path =
      ::access(opened.c_str(), F_OK) == 0 ? opened + "/" + name_ : path_.string();
  if (::fstatat(folder_.get(), name_.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISLNK(found.st_mode)) fail("it is a symbolic link");
    if (!S_ISSOCK(found.st_mode)) fail("the path is a file, not a socket");
    if (is_listened_at(path)) fail("another program listens there");
    if (::unlinkat(folder_.get(), name_.c_str(), 0) != 0) fail("cannot remove it" + because());
  }
  socket_ = bind_local(path);
  if (!socket_.is_open()) fail("cannot bind it" + because());
  if (::fstatat(folder_.get(), name_.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    fail("cannot look at it" + because());
  }
  device_ = found.st_dev;
  inode_ = found.st_ino;
  if (!group.empty()) {
    const auto wanted = group_of(group);
    if (!wanted) fail("there is no group " + group);
    constexpr auto same_owner = static_cast<uid_t>(-1);
    if (::fchownat(folder_.get(), name_.c_str(), same_owner, *wanted, AT_SYMLINK_NOFOLLOW) != 0) {
      fail("cannot give it to the group " + group + because() +
           "; the controller's user must be a member");
    }
  }
  // Nobody can connect before listen(), so the mode is right from the first connection on.
  if (::fchmodat(folder_.get(), name_.c_str(), socket_mode, 0) != 0) {
    fail("cannot set its mode" + because());
  }
  if (::listen(socket_.get(), pending_connections_max) != 0) fail("cannot listen" + because());
}

}  // namespace linkmeter
