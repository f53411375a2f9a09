// Audience: signs that are open while the controller is measured. Each is a connection that reads
// the events of one link as fast as they arrive; all run on one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "proto/host/file_descriptor.h"

namespace linkmeter::bench {

class Audience {
 public:
  // `url`: "http://127.0.0.1:PORT". The constructor returns when all are connected. Throws Fault.
  Audience(const std::string& url, const std::string& link, std::size_t signs);
  Audience(const Audience&) = delete;
  Audience& operator=(const Audience&) = delete;
  ~Audience();

  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  // Signs that lost their stream.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  void work();

  std::vector<FileDescriptor> signs_;
  FileDescriptor ready_;  // epoll
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> events_ = 0, bytes_ = 0, lost_ = 0;
  std::thread thread_;
};

}  // namespace linkmeter::bench
