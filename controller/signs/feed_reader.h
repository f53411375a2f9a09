// Feed reader: hears the updates of one link on a controller's feed (ZeroMQ SUB, CURVE).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <zmq.hpp>

#include "controller/signs/sign_text.h"
#include "proto/host/credentials.h"

namespace linkmeter {

// A MeterUpdate (proto/wire.proto), as a sign shows it. nullopt: it is none, or says what no
// controller says.
std::optional<SignUpdate> read_sign_update(std::string_view bytes);

class FeedReader {
 public:
  // Connects by itself, again and again. Throws Fault if that can never be.
  FeedReader(const std::string& endpoint, const Credentials& credentials, const std::string& link);

  [[nodiscard]] zmq::socket_ref socket() { return socket_; }
  // The next update that has come; nullopt: none now. What is none is ignored.
  [[nodiscard]] std::optional<SignUpdate> next();

 private:
  std::string topic_;  // with the zero byte
  zmq::context_t context_;
  zmq::socket_t socket_;
};

}  // namespace linkmeter
