// RawTable: a table's side of the wire without an agent: a DEALER socket with a key that sends what
// the test passes and returns what arrives. It has no outbox and sends nothing again.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <zmq.hpp>

#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "proto/host/fault.h"
#include "tests/support/curve_identity.h"

namespace linkmeter {

class RawTable {
 public:
  RawTable(zmq::context_t& context, const std::string& endpoint, const Credentials& credentials)
      : socket_(context, zmq::socket_type::dealer) {
    socket_.set(zmq::sockopt::linger, 0);
    identify(socket_, credentials);
    socket_.set(zmq::sockopt::sndhwm, 0);  // no limit: the test counts by itself
    socket_.set(zmq::sockopt::rcvhwm, 0);
    socket_.connect(endpoint);
  }

  [[nodiscard]] zmq::socket_t& socket() { return socket_; }
  void send(std::string_view bytes) {
    if (!socket_.send(zmq::buffer(bytes), zmq::send_flags::none)) throw Fault("nothing was sent");
  }
  // Returns a frame that has already arrived; nullopt: none.
  std::optional<ToTable> receive_now() {
    zmq::message_t frame;
    if (!socket_.recv(frame, zmq::recv_flags::dontwait)) return std::nullopt;
    auto reply = decode_to_table(frame.to_string_view());
    if (!reply) throw Fault("the controller sent something that is no reply");
    return reply;
  }
  // Throws Fault if nothing arrives in time.
  ToTable receive() {
    constexpr std::chrono::seconds patience{30};
    std::vector<zmq::pollitem_t> items{{socket_.handle(), 0, ZMQ_POLLIN, 0}};
    zmq::poll(items, patience);
    auto reply = receive_now();
    if (!reply) throw Fault("the controller does not answer");
    return std::move(*reply);
  }

 private:
  zmq::socket_t socket_;
};

}  // namespace linkmeter
