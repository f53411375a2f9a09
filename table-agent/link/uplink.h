// Uplink: the table's DEALER socket to the controller. Thin: bytes out, bytes in, and waiting for
// either.
//
// Laws: the connection is CURVE's, with the table's credentials and to the controller whose key
// they name. It reconnects by itself, also where ZeroMQ would not: after a peer that broke the
// protocol or turned it away. Nothing is queued while there is no connection: send() says so, and
// the agent starts over when the uplink can send again. Without credentials there is no connection
// yet. Broken things throw Fault; "not now" is a value.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "proto/host/credentials.h"

namespace linkmeter {

class Uplink {
 public:
  // The table's credentials as they are now; nullopt: none yet.
  using Source = std::function<std::optional<Credentials>()>;

  Uplink(std::string endpoint, Source credentials);
  ~Uplink();
  Uplink(const Uplink&) = delete;
  Uplink& operator=(const Uplink&) = delete;

  // While nobody answers: looks whether there are other credentials by now, and connects with
  // those; or anew, where nothing was heard for some seconds. Looks at most twice a
  // second.
  void look_again(std::chrono::steady_clock::time_point now);

  [[nodiscard]] bool has_credentials() const { return credentials_.has_value(); }

  // False: there is no connection, or it takes no more now; the frame is dropped.
  [[nodiscard]] bool send(std::string_view frame);
  // The last frame before the end: it goes out even if this is destroyed at once, as far as that
  // takes no longer than a moment.
  void send_last(std::string_view frame);
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
    int panel = -1;
  };
  // Waits for the socket or one of the others, at most `timeout`.
  Ready wait(Until until, Others others, std::chrono::milliseconds timeout);

 private:
  struct Socket;

  void connect();

  const std::string endpoint_;
  const Source source_;
  std::optional<Credentials> credentials_;  // of the socket
  std::unique_ptr<Socket> socket_;          // null: no credentials yet
  std::chrono::steady_clock::time_point looked_at_;
  std::chrono::steady_clock::time_point last_heard_at_;  // or when the connection was begun
};

}  // namespace linkmeter
