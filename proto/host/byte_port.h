// BytePort: a byte stream between an agent and its device: a Unix socket, TCP on this machine, or a
// serial line. It opens and reconnects by itself. No call blocks.
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

  // Opens the port if an attempt is due. Returns whether it is open.
  [[nodiscard]] virtual bool open(Timestamp now) = 0;
  // Returns the received bytes, at most one turn's worth. nullopt: the other side has closed the
  // connection, and the port is closed.
  [[nodiscard]] virtual std::optional<std::string> read(Timestamp now) = 0;
  // Writes or buffers the bytes. Closes the port if the device accepts nothing for too long.
  virtual void write(std::string_view bytes, Timestamp now) = 0;
  virtual void close(Timestamp now) = 0;
  // The descriptor for poll; -1 if the port is closed.
  [[nodiscard]] virtual int descriptor() const = 0;
  // The next time at which open() or write() has work to do.
  [[nodiscard]] virtual std::optional<Timestamp> wakes_at() const = 0;
};

// Returns why the address of a device is invalid, as the rest of a sentence that begins with the
// option's name, or "" if it is valid. Valid: unix:PATH, tcp:127.0.0.1:PORT, tcp:[::1]:PORT,
// serial:DEVICE and serial:DEVICE:BAUD.
std::string device_address_mistake(const std::string& address);

// REQUIRES: device_address_mistake(address) is "".
std::unique_ptr<BytePort> open_byte_port(const std::string& address);

}  // namespace linkmeter
