// Device port: the bytes between an agent and its device, whatever carries them: a Unix socket, TCP
// on this machine, or a serial line. It opens and reconnects by itself; nothing here blocks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "meters/values/timestamp.h"

namespace linkmeter {

class BytePort {
 public:
  BytePort() = default;
  BytePort(const BytePort&) = delete;
  BytePort& operator=(const BytePort&) = delete;
  virtual ~BytePort() = default;

  // Opens it if it is due. True: it is open.
  [[nodiscard]] virtual bool open(Timestamp now) = 0;
  // What has come, at most a turn's worth. nullopt: the other side is gone, and the port is closed.
  [[nodiscard]] virtual std::optional<std::string> read(Timestamp now) = 0;
  // Writes or keeps; a device that takes nothing for too long is closed.
  virtual void write(std::string_view bytes, Timestamp now) = 0;
  virtual void close(Timestamp now) = 0;
  // For poll; -1: closed.
  [[nodiscard]] virtual int descriptor() const = 0;
  // The next moment at which open() or write() has something to do.
  [[nodiscard]] virtual std::optional<Timestamp> wakes_at() const = 0;
};

// What is wrong with the address of a device, as a sentence goes on after the option's name. ""
// nothing: unix:PATH, tcp:127.0.0.1:PORT, tcp:[::1]:PORT, serial:DEVICE or serial:DEVICE:BAUD.
std::string device_address_mistake(const std::string& address);

// REQUIRES: an address without mistake.
std::unique_ptr<BytePort> open_byte_port(const std::string& address);

}  // namespace linkmeter
