// Signs: so many signs that watch a link over HTTP while the tables are measured.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace linkmeter::bench {

class Signs {
 public:
  // "http://127.0.0.1:PORT". Returns when each has had its first update. Throws Fault.
  Signs(const std::string& url, const std::string& link, std::size_t count);
  Signs(const Signs&) = delete;
  Signs& operator=(const Signs&) = delete;
  ~Signs();

  [[nodiscard]] std::uint64_t updates() const { return updates_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }  // connections that ended

 private:
  void work(std::size_t count);

  int poll_ = -1;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> updates_ = 0, bytes_ = 0, lost_ = 0;
  std::thread thread_;
};

}  // namespace linkmeter::bench
