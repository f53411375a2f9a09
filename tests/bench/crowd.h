// Crowd: strangers who connect to the controller while it is measured. They have no key; a
// connection that is closed reconnects at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace linkmeter::bench {

class Crowd {
 public:
  enum class Kind {
    none,
    half_open,    // 1,000 connections that begin a greeting and send no more
    large_frames  // 8 connections that send a greeting, and then a frame of 10 MB
  };

  // "tcp://127.0.0.1:PORT". Throws Fault.
  Crowd(const std::string& endpoint, Kind kind);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd();

  [[nodiscard]] std::uint64_t connections() const { return connections_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // accepted from it

 private:
  void work(std::uint16_t port, Kind kind);

  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> connections_ = 0, bytes_ = 0;
  std::thread thread_;
};

}  // namespace linkmeter::bench
