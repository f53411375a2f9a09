// Uplink: the table's DEALER socket to the controller: sends frames, receives frames, and waits for
// either.
//
// Laws: the connection uses CURVE, with the table's credentials and the controller's key in them.
// It reconnects by itself, even after a peer that broke the protocol or refused the handshake,
// where ZeroMQ would not. Nothing is queued without a connection: send() returns false, and the
// agent starts over when the uplink can send again. Errors of the socket throw Fault.
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
  // The table's current credentials; nullopt: none yet.
  using Source = std::function<std::optional<Credentials>()>;

  Uplink(std::string endpoint, Source credentials);
  ~Uplink();
  Uplink(const Uplink&) = delete;
  Uplink& operator=(const Uplink&) = delete;

  // To be called while no controller answers. If the credentials have changed, connects with the
  // new ones; if nothing was received for some seconds, connects again. Looks at most twice a
  // second.
  void retry(std::chrono::microseconds now);

  [[nodiscard]] bool has_credentials() const { return credentials_.has_value(); }

  // False: there is no connection, or its queue is full; the frame is dropped.
  [[nodiscard]] bool send(std::string_view frame);
  // The last frame of this uplink: the destructor waits up to 200 ms until it is sent.
  void send_last(std::string_view frame);
  // nullopt: no frame is waiting.
  [[nodiscard]] std::optional<std::string> receive();

  struct Ready {
    bool to_send = false;  // only for receivable_or_sendable
    bool to_stop = false;  // the stop descriptor is readable
  };
  enum class Until { receivable, receivable_or_sendable };
  // Other descriptors to wait for; -1: none. Ready does not report driver and panel: their owners
  // look for themselves.
  struct Others {
    int stop = -1;
    int driver = -1;
    int panel = -1;
  };
  // Waits until the socket or another descriptor is ready, at most `timeout`.
  Ready wait(Until until, Others others, std::chrono::milliseconds timeout);

 private:
  struct Socket;

  void connect();

  const std::string endpoint_;
  const Source source_;
  std::optional<Credentials> credentials_;  // of the socket
  std::unique_ptr<Socket> socket_;          // null: no credentials yet
  std::chrono::microseconds looked_at_;
  std::chrono::microseconds last_heard_at_;  // or when it last connected
};

}  // namespace linkmeter
