// StaffSocket: the Unix socket over which `linkmeter` of other users reaches the controller. It is
// in a folder owned by the controller's user, e.g. /run/linkmeter/staff.sock, and only members of
// one group may connect.
//
// Laws: no other user can write the folder, so no other user can replace the socket. A stale socket
// of an earlier controller is replaced; one that is listened on is not. One controller at a time
// holds PATH.lock. Symbolic links are never followed, and a file that is not a socket is never
// removed.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "proto/host/file_descriptor.h"

namespace linkmeter {

class StaffSocket {
 public:
  // Starts to listen: mode 0660; the folder's path may have any length. `group`: may connect beside
  // the owner; "": the controller's own group. Throws Fault.
  StaffSocket(std::filesystem::path path, const std::string& group);
  StaffSocket(const StaffSocket&) = delete;
  StaffSocket& operator=(const StaffSocket&) = delete;
  // Removes the socket, unless another one has replaced it.
  ~StaffSocket();

  // For accept(); non-blocking.
  [[nodiscard]] int descriptor() const { return socket_.get(); }

 private:
  void open_folder();
  void take_lock();
  void bind_and_listen(const std::string& group);
  [[noreturn]] void fail(const std::string& why) const;

  std::filesystem::path path_;
  std::string name_;  // in folder_
  FileDescriptor folder_;
  FileDescriptor lock_;  // held while this lives: one controller at a path
  FileDescriptor socket_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace linkmeter
