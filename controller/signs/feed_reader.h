// FeedReader: receives the updates of one link from a controller's feed (ZeroMQ SUB, CURVE).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <zmq.hpp>

#include "controller/signs/sign_text.h"
#include "proto/host/credentials.h"

namespace linkmeter {

// Decodes a MeterUpdate (proto/wire.proto) for a sign. nullopt: the bytes are not one, or hold
// values that no controller sends.
std::optional<SignUpdate> read_sign_update(std::string_view bytes);

class FeedReader {
 public:
  // Connects and reconnects by itself. Throws Fault if that is impossible.
  FeedReader(const std::string& endpoint, const Credentials& credentials, const std::string& link);

  [[nodiscard]] zmq::socket_ref socket() { return socket_; }
  // The next received update; nullopt: none now. Invalid updates are ignored.
  [[nodiscard]] std::optional<SignUpdate> next();

 private:
  std::string topic_;  // with the zero byte
  zmq::context_t context_;
  zmq::socket_t socket_;
};

}  // namespace linkmeter
