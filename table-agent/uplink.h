// Uplink: the table's DEALER socket to the controller. Thin: bytes out, bytes in, and waiting for
// either.
//
// Laws: the routing id is the table's id. It reconnects by itself. Nothing is queued while there is
// no connection: send() says so, and the agent starts over when the uplink can send again. Broken
// things throw Fault; "not now" is a value.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "meters/identity.h"

namespace linkmeter {

class Uplink {
 public:
  Uplink(const std::string& endpoint, const TableId& table);
  ~Uplink();
  Uplink(const Uplink&) = delete;
  Uplink& operator=(const Uplink&) = delete;

  // False: there is no connection, or it takes no more now; the frame is dropped.
  [[nodiscard]] bool send(std::string_view frame);
  // nullopt: nothing has come.
  [[nodiscard]] std::optional<std::string> receive();

  struct Ready {
    bool to_receive = false;
    bool to_send = false;  // only if it was asked for
    bool to_stop = false;  // the stop descriptor can be read
  };
  enum class Until { receivable, receivable_or_sendable };
  // To be waited for too; -1: there is none. Who plays sees for himself whether his can be read.
  struct Others {
    int stop = -1;
    int play = -1;
  };
  // Waits for the socket or one of the others, at most `timeout`.
  Ready wait(Until until, Others others, std::chrono::milliseconds timeout);

 private:
  struct Socket;
  std::unique_ptr<Socket> socket_;
};

}  // namespace linkmeter
