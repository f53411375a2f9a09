// Crowd: strangers at the controller's door while it is measured. They have no key; whoever is cut
// off comes again at once.
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
    half_open,    // 1,000 connections that begin to greet, and say no more
    large_frames  // 8 connections that greet, and then send a frame of 10 MB
  };

  // "tcp://127.0.0.1:PORT". Throws Fault.
  Crowd(const std::string& endpoint, Kind kind);
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd();

  [[nodiscard]] std::uint64_t connections() const { return connections_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // taken from it

 private:
  void work(std::uint16_t port, Kind kind);

  std::atomic<bool> stopping_ = false;
  std::atomic<std::uint64_t> connections_ = 0, bytes_ = 0;
  std::thread thread_;
};

}  // namespace linkmeter::bench
