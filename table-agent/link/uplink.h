// Uplink: the table's DEALER socket to the controller: sends frames, receives frames, and waits for
// either. In a house with several controllers it is connected to one of them at a time, and turns
// to another one by itself (peer_choice.h).
//
// Laws: the connection uses CURVE, with the table's credentials and the controller's key. It
// reconnects by itself, even after a peer that broke the protocol or refused the handshake, where
// ZeroMQ would not. Nothing is queued without a connection: send() returns false, and the agent
// starts over when the uplink can send again. ZeroMQ reports at once that a connection has ended or
// could not be made (its socket monitor), so a table is with the other node within milliseconds of
// the end of a process. Errors of the socket throw Fault.
//
// ZeroMQ looks host names up in a thread of its own, and ends that thread only when the name server
// has answered, or after its timeouts. So old sockets are closed in the background. While one of
// them is still busy, no other name is looked up: its controller counts as gone. Only the
// destructor waits for a name server.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/timestamp.h"
#include "proto/host/credentials.h"
#include "table-agent/link/known_nodes.h"
#include "table-agent/link/peer_choice.h"

namespace linkmeter {

class Uplink {
 public:
  // The table's current credentials; nullopt: none yet.
  using Source = std::function<std::optional<Credentials>()>;

  // `nodes`: as in know().
  Uplink(PeerChoice peers, Source credentials, const KnownNodes& nodes);
  // Of a house with one controller.
  Uplink(const std::string& endpoint, Source credentials);
  ~Uplink();
  Uplink(const Uplink&) = delete;
  Uplink& operator=(const Uplink&) = delete;

  // To be called in every turn of the agent's loop. Turns to another controller if it is time to.
  // Looks for changed credentials, and connects with them: every two seconds, and twice a second
  // while the table is not welcome. Then it also connects to a lone controller again if nothing was
  // received for some seconds. True: the agent starts over, with a Hello to the controller that is
  // now connected.
  [[nodiscard]] bool update(Timestamp now, bool is_welcome);
  // When update() will do something, if nothing happens before; nullopt: nothing is planned.
  [[nodiscard]] std::optional<Timestamp> wakes_at(Timestamp now) const;

  // The nodes that a controller named, and the refusal of a standby (table_agent.h). They must
  // outlive this, or the next call.
  void know(const KnownNodes& nodes);
  void on_refused(const std::string& writer, Timestamp now) { peers_.on_refused(writer, now); }
  // It keeps the table waiting for people.
  void on_waiting(Timestamp now) { peers_.on_waiting(now); }
  // The table cannot follow this controller (node_fault.h): nothing more comes from it or goes to
  // it, and update() turns to another one. REQUIRES: has_others().
  void pass_over();
  // The controller that it is connected to, or tries to. Its name is "" if it is not known.
  [[nodiscard]] const NodeAddress& controller() const { return peers_.current(); }
  [[nodiscard]] bool has_answered() const { return peers_.has_answered(); }
  [[nodiscard]] bool is_standby() const { return peers_.is_standby(); }
  // The credentials' key of the controller is not trusted any more (known_nodes.h).
  [[nodiscard]] bool has_replaced_credentials() const;
  // Whether the house has several controllers, as far as is known.
  [[nodiscard]] bool has_others() const { return peers_.has_others(); }

  [[nodiscard]] bool has_credentials() const { return credentials_.has_value(); }
  // The keys at both ends of the connection.
  [[nodiscard]] KnownNodes::Link link() const;

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
  // Waits until the socket or another descriptor is ready, at most `timeout`. Also returns when the
  // connection has ended.
  Ready wait(Until until, Others others, std::chrono::milliseconds timeout);

 private:
  struct Socket;

  bool look_for_credentials(Timestamp now, bool is_welcome);
  [[nodiscard]] std::string trusted_key() const;
  [[nodiscard]] std::vector<NodeAddress> usable_nodes() const;
  void choose();
  void connect();
  // Closes the socket in the background. False: a name is still looked up for this or another one.
  bool close_socket();
  void note_events();

  PeerChoice peers_;
  const KnownNodes* nodes_ = nullptr;  // null: none
  const Source source_;
  std::optional<Credentials> credentials_;  // of the socket
  std::string connected_key_;               // the controller's, of the socket
  bool is_passed_over_ = false;             // so is this controller
  std::vector<std::future<void>> closing_;  // old sockets
  std::unique_ptr<Socket> socket_;          // null: no credentials yet, or a name is looked up
  std::chrono::microseconds looked_at_;
  std::chrono::microseconds last_heard_at_;  // or when it last connected
};

}  // namespace linkmeter
