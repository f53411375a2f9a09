// Staff socket: the Unix socket where `linkmeter` of other users reaches the controller. It stands
// in a folder that the controller's user owns, e.g. /run/linkmeter/staff.sock, and the system lets
// only the members of one group connect.
//
// Laws: nobody else can write the folder, so nobody else can put another socket in its place. A
// socket that a controller left behind is replaced; one at which somebody listens is not. One
// controller at a time holds PATH.lock. A symbolic link is never followed, and a file that is no
// socket is never removed.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "proto/host/file_descriptor.h"

namespace linkmeter {

class StaffSocket {
 public:
  // Listens at once: mode 0660, the folder's own path may be of any length. `group`: the name of
  // who may connect beside the owner; "": the controller's own group. Throws Fault.
  StaffSocket(std::filesystem::path path, const std::string& group);
  StaffSocket(const StaffSocket&) = delete;
  StaffSocket& operator=(const StaffSocket&) = delete;
  // Removes it, unless another one stands in its place by now.
  ~StaffSocket();

  // To accept from; does not block.
  [[nodiscard]] int descriptor() const { return socket_.get(); }

 private:
  void open_folder();
  void take_lock();
  void bind_and_listen(const std::string& group);
  [[noreturn]] void fail(const std::string& why) const;

  std::filesystem::path path_;
  std::string name_;  // in folder_
  Descriptor folder_;
  Descriptor lock_;  // held as long as this lives: one controller at a path
  Descriptor socket_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace linkmeter
